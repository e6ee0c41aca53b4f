import type { A } from "a";
import { type B, c as d } from "b";
import e = require("e");
export type { A };
export default interface F {}
