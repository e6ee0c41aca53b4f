/** A question that may be asked from two places, as that for the installation: it is open once, and an answer counts. */

/** Shows a question and returns its answer; undefined if it was refused. */
export type Show<Answer> = () => PromiseLike<Answer | undefined>;

/** A question of which at most one message or dialog is open. */
export class OneQuestion<Answer> {
  private reveal: (() => void) | null = null;
  private isAnswered = false;

  /** Bring an open message back to the user's eyes; return whether the question is open. */
  revealed(): boolean {
    this.reveal?.();
    return this.reveal !== null;
  }

  /**
   * Ask a user who wants to be asked, however often there was an answer. While the question is open elsewhere, that is
   * revealed, and nothing is returned as if it was refused: the answer is given there. `reveal` brings this one back.
   */
  async ask(show: Show<Answer>, reveal: () => void = () => undefined): Promise<Answer | undefined> {
    if (this.revealed()) {
      return undefined;
    }
    this.reveal = reveal;
    try {
      return await show();
    } finally {
      this.reveal = null;
      this.isAnswered = true;
    }
  }

  /** Ask a user who has not asked for it: not while the question is open, nor after an answer. */
  async offer(show: Show<Answer>, reveal: () => void): Promise<Answer | undefined> {
    return this.isAnswered || this.reveal !== null ? undefined : this.ask(show, reveal);
  }
}
