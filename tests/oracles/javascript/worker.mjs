// node --experimental-vm-modules --no-warnings worker.mjs [--each] WORD…: the worker that asks parsers whether texts are
// programs. It reads the length of a text in bytes, a line feed and the text, again and again, and answers each with a
// line, `1`, `0 message` or `? message`; with --each with the answer of every parser, as JSON. The words of a target,
// apart or joined by hyphens, say what a text is:
//
//   script | module       its goal; if none is named a script, and a module too if words of modules stand in it
//   anywhere              `return` and `await` may stand outside of functions
//   5, 2015 … 2026, next  the edition of JavaScript (2026); `next` has decorators too
//   jsx                   JavaScript with JSX
//   ts | tsx | d.ts       TypeScript, by 4.9 … 6.0 (6.0)
//   jsonc                 JSON with comments and trailing commas; `strict`: no trailing commas; `tsconfig`: TypeScript too
import { readSync, writeSync } from "node:fs";
import { parsersFor, verdict } from "./verdict.mjs";

const CHUNK = 1 << 16;

/** Texts from standard input, each after its length in bytes and a line feed. */
function* texts() {
  let held = Buffer.alloc(0);
  const more = () => {
    const chunk = Buffer.alloc(CHUNK);
    const length = readSync(0, chunk, 0, CHUNK, null);
    held = Buffer.concat([held, chunk.subarray(0, length)]);
    return length > 0;
  };
  for (;;) {
    while (!held.includes(10)) if (!more()) return;
    const start = held.indexOf(10) + 1;
    const length = Number(held.subarray(0, start - 1).toString());
    while (held.length < start + length) if (!more()) return;
    yield held.subarray(start, start + length).toString("utf8");
    held = held.subarray(start + length);
  }
}

const words = process.argv.slice(2).filter((word) => word !== "--each").flatMap((word) => word.split(/[\s-]+/)).filter(Boolean);
const each = process.argv.includes("--each");
const answersOf = parsersFor(words);
for (const text of texts()) {
  let line;
  try {
    const answers = answersOf(text);
    line = each ? JSON.stringify(answers) : verdict(answers);
  } catch (error) {    // a parser's own failure, such as a stack that is too deep
    line = each ? JSON.stringify({ failure: String(error) }) : `? ${String(error).replace(/\s+/g, " ")}`;
  }
  writeSync(1, `${line}\n`);
}
