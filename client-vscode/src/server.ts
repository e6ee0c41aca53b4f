/** The server: one process after the other, started, stopped, and started again where it ended by itself. */

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import * as readline from "node:readline";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { delayAfter } from "./backoff";
import { askWhy, makeClient, suggestionsOf, tellSettings, type Status } from "./client";
import type { Command } from "./command";
import type { Questions } from "./questions";
import { initializationOptions } from "./settings";
import type { State } from "./state";

/** Milliseconds that a server has to end in when it is stopped. */
const PATIENCE = 2_000;

/** Milliseconds that a server has to answer in when it is started; the model is loaded later. */
const START_PATIENCE = 60_000;

/** The exit code of a server that names, in one sentence on stderr, what the user has to mend. */
const MISTAKE = 2;

/** What the server needs from the extension. */
export interface Surroundings {
  /** A folder of the extension's own. The server runs there: Python imports from where it runs, so never in a workspace. */
  readonly folder: string;
  readonly log: vscode.LogOutputChannel;
  readonly questions: Questions;
  findCommand(): Promise<Command | null>;
  isAsked(document: vscode.TextDocument): boolean;
}

/** One process with its client. */
interface Session {
  readonly child: ChildProcessWithoutNullStreams;
  readonly client: LanguageClient;
  /** The settings that the server was told last. */
  told: Record<string, unknown>;
  /** Whether its end is wanted. */
  ending: boolean;
}

/** Return the settings for the server, as they are now. */
function serverOptions(): Record<string, unknown> {
  return initializationOptions(vscode.workspace.getConfiguration("dovetail"));
}

