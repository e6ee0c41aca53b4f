/** The entry points of the extension, which VS Code calls. */

import { mkdir } from "node:fs/promises";
import * as vscode from "vscode";
import { requestByHand } from "./by_hand";
import { findCommand, type Command } from "./command";
import { Environment } from "./environment";
import { FaintLines } from "./faint_lines";
import { install, installTorch, isOutdated, offerInstallation, offerUpdate, type Consent } from "./installation";
import type { Explanation, Lines } from "./left_out";
import { Lock } from "./lock";
import { showMenu, titleHere } from "./menu";
import { chooseModel } from "./model";
import { Notes } from "./notes";
import { OneQuestion } from "./one_question";
import { Questions } from "./questions";
import { whyNone, whyOff } from "./reasons";
import { Server } from "./server";
import { commandOf, languagesOf, languagesOn, RESTARTING_SETTINGS, SERVER_SETTINGS } from "./settings";
import { hasRecovered, lacksModel, sentence, type Appearance, type State } from "./state";
import { StatusBar } from "./status_bar";
import { Switches } from "./switches";
import { hostOf, withKey } from "./team_key";
import { askForKey } from "./team_key_question";
import { sentenceAbout, unknownSettings } from "./unknown_settings";
import { mistakesIn, mistakesInLanguages, type Declared } from "./wrong_settings";

/** The extension's interface for tests that run in the extension host. */
export interface Face {
  state(): State;
  serverPid(): number | null;
  /** The present look of the status bar item. */
  shown(): Appearance;
  why(document: vscode.TextDocument): Promise<string>;
  /** The lines of a document that are drawn faintly, because the server left them out. */
  faint(document: vscode.TextDocument): readonly Lines[];
  /** The suggestions that VS Code gets while the user types. */
  suggestions(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.InlineCompletionItem[]>;
}

/** The URI scheme of the cells of a notebook. */
const CELL = "vscode-notebook-cell";

let server: Server | undefined;

/** Register the commands and the status bar item, and start the server as soon as a visible document needs it. */
export async function activate(context: vscode.ExtensionContext): Promise<Face> {
  const folder = context.globalStorageUri.fsPath;
  await mkdir(folder, { recursive: true });
  const log = vscode.window.createOutputChannel("Dovetail", { log: true });
  const environment = new Environment(folder);
  const questions = new Questions((uri) => {
    if (openAtRecovery === uri) {
      openAtRecovery = null;
      requestAgain();
    }
  });
  const switches = new Switches();
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("dovetail");
  const declared = settingsOf(context.extension.packageJSON as Manifest);
  const ofServer: readonly string[] = SERVER_SETTINGS;
  const own = Object.fromEntries(Object.entries(declared).filter(([name]) => !ofServer.includes(name)));
  let editorLanguages: readonly string[] = await vscode.languages.getLanguages();
  // The server finds the mistakes in its own settings.
  const mistakes = (): string[] => {
    const known = Object.keys(declared);
    const unknown = unknownSettings(vscode.workspace.getConfiguration().get("dovetail"), known);
    return [
      ...unknown.map((name) => sentenceAbout(name, known)), ...mistakesIn(settings(), own),
      ...mistakesInLanguages(settings(), editorLanguages),
    ];
  };

  const reasonOff = (document: vscode.TextDocument): string | null => whyOff({
    language: document.languageId,
    title: () => titleHere(document.languageId),
    scheme: document.uri.scheme,
    languagesOn: languagesOf(settings()),
    languagesKnown: languagesOn(settings().inspect("languages")?.defaultValue),
    turnedOff: switches.isOff(document),
    editorShows: vscode.workspace.getConfiguration("editor", document).get("inlineSuggest.enabled") !== false,
  });
  const commandNow = (): Promise<Command | null> =>
    findCommand(commandOf(settings().get("server.command")), environment, process.env);
  const running = server = new Server({
    folder,
    log,
    questions,
    findCommand: commandNow,
    variables: () => withKey(process.env, hostOf(settings().get("team.host")), context.secrets),
    reasonOff,
  });
  const faint = new FaintLines();
  context.subscriptions.push(faint);
  const why = async (document: vscode.TextDocument): Promise<Explanation> => {
    const off = reasonOff(document);
    const said = off === null && running.state.kind === "ready" ? await running.why(document) : null;
    faint.show(document, said?.leftOut ?? []);
    const message = whyNone(running.state, off, questions.of(document.uri.toString()));
    const answer = said ?? { message, leftOut: [], otherModel: false };
    return { ...answer, message: [answer.message, ...mistakes()].join(" ") };
  };

  const startIfWanted = (): void => {
    const wanted = looked().some((document) => reasonOff(document) === null);
    if (running.state.kind === "idle" && wanted) {
      void running.start();
    }
  };
  const follow = async (): Promise<void> => {
    if (running.state.kind === "installing") {
      return;      // called again at the end of the installation
    }
    if (settings().get("enabled") !== false) {
      await running.stop({ kind: "idle" });
      startIfWanted();
    } else {
      await running.stop({ kind: "off" });
    }
  };
  const wanted = (): string => JSON.stringify(RESTARTING_SETTINGS.map((name) => settings().get(name)));
  let followed = wanted();
  const consent = new OneQuestion<Consent>();
  const place = { context, environment, lock: new Lock(folder), server: running, log, follow, consent };
  const isOwn = (): boolean => commandOf(settings().get("server.command")) === null;
  const offerTorch = async (): Promise<void> => {
    if (isOwn() && await environment.installed() !== null && !await environment.hasTorch()) {
      await installTorch(place);
    }
  };

  // A user who waits for a suggestion gets it without pressing another key. The answer that the model's process could
  // not give may arrive before or after the news that the process was restarted.
  let openAtRecovery: string | null = null;
  const requestAgain = (): void => {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || reasonOff(editor.document) !== null) {
      return;
    }
    const uri = editor.document.uri.toString();
    if (questions.of(uri)?.outcome.kind === "open") {
      openAtRecovery = uri;
    } else if (questions.isWaitedFor(uri, editor.selection.active, settings().get("trigger") === "manual")) {
      void vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
    }
  };

