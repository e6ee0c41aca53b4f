/** Tests inside the extension host, one after the other: there is no test runner of Node's there. */

/** A test: what it promises, and what it does. */
export type Case = readonly [promise: string, action: () => Promise<void>];

/** Milliseconds for what is waited for, on a busy machine. */
const PATIENCE = 180_000;

/** Run all tests, also after one that fails, and throw if one did. */
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

/** Wait until something holds, and return it; `what` says what is waited for. */
export async function until<Value>(what: string, condition: () => Value | Promise<Value>): Promise<NonNullable<Value>> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const value = await condition();
    if (value) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`It did not come to this: ${what}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
