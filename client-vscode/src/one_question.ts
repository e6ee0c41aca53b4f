/** A question that may be asked from two places, as that for the installation: it is open once, and an answer counts. */

/** Shows a question and returns its answer; undefined if it was refused. */
export type Show<Answer> = () => PromiseLike<Answer | undefined>;

/** A question of which at most one message or dialog is open. */
export class OneQuestion<Answer> {
  private open: "message" | "dialog" | null = null;
  private isAnswered = false;

  /** Whether a message is open that has told the user all that a dialog would. */
  get isOffered(): boolean {
    return this.open === "message";
  }

  /** Ask a user who wants to be asked in a dialog, however often there was an answer; undefined while one is open. */
  async ask(show: Show<Answer>): Promise<Answer | undefined> {
    return this.shown(show, "dialog");
  }

  /** Ask a user who has not asked for it: not while the question is open, nor after an answer. */
  async offer(show: Show<Answer>): Promise<Answer | undefined> {
    return this.isAnswered ? undefined : this.shown(show, "message");
  }

  private async shown(show: Show<Answer>, kind: "message" | "dialog"): Promise<Answer | undefined> {
    if (this.open !== null) {
      return undefined;
    }
    this.open = kind;
    try {
      return await show();
    } finally {
      this.open = null;
      this.isAnswered = true;
    }
  }
}
