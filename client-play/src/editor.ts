// The editor: CodeMirror with the two contexts tinted, the mistakes underlined, and the left-out parts struck through.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import type { Range, Text } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLineGutter, keymap, lineNumbers, ViewPlugin } from "@codemirror/view";
import type { DecorationSet, ViewUpdate } from "@codemirror/view";
import type { Fault, Omission } from "./answers";

interface Remarks {
  faults: readonly Fault[];
  omissions: readonly Omission[];
}

const setRemarks = StateEffect.define<Remarks>();

const remarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let after = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setRemarks)) {
        after = Decoration.set(decorate(effect.value, transaction.newDoc), true);
      }
    }
    return after;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorate({ faults, omissions }: Remarks, text: Text): Range<Decoration>[] {
  const found: Range<Decoration>[] = [];
  for (const { start, end, unread } of omissions) {
    if (start < end && end <= text.length) {
      found.push(Decoration.mark({ class: unread ? "cm-unread" : "cm-left-out" }).range(start, end));
    }
  }
  for (const { offset, message } of faults) {
    // A mistake at the end of a line or of the text is shown under the character before it.
    const line = text.lineAt(Math.min(offset, text.length));
    const start = offset < line.to ? offset : Math.max(line.from, line.to - 1);
    const end = Math.min(start + 1, line.to);
    if (start < end) {
      found.push(Decoration.mark({ class: "cm-fault", attributes: { title: message } }).range(start, end));
    }
  }
  return found;
}

const LEFT = Decoration.mark({ class: "cm-left-context" });
const RIGHT = Decoration.mark({ class: "cm-right-context" });

/** Tints what stands before the cursor and what stands after it. */
const contexts = ViewPlugin.fromClass(class {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = tint(view);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged || update.selectionSet) {
      this.decorations = tint(update.view);
    }
  }
}, { decorations: (plugin) => plugin.decorations });

function tint({ state }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const { head } = state.selection.main;
  if (head > 0) {
    builder.add(0, head, LEFT);
  }
  if (head < state.doc.length) {
    builder.add(head, state.doc.length, RIGHT);
  }
  return builder.finish();
}

export class Editor {
  private readonly view: EditorView;

  /** `changed` is called after every change of the text or of the cursor's place, `close` for Ctrl-Enter. */
  constructor(parent: HTMLElement, nonce: string, changed: () => void, close: () => void) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          lineNumbers(), highlightActiveLineGutter(), drawSelection(), history(), remarks, contexts,
          EditorView.cspNonce.of(nonce),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": "Program text", spellcheck: "false" }),
          EditorState.tabSize.of(8),
          keymap.of([{ key: "Mod-Enter", run: () => (close(), true) }, ...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged || update.selectionSet) {
              changed();
            }
          }),
        ],
      }),
    });
  }

  /** The texts before and after the cursor. */
  get contexts(): { left: string; right: string } {
    const { doc, selection } = this.view.state;
    return { left: doc.sliceString(0, selection.main.head), right: doc.sliceString(selection.main.head) };
  }

  /** Replace the whole text. */
  show(left: string, right: string): void {
    const { doc } = this.view.state;
    // The text is set first, because the editor may write line ends otherwise than they came.
    this.view.dispatch({ changes: { from: 0, to: doc.length, insert: left + right } });
    this.view.dispatch({ selection: { anchor: this.view.state.toText(left).length }, scrollIntoView: true });
  }

  /** Insert a text at the cursor, and put the cursor after it. */
  insert(text: string): void {
    const { head } = this.view.state.selection.main;
    const inserted = this.view.state.toText(text);
    this.view.dispatch({
      changes: { from: head, insert: inserted }, selection: { anchor: head + inserted.length }, scrollIntoView: true,
      userEvent: "input",
    });
    this.view.focus();
  }

  /** Put the cursor at an offset. */
  goTo(offset: number): void {
    this.view.dispatch({ selection: { anchor: Math.min(offset, this.view.state.doc.length) }, scrollIntoView: true });
    this.view.focus();
  }

  /** Mark mistakes and what was left out. */
  remark(faults: readonly Fault[], omissions: readonly Omission[]): void {
    this.view.dispatch({ effects: setRemarks.of({ faults, omissions }) });
  }

  focus(): void {
    this.view.focus();
  }
}
