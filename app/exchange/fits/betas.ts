import type { FitNote } from '../../api/exchange.ts';
import type { MessagesRequest } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { hasHourMark } from './cache.ts';
import { note } from './fit.ts';

/**
 * The values of `anthropic-beta` that Copilot gets. A beta and its body field leave together or stay together, so this
 * looks at the body as it goes out. Everything that is not listed here is dropped. VS Code 1.139.1 lets the first three
 * of a client's through, and sends the fourth with marks of its own.
 */
const kept: readonly { family: string; while: (request: MessagesRequest) => boolean }[] = [
  { family: 'interleaved-thinking', while: (request) => request.thinking?.type !== 'adaptive' },
  { family: 'context-management', while: (request) => request.context_management !== undefined },
  { family: 'advanced-tool-use', while: () => true },
  { family: 'extended-cache-ttl', while: hasHourMark },
  { family: 'per-turn-control', while: sendsTurnControl },
  { family: 'compact', while: sendsCompaction },
];

/** Nothing is added that the client did not send. An empty list means: no header. */
export function filterBetas(betas: readonly string[], request: MessagesRequest): { betas: string[]; notes: FitNote[] } {
  const staying: string[] = [];
  const removed: string[] = [];
  for (const line of betas) for (const beta of splitBetas(line)) (stays(beta, request) ? staying : removed).push(beta);
  return {
    betas: staying,
    notes: removed.length > 0 ? [note('betas-removed', removedWords(removed), removed.length)] : [],
  };
}

/** At most so many names of betas are in the log: a header can have thousands. */
const mostNamed = 32;

/** Each by its name. Whatever isn't spelled like one is only counted: it could be anything, a key among it. */
function removedWords(removed: readonly string[]): string {
  const names = [...new Set(removed)].filter((beta) => /^[a-z][a-z0-9-]{0,50}-\d{4}-?\d{2}-?\d{2}$/.test(beta));
  return names.length === 0 ? 'beta removed' : `beta removed: ${names.slice(0, mostNamed).join(', ')}`;
}

/** The values of a header line; Node joins repeated lines with commas. */
export function splitBetas(header: string | undefined): string[] {
  return header?.match(/[^\s,](?:[^,]*[^\s,])?/g) ?? [];
}

/** `interleaved-thinking-2025-05-14` is a beta, the bare family is not. */
function stays(beta: string, request: MessagesRequest): boolean {
  for (const { family, while: holds } of kept)
    if (beta.length > family.length + 1 && beta.startsWith(`${family}-`) && holds(request)) return true;
  return false;
}

function sendsTurnControl(request: MessagesRequest): boolean {
  return request.messages.some((message) => message.role === 'system' && message.output_config !== undefined);
}

function sendsCompaction({ context_management: management }: MessagesRequest): boolean {
  if (!isObject(management) || !Array.isArray(management.edits)) return false;
  return management.edits.some((edit) => isObject(edit) && String(edit.type).startsWith('compact_'));
}
