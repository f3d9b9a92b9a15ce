import type { FitNote } from '../api/exchange.ts';

type Verb = 'Added' | 'Changed' | 'Estimated' | 'Lowered' | 'Moved' | 'Removed' | 'Renamed' | 'Replaced' | 'Translated';

/** One change that was made so that Copilot takes a request, as a person reads it. */
export interface Change {
  verb: Verb;
  /** `max_tokens` */
  field: string;
  before: string | null;
  after: string | null;
  count: number;
  /** Why, in one sentence. */
  because: string;
}

const rejects = 'Copilot rejects this field.';
const noThinking = 'This model doesn’t support adaptive thinking.';

/**
 * Verb, field and reason by the code of the note; fields and values come from the note's own text where it holds some.
 */
const known: Record<string, { verb: Verb; field: string | null; because: string }> = {
  'attribution-removed': {
    verb: 'Removed',
    field: 'attribution block',
    because: 'It changes with every request and would spoil the cache.',
  },
  'begun-by-user': {
    verb: 'Added',
    field: 'message',
    because: 'Claude’s API requires a user message first.',
  },
  'cache-marks-limited': {
    verb: 'Removed',
    field: 'cache_control',
    because: 'Copilot accepts 4 cache marks; the last 4 remain.',
  },
  'cache-scope-removed': { verb: 'Removed', field: 'cache_control.scope', because: rejects },
  'clear-thinking-removed': {
    verb: 'Removed',
    field: 'context_management',
    because: 'Thinking is off, so there is no thinking to clear.',
  },
  'continue-message-added': {
    verb: 'Added',
    field: 'message',
    because: 'This model doesn’t support a prepared answer.',
  },
  'count-only': { verb: 'Removed', field: 'max_tokens, stream', because: 'Token counting supports neither.' },
  'duplicate-tool-id-renamed': {
    verb: 'Renamed',
    field: 'tool_use.id',
    because: 'Copilot rejects two tool calls with one id.',
  },
  'effort-clamped': { verb: 'Lowered', field: 'effort', because: 'The most this model may be asked for.' },
  'effort-removed': { verb: 'Removed', field: 'effort', because: 'This model has no effort setting.' },
  'empty-message-dropped': {
    verb: 'Removed',
    field: 'empty message',
    because: 'Copilot rejects messages without content.',
  },
  'empty-text-dropped': { verb: 'Removed', field: 'empty text', because: 'Copilot rejects empty text.' },
  'field-removed': { verb: 'Removed', field: null, because: rejects },
  'file-reference-left-out': {
    verb: 'Replaced',
    field: 'file reference',
    because: 'Copilot can’t read files by reference; a note was put in its place.',
  },
  'foreign-thinking-removed': {
    verb: 'Removed',
    field: 'thinking',
    because: 'Another model signed the thinking, so this model can’t read it.',
  },
  'image-left-out': {
    verb: 'Replaced',
    field: 'image',
    because: 'Copilot doesn’t accept this image; a note replaces it.',
  },
  'images-left-out': {
    verb: 'Replaced',
    field: 'image',
    because: 'This model accepts no more images; a note replaces the oldest.',
  },
  'max-tokens-clamped': { verb: 'Lowered', field: 'max_tokens', because: 'The most this model may write.' },
  'message-effort-removed': { verb: 'Removed', field: 'effort of a message', because: rejects },
  'metadata-removed': { verb: 'Removed', field: 'metadata', because: rejects },
  'missing-tool-result-added': {
    verb: 'Added',
    field: 'tool_result',
    because: 'A tool call had no result; a note was put in its place.',
  },
  role: { verb: 'Replaced', field: 'role', because: 'This model’s API doesn’t know it; it was sent as user.' },
  'safeguards-removed': { verb: 'Removed', field: 'safeguards', because: rejects },
  'sampling-values-removed': {
    verb: 'Removed',
    field: 'temperature, top_p, top_k',
    because: 'This model doesn’t support sampling values.',
  },
  'schema-completed': { verb: 'Added', field: 'tools.input_schema', because: 'Copilot requires a complete schema.' },
  'server-tool-blocks-as-text': {
    verb: 'Replaced',
    field: 'hosted tool blocks',
    because: 'Copilot can’t run this tool; its output was sent as text.',
  },
  'server-tool-removed': {
    verb: 'Removed',
    field: 'hosted tool',
    because: 'Copilot can’t run this tool, so it was left out of the request.',
  },
  'stray-tool-result-as-text': {
    verb: 'Replaced',
    field: 'tool_result',
    because: 'Its tool call is gone; it was sent as text.',
  },
  'streamed-upstream': { verb: 'Replaced', field: 'stream', because: 'Asked for as a stream and put together here.' },
  'system-messages-folded': {
    verb: 'Moved',
    field: 'system messages',
    because:
      'This model doesn’t support a system message inside a conversation. It was moved into the message before it, as a reminder.',
  },
  'thinking-budget-clamped': {
    verb: 'Lowered',
    field: 'thinking.budget_tokens',
    because: 'The thinking budget was above this model’s limit.',
  },
  'thinking-display-removed': { verb: 'Removed', field: 'thinking.display', because: rejects },
  'thinking-off': { verb: 'Removed', field: 'thinking', because: 'Thinking can’t be used with a forced tool.' },
  'thinking-removed': { verb: 'Removed', field: 'thinking', because: noThinking },
  'thinking-to-adaptive': {
    verb: 'Replaced',
    field: 'thinking',
    because: 'This model supports only adaptive thinking.',
  },
  'thinking-to-budget': { verb: 'Replaced', field: 'thinking', because: noThinking },
  'tokens-estimated': { verb: 'Estimated', field: 'token count', because: 'Copilot didn’t count this one.' },
  'tool-fields-removed': { verb: 'Removed', field: 'tools', because: rejects },
  'top-level-cache-mark-removed': { verb: 'Removed', field: 'cache_control', because: rejects },
  translated: {
    verb: 'Translated',
    field: 'body',
    because: 'This model has no Messages route, so the request was translated to Chat Completions.',
  },
};

