// The page of `dovetail play`: it asks the server after every change, and shows the newest answer.
import type { Examination, Language, Place } from "./answers";
import { askExamination, askLanguages, askTrial, isGrammarError } from "./answers";
import { drawAutomaton, runInWords } from "./automaton";
import { Editor } from "./editor";
import { code, element, part } from "./elements";
import { expected, mistakes, seam, trial, verdict } from "./panels";
import { Readings } from "./readings";
import { showStack, showStacks } from "./stacks";

const languageChoice = part("language", HTMLSelectElement);
const versionChoice = part("version", HTMLSelectElement);
const everywhere = part("everywhere", HTMLInputElement);
const tried = part("tried", HTMLInputElement);
const verdictLine = part("verdict", HTMLElement);

let languages: Language[] = [];
let closing: string | null = null;

let busy = 0;     // questions that are not answered yet

/** Runs one question at a time; what is asked meanwhile is asked once after it. */
class Asking {
  private running = false;
  private again = false;

  constructor(private readonly ask: () => Promise<void>) {}

  start(): void {
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = true;
    busy += 1;
    document.body.dataset.busy = "true";
    this.ask().catch((error: unknown) => {
      showError(error instanceof TypeError ? "The server is gone: run dovetail play again." : String(error).replace(/^Error: /, ""));
    }).finally(() => {
      this.running = false;
      busy -= 1;
      if (this.again) {
        this.again = false;
        this.start();
      }
      document.body.dataset.busy = String(busy > 0);
    });
  }
}

const readings = new Readings();

const examining = new Asking(async () => {
  const place = here();
  const reading = readings.sentence(place, languageChoice.selectedOptions[0]?.text ?? place.language);
  if (reading !== null) {
    verdictLine.className = "";
    verdictLine.replaceChildren(reading);
  }
  const answer = await askExamination(place, everywhere.checked);
  readings.answered(place);
  const now = here();
  if (now.left !== place.left || now.right !== place.right || now.language !== place.language) {
    return;     // an answer for the newer text is on its way
  }
  if (isGrammarError(answer)) {
    showError(answer.grammar_error);
  } else {
    showExamination(answer, place);
  }
});

const trying = new Asking(async () => {
  const contents = part("trial", HTMLElement);
  if (tried.value === "") {
    contents.replaceChildren();
    return;
  }
  // What a text field cannot hold is written as in most languages.
  const text = tried.value.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
  const answer = await askTrial(here(), text);
  contents.replaceChildren(...(isGrammarError(answer) ? [] : trial(answer)));
});

const editor = new Editor(
  part("editor", HTMLElement), document.querySelector<HTMLMetaElement>("meta[name=style-nonce]")?.content ?? "",
  changed, () => closing !== null && editor.insert(closing));

const actions = { insert: (text: string) => editor.insert(text), goTo: (offset: number) => editor.goTo(offset) };

function changed(): void {
  closing = null;
  examining.start();
  trying.start();
}

function here(): Place {
  return { language: languageChoice.value, version: versionChoice.value || null, ...editor.contexts };
}

function showExamination(answer: Examination, place: Place): void {
  closing = answer.closing;
  const { kind, contents } = verdict(answer, actions);
  verdictLine.className = kind;
  verdictLine.replaceChildren(...contents);
  editor.remark(answer.faults, answer.omissions);
  part("mistakes", HTMLElement).replaceChildren(...mistakes(answer, actions));
  part("expected", HTMLElement).replaceChildren(...expected(answer.expected, actions.insert));
  part("seam", HTMLElement).replaceChildren(...seam(answer, place.left, place.right));
  showMeeting(answer, place);
}

/** Show the stacks and the automaton, and how the one is read by the other. */
function showMeeting(answer: Examination, place: Place): void {
  const { automaton } = answer;
  const marks = new Map<number, number[]>();
  for (const [state, node] of automaton.run) {
    marks.set(node, [...marks.get(node) ?? [], state]);
  }
  const stacks = part("stacks", HTMLElement);
  stacks.replaceChildren(...showStacks(answer.stacks, answer.boundary.pending));
  if (answer.stacks.count === 0) {
    stacks.append(element("p", { class: "note" }, "No parse of the text before the cursor is alive."));
  }
  if (automaton.run.length > 0) {
    const inserted = answer.closing === null || answer.closing === ""
      ? ["As the automaton reads it, the lexemes at the cursor ended:"]
      : ["As the automaton reads it after the shortest closing ", code(answer.closing, 40), ":"];
    stacks.append(element("p", {}, ...inserted), showStack(automaton.run_stack, marks, automaton.run_length > automaton.run.length ? "…" : ""));
  }
  const svg = drawAutomaton(automaton);
  const [drawn, total] = [automaton.states.length, automaton.total.toLocaleString("en")];
  part("cut", HTMLElement).textContent = drawn < automaton.reached
    ? `${drawn} of ${total} states are drawn: those of the run, and those nearest to the entries.`
    : drawn < automaton.total ? `${drawn} of ${total} states are drawn: those that it comes to on this stack.` : "";
  const note = place.right === ""
    ? "Nothing stands after the cursor, so the parser itself decides where the text may end."
    : "No text makes the automaton accept from here.";
  part("automaton", HTMLElement).replaceChildren(...(svg === null ? [element("p", { class: "note" }, "The text after the cursor ends no program, so there is no automaton.")] : [svg]));
  part("run", HTMLElement).replaceChildren(runInWords(automaton) ?? element("p", { class: "note" }, note));
}

function showError(message: string): void {
  verdictLine.className = "bad";
  verdictLine.replaceChildren(element("strong", {}, message));
}

function chooseLanguage(text: { left: string; right: string } | null): void {
  const language = languages[languageChoice.selectedIndex];
  if (language === undefined) {
    return;
  }
  versionChoice.replaceChildren(...language.versions.map((version) => element("option", {}, version)));
  versionChoice.value = language.version ?? "";
  part("versions", HTMLElement).hidden = language.versions.length === 0;
  const { left, right } = text ?? language;
  editor.show(left, right);
  changed();
}

async function begin(): Promise<void> {
  const offered = await askLanguages();
  ({ languages } = offered);
  languageChoice.replaceChildren(...languages.map(({ name, title }) => element("option", { value: name }, title)));
  languageChoice.addEventListener("change", () => chooseLanguage(null));
  versionChoice.addEventListener("change", changed);
  everywhere.addEventListener("change", () => examining.start());
  tried.addEventListener("input", () => trying.start());
  // A grammar may have been changed in another window.
  window.addEventListener("focus", changed);
  if (offered.start !== null) {
    languageChoice.value = offered.start.language;
  }
  chooseLanguage(offered.start);
  editor.focus();
}

begin().catch((error: unknown) => showError(String(error)));