  const named = new Set<string>();
  const nameMistakes = (): void => {
    const found = mistakes();
    for (const sentence of found.filter((sentence) => !named.has(sentence))) {
      void offerSettings(`Dovetail: ${sentence}`);
    }
    named.clear();
    found.forEach((sentence) => named.add(sentence));
  };

  const notes = new Notes<vscode.TextDocument>((document) => running.note(document), () => bar.show());
  const bar = new StatusBar(() => running.state, (document) => reasonOff(document) ?? notes.of(document), mistakes);
  const look = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined && running.state.kind === "ready" && reasonOff(document) === null) {
      void notes.refresh(document);
    }
    bar.show();
  };
  let before = running.state;
  context.subscriptions.push(
    log,
    bar,
    running.onDidChange((state) => {
      look();
      if (hasRecovered(before, state)) {
        requestAgain();
      }
      before = state;
      void vscode.commands.executeCommand("setContext", "dovetail.serverFound",
        state.kind === "loading" || state.kind === "ready");
      if (state.kind === "missing") {
        void offerInstallation(place);
      }
    }),
    // Whoever opened the palette meanwhile has taken back the request that was waiting.
    running.onDidPrepare(() => {
      const editor = vscode.window.activeTextEditor;
      if (editor !== undefined && questions.isWaitedFor(editor.document.uri.toString(), editor.selection.active, true)) {
        requestAgain();
      }
    }),
    switches.onDidChange(() => bar.show()),
    vscode.window.onDidChangeActiveTextEditor(look),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges: [change, ...others] }) => {
      // A server that starts, or starts anew, is asked for what was typed meanwhile.
      const isTyped = change !== undefined && others.length === 0 && document === vscode.window.activeTextEditor?.document;
      if (isTyped && !running.isRunning) {
        questions.miss(document.uri.toString(), change.range.start, change.text);
      }
    }),
    vscode.workspace.onDidOpenTextDocument(() => {
      startIfWanted();
      look();      // a document whose language has changed is closed and opened
    }),
    vscode.window.onDidChangeVisibleTextEditors(startIfWanted),
    vscode.workspace.onDidCloseTextDocument((document) => {
      questions.forget(document.uri.toString());
      switches.forget(document);
      notes.forget(document);
    }),
    vscode.extensions.onDidChange(async () => {
      editorLanguages = await vscode.languages.getLanguages();
      bar.show();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void follow()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      bar.show();
      if (event.affectsConfiguration("dovetail")) {
        tellLanguages();
        nameMistakes();
      }
      if (RESTARTING_SETTINGS.some((name) => event.affectsConfiguration(`dovetail.${name}`))) {
        if (wanted() !== followed) {      // VS Code reports some changes more than once
          followed = wanted();
          void follow();
        }
      } else if (SERVER_SETTINGS.some((name) => event.affectsConfiguration(`dovetail.${name}`))) {
        void running.configure();
      }
    }),
  );
  // The key that requests by hand runs `suggestHere` where VS Code asks no provider of ours: in other languages, and
  // everywhere while suggestions are turned off.
  const tellLanguages = (): void => {
    const on = settings().get("enabled") === false ? [] : languagesOf(settings());
    void vscode.commands.executeCommand("setContext", "dovetail.languages", on);
  };
  const suggestHere = async (): Promise<void> => {
    const document = vscode.window.activeTextEditor?.document;
    const off = running.state.kind === "off" ? sentence(running.state) : null;
    await requestByHand(document === undefined ? null : off ?? reasonOff(document));
  };
  const suggestNow = async (): Promise<void> => {
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
    await suggestHere();
  };
  const commands: Record<string, () => unknown> = {
    suggestHere,
    suggestNow,
    setTeamKey: async () => {
      if (await askForKey(context.secrets)) {
        await follow();
      }
    },
    toggle: () => switches.toggle(),
    toggleLanguage: () => switches.toggleLanguage(),
    toggleDocument: () => switches.toggleDocument(),
    whyNoSuggestion: async () => {
      const document = vscode.window.activeTextEditor?.document;
      const answer = document === undefined ? null : await why(document);
      // VS Code shows a message with a button in full, and cuts one without.
      const ask = running.state.kind === "ready" && document !== undefined && reasonOff(document) === null;
      void offerRemedies(`Dovetail: ${answer?.message ?? "No document is open."}`,
        [...(answer?.otherModel === true || lacksModel(running.state) ? ["Choose a Model"] as const : []), ask ? "Suggest Now" : "Settings"]);
    },
    chooseModel: () => chooseModel({ folder, log, findCommand: commandNow, offerTorch }),
    restart: () => running.state.kind === "installing" ? undefined : running.restart(),
    installServer: () => install(place, { agreed: false }),
    installTorch: () => installTorch(place),
    showLog: () => log.show(),
    updateServer: () => offerUpdate(place),
    showMenu: async () => showMenu(running.state, bar.says(), switches, isOwn() && await isOutdated(place)),
  };
  for (const [name, action] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(`dovetail.${name}`, action));
  }
  bar.show();
  tellLanguages();
  nameMistakes();
  void follow();
  if (isOwn()) {
    void offerUpdate(place);
  }
  return {
    state: () => running.state,
    serverPid: () => running.pid,
    shown: () => bar.appearance(),
    why: async (document) => (await why(document)).message,
    faint: (document) => faint.of(document),
    suggestions: (document, position) => running.suggestions(document, position),
  };
}