/** In the order in which they were made; the model first, with the reason it was chosen for. */
export function changes(notes: readonly FitNote[]): Change[] {
  const chosen = notes.find(({ code }) => /^model-/.test(code));
  const sent = notes.find(({ code }) => code === 'model');
  const rest = notes.filter((note) => note !== chosen && note !== sent).map(change);
  if (chosen === undefined && sent === undefined) return rest;
  const { before, after } = readText(sent?.text ?? '');
  const because = chosen?.text ?? 'The same model, spelled Copilot’s way.';
  return [{ verb: 'Replaced', field: 'model', before, after, count: 1, because }, ...rest];
}

function change({ code, count, text }: FitNote): Change {
  const entry = known[code];
  const { before, after, field } = readText(text);
  if (code === 'betas-removed') return betasRemoved(text, count);
  return {
    verb: entry?.verb ?? 'Changed',
    field: entry?.field ?? field,
    before,
    after,
    count,
    because: entry?.because ?? (before === null ? '' : text),
  };
}

/** `beta removed: context-1m-2025-08-07` names which; rows of earlier versions name none. */
function betasRemoved(text: string, count: number): Change {
  const [, names] = text.replace(/ ×\d+$/, '').split(': ', 2);
  const because =
    count === 1
      ? 'Copilot doesn’t know this beta; its field was removed too.'
      : 'Copilot doesn’t know these betas; their fields were removed too.';
  const field = names === undefined ? 'anthropic-beta' : `anthropic-beta: ${names}`;
  return { verb: 'Removed', field, before: null, after: null, count, because };
}

/** `max_tokens 128000 → 64000` holds an old and a new value; `effort removed` only what went. */
function readText(text: string): { field: string; before: string | null; after: string | null } {
  const arrow = /^(?:.*?[\s:])??(\S+) → (.+)$/.exec(text);
  if (arrow !== null)
    return { field: text.split(/[\s:]/, 1)[0] ?? text, before: arrow[1] ?? null, after: arrow[2] ?? null };
  return { field: text.replace(/ (removed|added|dropped|renamed)$/, ''), before: null, after: null };
}
