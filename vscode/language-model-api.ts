import type * as vscode from 'vscode';
import { lmMessages } from '../app/formats/lm/language-model.ts';
import { isObject } from '../app/formats/wire/json.ts';
import type { LmModel } from './models.ts';

/** The part of the module `vscode` that requests are made with. */
export type LmApi = Pick<
  typeof vscode,
  | 'LanguageModelTextPart'
  | 'LanguageModelToolCallPart'
  | 'LanguageModelToolResultPart'
  | 'LanguageModelDataPart'
  | 'LanguageModelChatMessage'
  | 'LanguageModelChatToolMode'
  | 'CancellationTokenSource'
>;

const justification =
  'Programs with Jumpseat’s key, such as Claude Code, will send their prompts through your GitHub ' +
  'Copilot subscription.';

/** A model of VS Code's as the extension knows it. */
export function editorModel(api: LmApi, model: vscode.LanguageModelChat): LmModel {
  const { id, name, vendor, family, version, maxInputTokens } = model;
  return {
    ...{ id, name, vendor, family, version, maxInputTokens },
    takesImages: can(model, 'supportsImageToText'),
    callsTools: can(model, 'supportsToolCalling'),
    send: async (request, signal) => {
      const { tools, required, options } = request;
      const { Auto, Required } = api.LanguageModelChatToolMode;
      const chosen = tools.length === 0 ? {} : { tools: [...tools], toolMode: required ? Required : Auto };
      const given = { justification, modelOptions: options, ...chosen };
      const { token, dispose } = tokenOf(api, signal);
      try {
        // The token lives as long as the signal: the answer is read after its request was accepted.
        return (await model.sendRequest(lmMessages(api, request), given, token)).stream;
      } catch (error) {
        dispose();
        throw error;
      }
    },
    count: async (text, signal) => {
      const { token, dispose } = tokenOf(api, signal);
      try {
        return await model.countTokens(text, token);
      } finally {
        dispose();
      }
    },
    askConsent: async () => {
      await model.sendRequest([api.LanguageModelChatMessage.User('.')], { justification }, cancelled);
    },
  };
}

/** There at run time and in no type of 1.106; where nothing is said, the model may be able to. */
function can(model: vscode.LanguageModelChat, what: string): boolean {
  const capabilities = 'capabilities' in model ? model.capabilities : null;
  return !isObject(capabilities) || capabilities[what] !== false;
}

/**
 * Cancelled before, and says so at once. One of VS Code's own tells who asks later a moment after: by then the request
 * would have gone to Copilot's extension (seen with VS Code 1.139.1).
 */
const cancelled: vscode.CancellationToken = {
  isCancellationRequested: true,
  onCancellationRequested: (listener, self) => {
    listener.call(self, undefined);
    return { dispose: () => undefined };
  },
};

/** A token that is cancelled, and let go, with the signal; `dispose` lets it go before. */
function tokenOf(
  api: Pick<LmApi, 'CancellationTokenSource'>,
  signal: AbortSignal,
): { token: vscode.CancellationToken; dispose(): void } {
  const source = new api.CancellationTokenSource();
  const { token } = source;
  const cancel = (): void => {
    source.cancel();
    source.dispose();
  };
  const dispose = (): void => {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return { token, dispose };
}
