/** The language client that talks to one server process. */

import { performance } from "node:perf_hooks";
import * as vscode from "vscode";
import {
  CloseAction, DidChangeConfigurationNotification, ErrorAction, ExecuteCommandRequest, LanguageClient, MessageType,
  NotificationType, ShowMessageNotification,
  type LanguageClientOptions, type ServerOptions,
} from "vscode-languageclient/node";
import { answerByHand } from "./by_hand";
import { DID_CHANGE_STATUS, experimental } from "./capabilities";
import { explanationOf, type Explanation } from "./left_out";
import { Offers } from "./offers";
import type { Questions } from "./questions";
import { SCHEMES } from "./reasons";
import { SecondRequest } from "./second_request";
import { languagesOf } from "./settings";

/** The answer to a key that asks by hand where nothing is offered. */
const NOTHING_OFFERED = "Nothing is offered here; \"Why Is There No Suggestion?\" says the reason.";

/** The server's status, as the notification `didChangeStatus` reports it. */
export interface Status {
  readonly kind: "Normal" | "Warning" | "Error" | "Inactive";
  /** True while the model is being loaded or computes a suggestion. */
  readonly busy: boolean;
  readonly message: string;
  /** The sentences about wrong settings, with which the message ends; the server shows each once. Older servers tell none. */
  readonly mistakes?: readonly string[];
  /** True while a language is being prepared, so that nothing can be offered in it yet. Older servers tell none. */
  readonly preparing?: boolean;
}

const STATUS = new NotificationType<Status>(DID_CHANGE_STATUS);

/** The server's command that explains the last answer in a document; its argument is the document's URI. */
const WHY = "dovetail.server.why";

/** The server's command that answers with its status for a document; its argument is the document's URI. */
const STATUS_OF = "dovetail.server.status";

/** The events of a session. */
export interface Listener {
  /** Called when the server's status has changed. */
  status(status: Status): void;
  /** Called with an error message of the server: one sentence that says what the user must fix. */
  complained(sentence: string): void;
  /** Called when the server has ended work that it showed as a progress. */
  prepared(): void;
  /** Return a sentence that says why no suggestions are requested in a document, or null if they are. */
  reasonOff(document: vscode.TextDocument): string | null;
}

/** A language client that logs its errors without a popup: the status bar shows those that matter. */
class Client extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** Return a client for a server, not started yet. `settings` are sent with the first request. */
export function makeClient(
  serverOptions: ServerOptions, settings: Record<string, unknown>, log: vscode.LogOutputChannel, listener: Listener,
  questions: Questions,
): LanguageClient {
  const languages = languagesOf(vscode.workspace.getConfiguration("dovetail"));
  const options: LanguageClientOptions = {
    documentSelector: languages.flatMap((language) => SCHEMES.map((scheme) => ({ language, scheme }))),
    initializationOptions: settings,
    initializationFailedHandler: () => false,
    outputChannel: log,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      // `server.ts` watches the process and restarts it.
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true, message: "The connection is closed." }),
    },
    middleware: {
      handleWorkDoneProgress: (token, report, next) => {
        next(token, report);
        if (report.kind === "end") {
          listener.prepared();
        }
      },
      provideInlineCompletionItems: async (document, position, context, token, next) => {
        const byHand = context.triggerKind === vscode.InlineCompletionTriggerKind.Invoke;
        const off = listener.reasonOff(document);
        if (off !== null) {
          if (byHand) {
            answerByHand(off);
          }
          return null;
        }
        const begun = performance.now();
        const settle = questions.ask(document.uri.toString(), position.line + 1, position.character + 1, byHand);
        try {
          const found = await next(document, position, context, token);
          const items = Array.isArray(found) ? found : found?.items ?? [];
          if (token.isCancellationRequested) {
            settle({ kind: "cancelled" });
          } else {
            settle({ kind: "answered", items: items.length, milliseconds: performance.now() - begun });
            offers.offer(document, position, items);
            second.answered(document, context.triggerKind, items.length);
            if (byHand && items.length === 0) {
              answerByHand(NOTHING_OFFERED);
            }
          }
          return found;
        } catch (error) {
          settle({ kind: token.isCancellationRequested ? "cancelled" : "failed" });
          throw error;
        }
      },
    },
  };
  const client = new Client("dovetail", "Dovetail", serverOptions, options);
  // The server may have ended in the meantime: then nothing is counted.
  const offers = new Offers((method, told) => void client.sendNotification(method, told).catch(() => undefined));
  const second = new SecondRequest();
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = {
        ...capabilities.experimental as object | undefined,
        ...experimental(vscode.version, vscode.workspace.isTrusted),
      };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => {
      offers.dispose();
      second.dispose();
    },
  });
  client.onNotification(STATUS, (status) => listener.status(status));
  client.onNotification(ShowMessageNotification.type, ({ type, message }) => {
    if (type === MessageType.Error) {
      listener.complained(message);
    } else if (type === MessageType.Warning) {
      void vscode.window.showWarningMessage(`Dovetail: ${message}`);
    } else {
      void vscode.window.showInformationMessage(message);
    }
  });
  return client;
}

/** Send the settings to a running server. */
export function tellSettings(client: LanguageClient, settings: Record<string, unknown>): Promise<void> {
  return client.sendNotification(DidChangeConfigurationNotification.type, { settings: { dovetail: settings } });
}

/** Return the server's explanation of its last answer in a document, or null if it gives none. */
export async function askWhy(client: LanguageClient, document: vscode.TextDocument): Promise<Explanation | null> {
  return explanationOf(await askAbout(client, WHY, document));
}

/** Return the server's sentence about a document if its model does not know the language, or null. */
export async function askNote(client: LanguageClient, document: vscode.TextDocument): Promise<string | null> {
  const answer = explanationOf(await askAbout(client, STATUS_OF, document));
  return answer?.otherModel === true ? answer.message : null;
}

/** Return the answer of a command about a document; null if the server has no such command, or fails. */
async function askAbout(client: LanguageClient, command: string, document: vscode.TextDocument): Promise<unknown> {
  if (client.initializeResult?.capabilities.executeCommandProvider?.commands.includes(command) !== true) {
    return null;
  }
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [uri] }).catch(() => null);
}

/** Request suggestions as VS Code does while the user types. */
export async function suggestionsOf(
  client: LanguageClient, document: vscode.TextDocument, position: vscode.Position,
): Promise<vscode.InlineCompletionItem[]> {
  const provider = client.getFeature("textDocument/inlineCompletion")?.getProvider(document);
  const context: vscode.InlineCompletionContext = {
    triggerKind: vscode.InlineCompletionTriggerKind.Automatic, selectedCompletionInfo: undefined,
  };
  const found = await provider?.provideInlineCompletionItems(
    document, position, context, new vscode.CancellationTokenSource().token);
  return Array.isArray(found) ? found : found?.items ?? [];
}
