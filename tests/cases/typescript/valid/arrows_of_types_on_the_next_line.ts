// The arrow of a function's type, and what a type is imported from, on lines of their own.
type Handler = (
  request: Request,
)

  => void;
let made: new (a: A)
  => B
let held: { call: <T>(value: T)
  => T; next: string }
import type
  { Other } from "other";
import type
  Whole from "whole";
