/** The language client of one server process. */

import { performance } from "node:perf_hooks";
import * as vscode from "vscode";
import {
  CloseAction, DidChangeConfigurationNotification, ErrorAction, ExecuteCommandRequest, LanguageClient, MessageType,
  NotificationType, ShowMessageNotification,
  type LanguageClientOptions, type ServerOptions,
} from "vscode-languageclient/node";
import type { Questions } from "./questions";
import { SCHEMES } from "./reasons";
import { initializationOptions, languagesOn } from "./settings";

/** The server's state in its own words, as `didChangeStatus` tells it. */
export interface Status {
  readonly kind: "Normal" | "Warning" | "Error" | "Inactive";
  /** Whether the model is being loaded or asked. */
  readonly busy: boolean;
  readonly message: string;
}

const STATUS = new NotificationType<Status>("didChangeStatus");

/** The server's command that answers why there was no suggestion, for a document's address. */
const WHY = "dovetail.server.why";

/** What a client tells of its session. */
export interface Listener {
  /** The server's state changed. */
  status(status: Status): void;
  /** The server said in one sentence what the user has to mend. */
  complained(sentence: string): void;
  /** Return whether a document is to be asked about. */
  isAsked(document: vscode.TextDocument): boolean;
}

/** A client that writes its errors to the log: the status bar says what matters, and nobody wants a popup for each. */
class Client extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** Make the client of a server, which is not started yet. */
export function makeClient(
  serverOptions: ServerOptions, log: vscode.LogOutputChannel, listener: Listener, questions: Questions,
): LanguageClient {
  const configuration = vscode.workspace.getConfiguration("dovetail");
  const languages = languagesOn(configuration.get("languages"));
  const options: LanguageClientOptions = {
    documentSelector: languages.flatMap((language) => SCHEMES.map((scheme) => ({ language, scheme }))),
    initializationOptions: initializationOptions(configuration),
    initializationFailedHandler: () => false,
    outputChannel: log,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      // `server.ts` watches the process, and starts a new one where that helps.
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true, message: "The connection is closed." }),
    },
    middleware: {
      provideInlineCompletionItems: async (document, position, context, token, next) => {
        if (!listener.isAsked(document)) {
          return null;
        }
        const begun = performance.now();
        const settle = questions.ask(document.uri.toString(), position.line + 1, position.character + 1);
        try {
          const found = await next(document, position, context, token);
          const items = Array.isArray(found) ? found.length : found?.items.length ?? 0;
          settle(token.isCancellationRequested
            ? { kind: "cancelled" }
            : { kind: "answered", items, milliseconds: performance.now() - begun });
          return found;
        } catch (error) {
          settle({ kind: token.isCancellationRequested ? "cancelled" : "failed" });
          throw error;
        }
      },
    },
  };
  const client = new Client("dovetail", "Dovetail", serverOptions, options);
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { ...capabilities.experimental as object | undefined, [STATUS.method]: true };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
  });
  client.onNotification(STATUS, (status) => listener.status(status));
  client.onNotification(ShowMessageNotification.type, ({ type, message }) => {
    if (type === MessageType.Error) {
      listener.complained(message);
    } else if (type === MessageType.Warning) {
      void vscode.window.showWarningMessage(message);
    } else {
      void vscode.window.showInformationMessage(message);
    }
  });
  return client;
}

/** Tell a running server of the settings as they are now. */
export function tellSettings(client: LanguageClient): Promise<void> {
  const settings = { dovetail: initializationOptions(vscode.workspace.getConfiguration("dovetail")) };
  return client.sendNotification(DidChangeConfigurationNotification.type, { settings });
}

/** Ask a running server why it suggested nothing in a document; null if it cannot say. */
export async function askWhy(client: LanguageClient, document: vscode.TextDocument): Promise<string | null> {
  if (client.initializeResult?.capabilities.executeCommandProvider?.commands.includes(WHY) !== true) {
    return null;
  }
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  const answer: unknown = await client.sendRequest(ExecuteCommandRequest.type, { command: WHY, arguments: [uri] })
    .catch(() => null);
  const says = typeof answer === "object" && answer !== null && "message" in answer ? answer.message : null;
  return typeof says === "string" ? says : null;
}
