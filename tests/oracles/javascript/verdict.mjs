// The verdict of several parsers on one text. A parser whose answer says nothing, because the form is younger than it or
// not in the edition that was asked for, abstains.
import { acorn, babel, jsonc, oxc, tsconfig, typescript, v8 } from "./parsers.mjs";

const NEWEST_EDITION = 2026;
const EDITION_OF_V8 = 2024;
const EDITION_OF_HASHBANG = 2023;
const NEWEST_TYPESCRIPT = "6.0";
const FINISHED = ["explicitResourceManagement"];
/** What only a module has. Without it a module holds nothing that a script does not, but for `<!--` and `-->` as operators. */
const OF_MODULES = /\b(import|export|await|using)\b/;
const COMMENTS_AND_STRINGS = /\/\*[^]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/g;
const PROPOSALS = [...FINISHED, "decorators", "decoratorAutoAccessors", "deferredImportEvaluation", "sourcePhaseImports"];

/** Return a function from a text to the answers of all parsers, by the words of a target such as `2022 module jsx`. */
export function parsersFor(words) {
  const has = (word) => words.includes(word);
  if (has("jsonc") || has("json")) return jsonParsers(has);
  const goals = has("module") ? ["module"] : has("script") ? ["script"] : ["module", "script"];
  const language = ["d.ts", "tsx", "ts"].find(has);
  const version = words.find((word) => /^\d+\.\d+$/.test(word)) ?? NEWEST_TYPESCRIPT;
  const edition = Number(words.find((word) => /^(\d|20\d\d)$/.test(word)) ?? (has("next") ? NEWEST_EDITION + 1 : NEWEST_EDITION));
  const compiler = language === undefined ? null : remembering(typescript(version, language));    // it knows no goals
  const readers = goals.map((goal) => language === undefined
    ? scriptParsers(edition, goal, has("jsx")) : typedParsers(compiler, version, language, goal));
  const read = (text) => {
    // As Node does it: a text is read as a module only for what a script cannot hold.
    const isScript = language === undefined && readers.length > 1 && /<!--|-->/.test(text) && !OF_MODULES.test(text.replace(COMMENTS_AND_STRINGS, " "));
    const asked = isScript ? readers.slice(1) : readers;
    const first = asked[0](text);
    const isSettled = asked.length === 1 || language !== undefined && Object.values(first).every(({ accepts }) => accepts);
    return isSettled ? first : better(first, asked[1](text));
  };
  if (!has("anywhere")) return read;
  // As if around the text were a function in which `return` and `await` may stand; a text that closes it is none.
  const wrappings = [["async function f() {\n", "\n}"], ["(async function () {\n", "\n})"]];
  return (text) => {
    const answers = read(text);
    const refused = Object.values(answers).some(({ accepts, early }) => !accepts && early === null);
    if (!refused || !/return|await/.test(text)) return answers;
    const body = edition < EDITION_OF_HASHBANG ? text : text.replace(/^#!.*/, "");
    const [inside, bracketed] = wrappings.map(([before, after]) => read(`${before}${body}${after}`));
    const closed = Object.values(inside).some(({ accepts }) => accepts) && !Object.values(bracketed).some(({ accepts }) => accepts);
    return closed ? answers : better(answers, inside);
  };
}

function jsonParsers(has) {
  const parsers = { jsonc: jsonc(!has("strict")), ...(has("tsconfig") ? { typescript: tsconfig(NEWEST_TYPESCRIPT) } : {}) };
  return (text) => ask(parsers, text);
}

function scriptParsers(edition, goal, jsx) {
  const next = edition > NEWEST_EDITION;
  const newest = edition >= NEWEST_EDITION;
  const parsers = {
    acorn: acorn(Math.min(edition, NEWEST_EDITION), goal, jsx),
    oxc: oxc(jsx ? "jsx" : "js", goal),
    babel: babel(goal, [...(jsx ? ["jsx"] : []), ...(next ? PROPOSALS : FINISHED)]),
    ...(jsx ? {} : { v8: v8(goal) }),
  };
  const latest = acorn(NEWEST_EDITION, goal, jsx);
  const asV8 = acorn(EDITION_OF_V8, goal, jsx);
  return (text) => {
    const answers = ask(parsers, text);
    if (text.includes("@") || next && /\baccessor\b/.test(text) || next && /\bimport\b.*\b(defer|source)\b/s.test(text)) {    // what no edition has yet
      for (const name of next ? ["acorn", "v8"] : ["oxc"]) delete answers[name];
    }
    if (!newest && !answers.acorn.accepts && latest(text).accepts) return { acorn: answers.acorn };
    if (answers.v8 && !answers.v8.accepts && readsForm(answers.acorn) && !readsForm(asV8(text))) delete answers.v8;
    return answers;
  };
}

/** Whether a parser that answers so knows the forms of a text, whatever it says of names in it. */
function readsForm(answer) {
  return answer !== undefined && (answer.accepts || answer.early !== null);
}

/** A parser that is not asked twice in a row about the same text. */
function remembering(parse) {
  let last, answer;
  return (text) => {
    if (text !== last) [answer, last] = [parse(text), text];
    return answer;
  };
}

function typedParsers(compiler, version, language, goal) {
  const lists = ["decorators-legacy", "explicitResourceManagement"];
  const parsers = {
    typescript: compiler,
    oxc: oxc(language === "d.ts" ? "dts" : language, goal),
    babel: babel(goal, [...lists, ...(language === "tsx" ? ["jsx"] : []), ["typescript", { dts: language === "d.ts" }]]),
  };
  const latest = version === NEWEST_TYPESCRIPT ? null : typescript(NEWEST_TYPESCRIPT, language);
  return (text) => {
    const answers = ask(parsers, text);
    const { typescript: own } = answers;
    if (latest !== null && !own.accepts && latest(text).accepts) return { typescript: own };
    // What the compiler parses, and its checker calls an error of grammar, others call one of syntax.
    for (const answer of Object.values(answers)) {
      if (own.early !== null && !answer.accepts) answer.early ??= own.early;
    }
    return answers;
  };
}

function ask(parsers, text) {
  return Object.fromEntries(Object.entries(parsers).map(([name, parse]) => [name, parse(text)]));
}

/**
 * For each parser the better of two answers: the text is a module or a script. A parser that abstains for one, because
 * the form is younger than it, abstains unless it accepts the other.
 */
function better(first, second) {
  const rank = (answer) => answer === undefined ? 1 : answer.accepts ? 0 : answer.early !== null ? 2 : 3;
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  return Object.fromEntries(names
    .map((name) => [name, rank(second[name]) < rank(first[name]) ? second[name] : first[name]])
    .filter(([, answer]) => answer !== undefined));
}

/**
 * Return one line: `1` if all parsers accept; `0 syntax NAME: MESSAGE` if all refuse, and one of them for its syntax;
 * `0 early NAME (MESSAGE)` if those that refuse do so for an early error; `? split …` if they disagree about syntax.
 */
export function verdict(answers) {
  const entries = Object.entries(answers);
  const accepting = entries.filter(([, { accepts }]) => accepts).map(([name]) => name);
  const refusing = entries.filter(([, { accepts }]) => !accepts);
  if (refusing.length === 0) return "1";
  const syntax = refusing.find(([, { early }]) => early === null);
  if (syntax === undefined) return `0 early ${refusing[0][1].early} (${refusing.map(([name]) => name).join(", ")}: ${refusing[0][1].message})`;
  if (accepting.length === 0) return `0 syntax ${syntax[0]}: ${syntax[1].message}`;
  return `? split: ${accepting.join(", ")} accept; ${syntax[0]}: ${syntax[1].message}`;
}