/** Return the visible documents. Extensions open others in the background, for example every `package.json`. */
function looked(): vscode.TextDocument[] {
  const cells = vscode.workspace.textDocuments.filter((document) => document.uri.scheme === CELL);
  return [...vscode.window.visibleTextEditors.map((editor) => editor.document), ...cells];
}

/** The part of the manifest that declares settings. */
interface Manifest {
  readonly contributes: { readonly configuration: readonly { readonly properties: Record<string, Declared> }[] };
}

/** Return the settings that a manifest declares, by their names without the extension's own. */
function settingsOf(manifest: Manifest): Record<string, Declared> {
  const declared = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  return Object.fromEntries(declared.map(([name, form]) => [name.replace(/^dovetail\./, ""), form]));
}

/** Show a warning about a setting, with a button that opens the file in which it is written. */
async function offerSettings(message: string): Promise<void> {
  if (await vscode.window.showWarningMessage(message, "Settings") === "Settings") {
    await vscode.commands.executeCommand("workbench.action.openSettingsJson");
  }
}

/** Stop the server together with the extension. */
export async function deactivate(): Promise<void> {
  await server?.dispose();
}

/** Show a message with buttons: request suggestions by hand, choose another model, or open the settings. */
async function offerRemedies(
  message: string, remedies: readonly ("Suggest Now" | "Choose a Model" | "Settings")[],
): Promise<void> {
  const taken = await vscode.window.showInformationMessage(message, ...remedies);
  if (taken === "Settings") {
    await vscode.commands.executeCommand("workbench.action.openSettings", "dovetail");
  } else if (taken === "Choose a Model") {
    await vscode.commands.executeCommand("dovetail.chooseModel");
  } else if (taken !== undefined) {
    await vscode.commands.executeCommand("dovetail.suggestNow");
  }
}
