export { b as
  default } from "c";
