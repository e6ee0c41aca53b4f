import a, { b as c, default as d } from "x" with { type: "json" }
import * as e from "y"
import "z"
const f = await import("w")
import.meta.url
