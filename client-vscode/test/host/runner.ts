/** A test runner for the extension host, where Node's runner is not available. */

/** A test: its promise and its action. */
export type Case = readonly [promise: string, action: () => Promise<void>];

/** Milliseconds to wait for a condition on a busy machine. */
const PATIENCE = 180_000;

/** Run all tests in order, and throw at the end if one has failed. */
export async function runAll(cases: readonly Case[]): Promise<void> {
  const failed: string[] = [];
  for (const [promise, action] of cases) {
    const begun = Date.now();
    try {
      await action();
      console.log(`ok: ${promise} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    } catch (error) {
      console.log(`FAILED: ${promise}\n${error instanceof Error ? error.stack ?? error.message : String(error)}`);
      failed.push(promise);
    }
  }
  if (failed.length > 0) {
    throw new Error(`${failed.length} of ${cases.length} tests failed.`);
  }
}

/** Wait until a condition is true, and return its value; `what` names it in the error. */
export async function until<Value>(what: string, condition: () => Value | Promise<Value>): Promise<NonNullable<Value>> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const value = await condition();
    if (value) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`Waited in vain until ${what}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
