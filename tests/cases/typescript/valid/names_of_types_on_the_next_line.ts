import { a, type
  B } from "c"
import { type
  /** D
   */
  D, type
  as } from "c"
export { type
  E as F, yield
  , yield // G
} from "c"
