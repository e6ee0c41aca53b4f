import assert from "node:assert/strict";
import { test } from "node:test";
import { Notes } from "../src/notes";

const document = { uri: new URL("file:///main.go") };

test("a note is shown when it has changed, and forgotten with its document", async () => {
  let note: string | null = "The model does not know Go.";
  let changes = 0;
  const notes = new Notes(() => Promise.resolve(note), () => {
    changes += 1;
  });

  await notes.refresh(document);
  await notes.refresh(document);
  assert.deepEqual([notes.of(document), changes], [note, 1]);
  note = null;
  await notes.refresh(document);
  assert.deepEqual([notes.of(document), changes], [null, 2]);
  note = "Again.";
  await notes.refresh(document);
  notes.forget(document);
  assert.equal(notes.of(document), null);
});
