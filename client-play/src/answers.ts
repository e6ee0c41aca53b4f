// The questions to the server, and the form of its answers (server/dovetail/play/examination.py).

export interface Language {
  name: string;
  title: string;
  versions: string[];
  version: string | null;
  left: string;
  right: string;
}

export interface Languages {
  languages: Language[];
  start: { language: string; left: string; right: string } | null;
}

export interface ExpectedClass {
  name: string;
  members: { name: string; text: string }[];
}

export interface StackEntry {
  node: number;
  state: number;
  symbol: string;
  items: string[];
  column: number;
}

export interface Stacks {
  stacks: StackEntry[][];
  hidden: number[];
  count: number;
}

export interface AutomatonState {
  number: number;
  symbol: string;
  state: number;
  offset: number;
  column: number;
  terminal: string;
  entry: boolean;
  final: boolean;
}

export interface AutomatonEdge {
  source: number;
  target: number;
  production: string;
  taken: string[];
}

export interface Automaton {
  states: AutomatonState[];
  edges: AutomatonEdge[];
  reached: number;
  total: number;
  run: [number, number][];
  run_length: number;
  run_edges: AutomatonEdge[];
  run_stack: StackEntry[];
  columns: { terminal: string; text: string }[];
}

export interface Crossing {
  name: string;
  taken: string;
  in_progress: boolean;
  fits: boolean;
}

export interface Omission {
  start: number;
  end: number;
  first_line: number;
  last_line: number;
  instead: string;
  unread: boolean;
}

export interface Fault {
  offset: number;
  line: number;
  column: number;
  message: string;
}

export interface Examination {
  viable: boolean;
  accepting: boolean;
  fits: boolean;
  /** True if only a comment or a long string that takes the rest of the cursor's line fits. */
  is_line_wrong: boolean;
  closing: string | null;
  refusal: string | null;
  expected: ExpectedClass[];
  boundary: { pending: string[]; outcome: "none" | "ends" | "goes on" | "falls back"; crossing: Crossing[] };
  stacks: Stacks;
  automaton: Automaton;
  omissions: Omission[];
  faults: Fault[];
}

export interface Trial {
  viable: boolean;
  taken: string;
  refused: string;
  by: "left" | "right" | null;
  accepting: boolean;
  closing: string | null;
  expected: ExpectedClass[];
}

export interface GrammarError {
  grammar_error: string;
}

/** The cursor's place: a language and the two texts around the cursor. */
export interface Place {
  language: string;
  version: string | null;
  left: string;
  right: string;
}

/** Return whether an answer says that the grammar itself is wrong. */
export function isGrammarError(answer: object): answer is GrammarError {
  return "grammar_error" in answer;
}

/** Return the languages that the server offers. */
export async function askLanguages(): Promise<Languages> {
  return await read(await fetch("languages")) as Languages;
}

/** Return what the engine knows of a place; with `everywhere`, the automaton from all its entries. */
export async function askExamination(place: Place, everywhere: boolean): Promise<Examination | GrammarError> {
  return await ask("examine", { ...place, everywhere }) as Examination | GrammarError;
}

/** Return what becomes of a text that is inserted at a place. */
export async function askTrial(place: Place, text: string): Promise<Trial | GrammarError> {
  return await ask("try", { ...place, text }) as Trial | GrammarError;
}

async function ask(question: string, content: object): Promise<unknown> {
  const headers = { "Content-Type": "application/json" };
  return read(await fetch(question, { method: "POST", headers, body: JSON.stringify(content) }));
}

/** Return an answer's JSON; throw an error with the server's sentence if it refused. */
async function read(response: Response): Promise<unknown> {
  if (!response.ok) {
    throw new Error((await response.text()).trim());
  }
  return response.json();
}
