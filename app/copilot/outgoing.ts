import type { AutoSession } from '../account/sdk/endpoint.ts';
import type { Initiator, Path } from '../api/exchange.ts';
import type { Witness } from './dial-call.ts';
import type { ReplayBudget } from './replay.ts';

/** A request as it is sent to Copilot. */
export interface Outgoing {
  path: Path;
  /** Whose limit a refusal may be about. Without it the request is never held back. */
  model?: string;
  /** Sent as it is, with its length; never copied. */
  body: Buffer | string;
  /** Not sent on `/embeddings`, which has no prompt. */
  initiator: Initiator;
  /** `conversation-agent`, `conversation-subagent`, `conversation-compaction`, `conversation-background` */
  interactionType: string;
  /** The place in VS Code that such a request comes from; for side requests not the interaction type. */
  intent: string;
  /** One per prompt. */
  interactionId: string;
  /** One per turn: what a prompt or a subagent does until it is done, replays among it. */
  turnId: string;
  /** The body holds an image. */
  vision: boolean;
  /** For Copilot's Messages endpoints alone, as are the betas. */
  anthropicVersion: string | null;
  anthropicBeta: string | null;
  /** What says that GitHub chose the model for it. */
  auto?: Pick<AutoSession, 'header' | 'token'> | null;
  signal: AbortSignal;
  /** `clock.ticks()` when the exchange began. */
  startedTicks: number;
  /** 120 000 unless told. */
  headTimeoutMs?: number;
  /** 300 000 unless told. */
  idleTimeoutMs?: number;
  witness?: Witness;
  /** Of the client's request that this is for. Absent: it stands alone. */
  budget?: ReplayBudget;
}

/** The exact set, apart from identity, bearer and turn. VS Code looks for images in Chat Completions alone. */
export function headersFor(outgoing: Outgoing): Record<string, string> {
  const { path } = outgoing;
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    Accept: '*/*',
    'OpenAI-Intent': outgoing.intent,
    'X-Interaction-Type': outgoing.interactionType,
    'X-Interaction-Id': outgoing.interactionId,
  };
  if (outgoing.auto) headers[outgoing.auto.header] = outgoing.auto.token;
  if (path !== '/embeddings') headers['X-Initiator'] = outgoing.initiator;
  if (outgoing.vision && path === '/chat/completions') headers['Copilot-Vision-Request'] = 'true';
  if (path === '/v1/messages' || path === '/v1/messages/count_tokens') {
    if (outgoing.anthropicVersion) headers['anthropic-version'] = outgoing.anthropicVersion;
    if (outgoing.anthropicBeta) headers['anthropic-beta'] = outgoing.anthropicBeta;
  }
  return headers;
}
