import assert from "node:assert/strict";
import { test } from "node:test";
import { OneQuestion } from "../src/one_question";

/** Messages and dialogs that are open until the test answers them. */
class Shown {
  readonly names: string[] = [];
  private readonly answers: ((answer: string | undefined) => void)[] = [];

  show(name: string): () => Promise<string | undefined> {
    return () => {
      this.names.push(name);
      return new Promise((resolve) => this.answers.push(resolve));
    };
  }

  answer(answer: string | undefined): void {
    this.answers.shift()?.(answer);
  }
}

test("a message that is open is known to a command, and no dialog opens beside it", async () => {
  const shown = new Shown();
  const question = new OneQuestion<string>();

  const offered = question.offer(shown.show("message"));
  assert.equal(question.isOffered, true);
  assert.equal(await question.ask(shown.show("dialog")), undefined);
  shown.answer("Install");

  assert.equal(await offered, "Install");
  assert.equal(question.isOffered, false);
  assert.deepEqual(shown.names, ["message"]);
});

test("while a dialog is open, no message opens, and a second command opens no other dialog", async () => {
  const shown = new Shown();
  const question = new OneQuestion<string>();

  const asked = question.ask(shown.show("dialog"));
  assert.equal(question.isOffered, false);
  assert.equal(await question.offer(shown.show("message")), undefined);
  assert.equal(await question.ask(shown.show("second")), undefined);
  shown.answer("Install");

  assert.equal(await asked, "Install");
  assert.deepEqual(shown.names, ["dialog"]);
});

test("after an answer, also a refusal, nothing is offered again; a command may ask again", async () => {
  for (const first of ["message", "dialog"]) {
    const shown = new Shown();
    const question = new OneQuestion<string>();
    const answered = first === "dialog" ? question.ask(shown.show(first)) : question.offer(shown.show(first));
    shown.answer(undefined);
    assert.equal(await answered, undefined);

    assert.equal(await question.offer(shown.show("again")), undefined);
    const asked = question.ask(shown.show("command"));
    shown.answer("Install");

    assert.equal(await asked, "Install");
    assert.deepEqual(shown.names, [first, "command"]);
  }
});

test("a question that could not be shown is not open", async () => {
  const question = new OneQuestion<string>();

  await assert.rejects(question.ask(() => Promise.reject(new Error("closed"))), /closed/);

  assert.equal(question.isOffered, false);
  assert.equal(await question.ask(() => Promise.resolve("Install")), "Install");
});
