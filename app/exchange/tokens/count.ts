import pLimit from 'p-limit';
import type { Reach } from '../../api/account.ts';
import type { Attempt, FitNote, Path } from '../../api/exchange.ts';
import type { CopilotClient } from '../../copilot/client.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import type { Outgoing } from '../../copilot/outgoing.ts';
import type { MessagesRequest } from '../../formats/messages/request.ts';
import type { ExchangeHeaders } from '../../recording/headers.ts';
import type { Recording } from '../../recording/recording.ts';
import type { ClientCall } from '../client-call.ts';
import type { Learned } from '../fits/fit.ts';
import { fitMessages } from '../fits/fit-messages.ts';
import type { Verdict } from '../initiator/verdict.ts';
import { lines } from '../plan.ts';
import { estimateTokens } from './estimate.ts';

export interface Counted {
  tokens: number;
  /** Null if nothing was sent. */
  path: Path | null;
  attempts: Attempt[];
  notes: FitNote[];
}

/** What a count is for. */
interface Counting {
  verdict: Verdict;
  client: Pick<CopilotClient, 'send'>;
  /** The extension in VS Code counts what it would send, of every model. */
  reach: Reach;
  auto: NonNullable<Outgoing['auto']> | null;
  ids: Pick<Outgoing, 'interactionId' | 'turnId'>;
  call: ClientCall;
  recording: Recording | null;
  headers: ExchangeHeaders;
  /** What refusals have taught about the model on its native path. */
  learned: Learned | null;
  sends: (path: Path) => void;
}

/** `/context` in Claude Code asks about 33 times at once. */
const atOnce = 6;
const withinMs = 5000;
const largestAnswer = 64 * 1024;

/**
 * Counts the tokens of a request: by Copilot where the model has the endpoint, else (and when that fails) by an
 * estimate that says so.
 */
export class TokenCounter {
  readonly #limit = pLimit(atOnce);

  async count(request: MessagesRequest, model: CatalogModel, context: Counting): Promise<Counted> {
    const path = '/v1/messages/count_tokens';
    const isDirect = context.reach === 'directly';
    if (isDirect && !model.endpoints.includes('/v1/messages')) {
      return this.#estimate(request, `${model.id} has no token counting at Copilot`, {
        path: null,
        attempts: [],
        notes: [],
      });
    }
    const { recording, headers: seen } = context;
    const betas = lines(context.call.headers['anthropic-beta']);
    const learned = context.learned ?? undefined;
    const fitted = isDirect
      ? fitMessages(request, {
          model: learned?.model ?? model,
          path: '/v1/messages',
          betas,
          purpose: 'count',
          learned,
        })
      : ({
          ok: true,
          request: { ...request, model: model.id },
          betas: [],
          vision: false,
          notes: [] as FitNote[],
        } as const);
    if (!fitted.ok) return this.#estimate(request, fitted.code, { path: null, attempts: [], notes: [] });

    const sent = await this.#limit(() =>
      context.client.send({
        path,
        body: Buffer.from(JSON.stringify(fitted.request)),
        initiator: context.verdict.initiator,
        interactionType: context.verdict.interactionType,
        intent: context.verdict.intent,
        ...context.ids,
        vision: fitted.vision,
        anthropicVersion: '2023-06-01',
        anthropicBeta: fitted.betas.length > 0 ? fitted.betas.join(',') : null,
        auto: context.auto,
        signal: context.call.signal,
        startedTicks: context.call.startedTicks,
        witness: {
          sends: (headers, body) => {
            context.sends(path);
            seen.sent = headers;
            seen.answered = null;
            recording?.sends(path, body, false);
          },
          hears: (headers) => {
            seen.answered = headers;
          },
          refused: (text) => recording?.refused(text),
        },
        headTimeoutMs: withinMs,
        idleTimeoutMs: withinMs,
      }),
    );
    const done = { path, attempts: sent.attempts, notes: fitted.notes } as const;
    if (!sent.ok)
      return this.#estimate(
        request,
        sent.failure.status === null
          ? 'no answer'
          : `${isDirect ? 'Copilot' : 'VS Code'} answered ${sent.failure.status}`,
        done,
      );
    recording?.follow(sent.response);
    const tokens = readCount(await readText(sent.response));
    if (tokens === null) return this.#estimate(request, 'Copilot’s count could not be read', done);
    return { tokens, ...done, notes: [...done.notes] };
  }

  async #estimate(request: MessagesRequest, why: string, done: Omit<Counted, 'tokens'>): Promise<Counted> {
    const tokens = await estimateTokens(request);
    return {
      ...done,
      tokens,
      notes: [...done.notes, { code: 'tokens-estimated', count: 1, text: `estimated: ${why}` }],
    };
  }
}

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > largestAnswer) return '';
      chunks.push(chunk);
    }
  } catch {
    return '';
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readCount(text: string): number | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('input_tokens' in value)) return null;
    return typeof value.input_tokens === 'number' && Number.isFinite(value.input_tokens) ? value.input_tokens : null;
  } catch {
    return null;
  }
}
