import type { IncomingHttpHeaders } from 'node:http';
import type { FitNote } from '../api.ts';
import type { CatalogModel } from '../copilot/model.ts';
import type { AnswerReader } from '../formats/answer.ts';
import type { AnthropicErrorType } from '../formats/anthropic-error.ts';
import type { MessagesRequest } from '../formats/messages.ts';
import { MessagesFromChat } from '../formats/messages-from-chat.ts';
import { MessagesRelay } from '../formats/messages-relay.ts';
import { messagesToChat } from '../formats/messages-via-chat.ts';
import { splitBetas } from './fits/filter-betas.ts';
import { fitMessages } from './fits/fit-messages.ts';

/** What goes to Copilot, and who reads the answer. */
export interface Plan {
  ok: true;
  path: '/v1/messages' | '/chat/completions';
  body: Buffer;
  anthropicVersion: string | null;
  anthropicBeta: string | null;
  vision: boolean;
  notes: FitNote[];
  reader: AnswerReader;
}

export interface PlanRefusal {
  ok: false;
  refusal: { status: number; type: AnthropicErrorType; code: string; message: string; shouldRetry: boolean };
}

export interface PlanContext {
  model: CatalogModel;
  path: '/v1/messages' | '/chat/completions';
  headers: IncomingHttpHeaders;
  /** A model that reads PDFs, for the words that refuse one. */
  documentModel: string | null;
  /** Our own id, for a message whose upstream names none. */
  messageId: string;
}

const defaultVersion = '2023-06-01';

/** Fits a Messages request to the chosen model and writes it in the format of the chosen path. Pure. */
export function planMessages(request: MessagesRequest, context: PlanContext): Plan | PlanRefusal {
  const { model, path, headers } = context;
  const fitted = fitMessages(request, {
    model,
    path,
    betas: splitBetas(single(headers['anthropic-beta']) ?? undefined),
    purpose: 'message',
    documentModel: context.documentModel,
  });
  if (!fitted.ok) {
    const { status, type, code, message, shouldRetry } = fitted;
    return { ok: false, refusal: { status, type, code, message, shouldRetry } };
  }
  const { vision } = fitted;

  if (path === '/v1/messages') {
    return {
      ok: true,
      path,
      body: Buffer.from(JSON.stringify(fitted.request)),
      anthropicVersion: single(headers['anthropic-version']) ?? defaultVersion,
      anthropicBeta: fitted.betas.length > 0 ? fitted.betas.join(',') : null,
      vision,
      notes: fitted.notes,
      reader: new MessagesRelay({ model: request.model }),
    };
  }

  const translated = messagesToChat(fitted.request, {
    efforts: model.supports.efforts,
    claude: model.vendor === 'Anthropic',
  });
  if (!translated.ok)
    return {
      ok: false,
      refusal: {
        status: 400,
        type: 'invalid_request_error',
        code: translated.code,
        message: translated.message,
        shouldRetry: false,
      },
    };
  return {
    ok: true,
    path,
    body: Buffer.from(JSON.stringify(translated.body)),
    anthropicVersion: null,
    anthropicBeta: null,
    vision,
    notes: [
      ...fitted.notes,
      ...translated.notes,
      { code: 'translated', count: 1, text: 'translated: messages → chat' },
    ],
    reader: new MessagesFromChat({
      model: request.model,
      messageId: `msg_${context.messageId}`,
      toolNames: translated.toolNames,
      stopSequences: translated.localStops,
    }),
  };
}

/** Node joins repeated lines of these headers itself; the list form is only in its types. */
export function single(value: string | string[] | undefined): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined || first.trim() === '' ? null : first.trim();
}