/** Keeps at most one server running. */
export class Server implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<State>();
  /** Tells of each new state. */
  readonly onDidChange = this.changed.event;

  private current: State = { kind: "idle" };
  private session: Session | null = null;
  private turn: Promise<void> = Promise.resolve();
  private ends: number[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly surroundings: Surroundings) {}

  /** What the server does now. */
  get state(): State {
    return this.current;
  }

  /** The id of the running process, or null. */
  get pid(): number | null {
    return this.session?.child.pid ?? null;
  }

  /** Start the server if none runs. */
  start(): Promise<void> {
    return this.next(async () => {
      if (this.session === null) {
        await this.begin();
      }
    });
  }

  /** End the server if one runs, and be in a state. */
  stop(state: State): Promise<void> {
    return this.next(async () => {
      await this.end();
      this.become(state);
    });
  }

  /** End the server if one runs, and start another; what ended before is forgotten. */
  restart(): Promise<void> {
    return this.next(async () => {
      await this.end();
      await this.begin();
    });
  }

  /** Tell the running server of changed settings; one that was left alone is tried again with them. */
  configure(): Promise<void> {
    return this.next(async () => {
      const session = this.session;
      if (session?.client.isRunning() === true) {
        const options = serverOptions();
        if (JSON.stringify(options) === JSON.stringify(session.told)) {
          return;     // VS Code tells of some changes more than once
        }
        // Of another model the server tells how it fares; of other settings nothing, where its status stays the same.
        if (options.model !== session.told.model) {
          this.become({ kind: "loading" });
        }
        session.told = options;
        await tellSettings(session.client, options);
      } else if (this.current.kind === "failed") {
        await this.end();
        await this.begin();
      }
    });
  }

  /** Ask the running server why it suggested nothing in a document; null if none runs or it cannot say. */
  async why(document: vscode.TextDocument): Promise<string | null> {
    const client = this.session?.client;
    return client?.isRunning() === true ? askWhy(client, document) : null;
  }

  /** Return what the running server suggests at a place, as VS Code asks for it; nothing if none runs. */
  async suggestions(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.InlineCompletionItem[]> {
    const client = this.session?.client;
    return client?.isRunning() === true ? suggestionsOf(client, document, position) : [];
  }

  /** End the server when the extension goes. */
  async dispose(): Promise<void> {
    await this.stop({ kind: "off" });
    this.changed.dispose();
  }

  /** Do one thing after the other: to start a server while another is being stopped would leave two. */
  private next(action: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(action).catch((error: unknown) => {
      this.surroundings.log.error(String(error));
      this.become({ kind: "failed", reason: "The server could not be handled because of a defect; the log says more." });
    });
    return this.turn;
  }

  private become(state: State): void {
    this.current = state;
    this.changed.fire(state);
  }

  private async begin(): Promise<void> {
    clearTimeout(this.timer);
    const { log, folder } = this.surroundings;
    const command = await this.surroundings.findCommand();
    if (command === null) {
      this.become({ kind: "missing" });
      return;
    }
    this.become({ kind: "starting" });
    log.info(`Starting: ${command.join(" ")}`);
    const [program, ...words] = command;
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(program, words, { cwd: folder, windowsHide: true });
      await once(child, "spawn");
    } catch (error) {
      log.error(String(error));
      this.become({
        kind: "failed",
        reason: `The server's command \`${program}\` could not be run: mend the setting \`dovetail.server.command\`.`,
      });
      return;
    }
    await this.converse(child);
  }

  private async converse(child: ChildProcessWithoutNullStreams): Promise<void> {
    const { log, questions } = this.surroundings;
    const told = serverOptions();
    const session: Session = {
      child,
      told,
      ending: false,
      client: makeClient(() => Promise.resolve(child), told, log, {
        status: (status) => this.follow(session, status),
        complained: (sentence) => {
          if (this.current.kind === "ready") {
            void this.offerLog(vscode.window.showErrorMessage, `Dovetail: ${sentence}`);
          } else {
            this.complain(sentence);
          }
        },
        isAsked: (document) => this.surroundings.isAsked(document),
      }, questions),
    };
    this.session = session;
    let lastLine = "";
    readline.createInterface({ input: child.stderr }).on("line", (line) => {
      lastLine = line;
    });
    child.on("error", (error) => log.error(String(error)));
    child.stdin.on("error", (error) => log.error(String(error)));   // what is written to a process that has ended
    child.once("close", (code, signal) => this.ended(session, code, signal, lastLine));
    const giveUp = setTimeout(() => child.kill("SIGKILL"), START_PATIENCE);
    try {
      await session.client.start();
    } catch (error) {
      log.error(String(error));
      child.kill();
      return;
    } finally {
      clearTimeout(giveUp);
    }
  }

  /** Take the server's own word for what it does. */
  private follow(session: Session, { kind, busy, message }: Status): void {
    if (session.ending || this.session !== session) {
      return;
    }
    if (kind === "Error") {
      if (!(this.current.kind === "failed" && this.current.reason === message)) {
        this.complain(message);
      }
    } else if (!busy) {
      this.become({ kind: "ready", says: message, warns: kind === "Warning" });
    } else if (this.current.kind !== "ready") {
      this.become({ kind: "loading" });
    }
  }

  /** End the running process, or stop waiting for the next. */
  private async end(): Promise<void> {
    clearTimeout(this.timer);
    this.ends = [];
    const session = this.session;
    this.session = null;
    if (session === null) {
      return;
    }
    session.ending = true;
    const closed = session.child.exitCode === null && session.child.signalCode === null
      ? once(session.child, "close")
      : Promise.resolve();
    // A client that is not running yet or no more refuses to be stopped.
    await session.client.dispose(PATIENCE).catch((error: unknown) => this.surroundings.log.info(String(error)));
    const killing = setTimeout(() => session.child.kill("SIGKILL"), PATIENCE);
    await closed;
    clearTimeout(killing);
  }

  private ended(session: Session, code: number | null, signal: string | null, lastLine: string): void {
    if (session.ending || this.session !== session) {
      return;
    }
    this.session = null;
    void session.client.dispose().catch(() => undefined);
    const cause = code === null ? `by ${signal ?? "a signal"}` : `with exit code ${code}`;
    this.surroundings.log.error(`The server was ended ${cause}.`);
    if (code === MISTAKE && lastLine !== "") {
      this.complain(lastLine);
      return;
    }
    this.ends.push(Date.now());
    const delay = delayAfter(this.ends);
    if (delay === null) {
      this.complain(`The server ended by itself ${this.ends.length} times, at last ${cause}, and is left alone now.`);
      return;
    }
    const state: State = { kind: "waiting", reason: `The server ended by itself, ${cause}.`, seconds: delay / 1000 };
    this.become(state);
    this.timer = setTimeout(() => void this.start(), delay);
    if (this.ends.length === 1) {
      // Later ends of the same trouble are for the status bar; a message for each would be in the way.
      void this.offerLog(vscode.window.showWarningMessage, `Dovetail: ${state.reason} It is started again.`);
    }
  }

  private complain(reason: string): void {
    this.become({ kind: "failed", reason });
    void this.offerLog(vscode.window.showErrorMessage, `Dovetail: ${reason}`);
  }

  private async offerLog(
    show: (message: string, ...items: string[]) => Thenable<string | undefined>, message: string,
  ): Promise<void> {
    if (await show(message, "Show Log") === "Show Log") {
      this.surroundings.log.show();
    }
  }
}
