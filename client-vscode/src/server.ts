/** The server process: starting, stopping, and restarting it when it ends unexpectedly. */

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import * as readline from "node:readline";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { delayAfter } from "./backoff";
import { askNote, askWhy, makeClient, suggestionsOf, tellSettings, type Status } from "./client";
import type { Command } from "./command";
import type { Explanation } from "./left_out";
import type { Questions } from "./questions";
import { initializationOptions } from "./settings";
import { type State, stateAfter } from "./state";
import { apartFrom } from "./wrong_settings";

/** Milliseconds that a stopped server has to end before it is killed. */
const PATIENCE = 2_000;

/** Milliseconds that a new server has to answer the first request; the model is loaded later. */
const START_PATIENCE = 60_000;

/** The exit code of a server that has written to stderr, in one sentence, what the user must fix. */
const MISTAKE = 2;

/** The parts of the extension that the server needs. */
export interface Surroundings {
  /** The server's working directory. Python imports from there, so it must not be a workspace. */
  readonly folder: string;
  readonly log: vscode.LogOutputChannel;
  readonly questions: Questions;
  findCommand(): Promise<Command | null>;
  /** Return the environment of a new process. */
  variables(): Promise<NodeJS.ProcessEnv>;
  /** Return a sentence that says why no suggestions are requested in a document, or null if they are. */
  reasonOff(document: vscode.TextDocument): string | null;
}

/** One process with its client. */
interface Session {
  readonly child: ChildProcessWithoutNullStreams;
  readonly client: LanguageClient;
  /** The settings that were last sent to the server. */
  told: Record<string, unknown>;
  /** True once the extension has decided to stop it. */
  ending: boolean;
}

/** Return the current settings for the server. */
function serverOptions(): Record<string, unknown> {
  return initializationOptions(vscode.workspace.getConfiguration("dovetail"));
}

