// Programs that tests start, and what they wait for; they end with the tests.
import { spawn } from "node:child_process";
import { createServer as createProxy } from "node:http";
import { createServer } from "node:net";

/** Milliseconds to wait for the model on a busy machine. */
export const patience = 180_000;

/** Wait until a condition is true, and return its value; `what` names it in the error. */
export async function until(what, condition) {
  const end = Date.now() + patience;
  for (;;) {
    const value = await condition();
    if (value) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`Waited in vain until ${what}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Return a free port of this machine. */
export function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** The running programs. */
export const started = new Set();

process.once("SIGTERM", () => process.exit(143));
process.once("exit", () => {
  for (const child of started) {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // it has ended in the meantime
    }
  }
});

/** Start a program in a session of its own; return its process and a promise of its output up to "listening on …". */
export function start(program, words, environment) {
  const child = spawn(program, words, { env: environment, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  started.add(child);
  child.once("close", () => started.delete(child));
  let output = "";
  const listening = new Promise((resolve, reject) => {
    const read = (piece) => {
      output += piece;
      if (/listening on.*\n/i.test(output)) {
        resolve(output);
      }
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(`${program} ended:\n${output}`)));
  });
  return { child, listening };
}

/** Start a proxy that refuses every request and records it in `strangers`; return its URL. */
export async function openProxy(strangers) {
  const proxy = createProxy((request, response) => {
    strangers.add(request.url);
    response.writeHead(403).end();
  });
  proxy.on("connect", (request, socket) => {
    strangers.add(request.url);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  proxy.unref();
  return `http://127.0.0.1:${proxy.address().port}`;
}