/** At most one running server. */
export class Server implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<State>();
  /** Fires with each new state. */
  readonly onDidChange = this.changed.event;

  private readonly prepared = new vscode.EventEmitter<void>();
  /** Fires when the server has prepared a language, or something else that took it long enough to show it. */
  readonly onDidPrepare = this.prepared.event;

  private current: State = { kind: "idle" };
  private session: Session | null = null;
  private turn: Promise<void> = Promise.resolve();
  private ends: number[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly surroundings: Surroundings) {}

  /** The current state. */
  get state(): State {
    return this.current;
  }

  /** The id of the running process, or null. */
  get pid(): number | null {
    return this.session?.child.pid ?? null;
  }

  /** Return whether a server runs that can be asked. */
  get isRunning(): boolean {
    return this.session?.client.isRunning() === true;
  }

  /** Start the server if none runs. */
  start(): Promise<void> {
    return this.next(async () => {
      if (this.session === null) {
        await this.begin();
      }
    });
  }

  /** Stop the server if one runs, and enter a state. */
  stop(state: State): Promise<void> {
    return this.next(async () => {
      await this.end();
      this.become(state);
    });
  }

  /** Stop the server if one runs, and start another; earlier unexpected ends no longer count. */
  restart(): Promise<void> {
    return this.next(async () => {
      await this.end();
      await this.begin();
    });
  }

  /** Send changed settings to the running server; start the server if it had failed. */
  configure(): Promise<void> {
    return this.next(async () => {
      const session = this.session;
      if (session?.client.isRunning() === true) {
        const options = serverOptions();
        if (JSON.stringify(options) === JSON.stringify(session.told)) {
          return;     // VS Code reports some changes more than once
        }
        // The server reports a new status after another model has been loaded, but not after other changes.
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

  /** Show the step of an installation, which must have been announced by `stop`. */
  install(step: string): void {
    if (this.current.kind === "installing") {
      this.become({ kind: "installing", step });
    }
  }

  /** Return the server's explanation of its last answer in a document, or null if there is none. */
  async why(document: vscode.TextDocument): Promise<Explanation | null> {
    const client = this.session?.client;
    return client?.isRunning() === true ? askWhy(client, document) : null;
  }

  /** Return the server's sentence about a document in a language that its model does not know, or null. */
  async note(document: vscode.TextDocument): Promise<string | null> {
    const client = this.session?.client;
    return client?.isRunning() === true ? askNote(client, document) : null;
  }

  /** Return the suggestions at a position, as VS Code requests them; none if no server runs. */
  async suggestions(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.InlineCompletionItem[]> {
    const client = this.session?.client;
    return client?.isRunning() === true ? suggestionsOf(client, document, position) : [];
  }

  /** Stop the server for good. */
  async dispose(): Promise<void> {
    await this.stop({ kind: "off" });
    this.changed.dispose();
    this.prepared.dispose();
  }

  /** Run actions one after the other: starting a server while another is being stopped would leave two. */
  private next(action: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(action).catch((error: unknown) => {
      this.surroundings.log.error(String(error));
      this.become({ kind: "failed", runs: false, reason: "The server could not be started or stopped because of a bug in the extension. See the log." });
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
      child = spawn(program, words, { cwd: folder, windowsHide: true, env: await this.surroundings.variables() });
      await once(child, "spawn");
    } catch (error) {
      log.error(String(error));
      this.become({
        kind: "failed",
        runs: false,
        reason: `The server's command \`${program}\` could not be run. Correct the setting \`dovetail.server.command\`.`,
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
        prepared: () => this.prepared.fire(),
        reasonOff: (document) => this.surroundings.reasonOff(document),
      }, questions),
    };
    this.session = session;
    let lastLine = "";
    readline.createInterface({ input: child.stderr }).on("line", (line) => {
      lastLine = line;
    });
    child.on("error", (error) => log.error(String(error)));
    child.stdin.on("error", (error) => log.error(String(error)));   // a write to a process that has ended
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

  /** Enter the state that the server reports. */
  private follow(session: Session, { kind, busy, message, mistakes = [], preparing = false }: Status): void {
    if (session.ending || this.session !== session) {
      return;
    }
    if (kind === "Error") {
      if (!(this.current.kind === "failed" && this.current.reason === message)) {
        this.complain(message, apartFrom(mistakes, message));
      }
    } else {
      const state = stateAfter(this.current, { warns: kind === "Warning", busy, message, preparing });
      if (state !== this.current) {
        this.become(state);
      }
    }
  }

  /** Stop the running process, or cancel a planned restart. */
  private async end(): Promise<void> {
    clearTimeout(this.timer);
    this.ends = [];
    const session = this.session;
    this.session = null;
    if (session === null) {
      return;
    }
    session.ending = true;
    this.become({ kind: "stopping" });
    const closed = session.child.exitCode === null && session.child.signalCode === null
      ? once(session.child, "close")
      : Promise.resolve();
    // A client that is not running refuses to be stopped.
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
    this.surroundings.log.error(`The server ended ${cause}.`);
    if (code === MISTAKE && lastLine !== "") {
      this.complain(lastLine);
      return;
    }
    this.ends.push(Date.now());
    const delay = delayAfter(this.ends);
    if (delay === null) {
      this.complain(`The server ended unexpectedly ${this.ends.length} times, the last time ${cause}. It is not restarted any more. Run "Dovetail: Restart the Server" to try again.`);
      return;
    }
    const state: State = { kind: "waiting", reason: `The server ended unexpectedly ${cause}.`, seconds: delay / 1000 };
    this.become(state);
    this.timer = setTimeout(() => void this.start(), delay);
    if (this.ends.length === 1) {
      // One message is enough: the status bar shows the later ends.
      void this.offerLog(vscode.window.showWarningMessage, `Dovetail: ${state.reason} It is being restarted.`);
    }
  }

  /** Enter the state of a failure, and show it in a message, with `said` in the place of the reason. */
  private complain(reason: string, said = reason): void {
    const runs = this.session !== null;
    this.become({ kind: "failed", reason, runs });
    const others = runs ? { "Choose a Model": "dovetail.chooseModel" } : {};
    void this.offerLog(vscode.window.showErrorMessage, `Dovetail: ${said}`, others);
  }

  /** Show a message with a button for the log, after buttons for other commands (title → command). */
  private async offerLog(
    show: (message: string, ...items: string[]) => Thenable<string | undefined>, message: string,
    others: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const chosen = await show(message, ...Object.keys(others), "Show Log");
    if (chosen === "Show Log") {
      this.surroundings.log.show();
    } else if (chosen !== undefined) {
      await vscode.commands.executeCommand(others[chosen] ?? chosen);
    }
  }
}
