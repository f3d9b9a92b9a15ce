import type { FitNote } from '../api/exchange.ts';

type Verb =
  | 'Added'
  | 'Changed'
  | 'Estimated'
  | 'Lowered'
  | 'Moved'
  | 'Removed'
  | 'Renamed'
  | 'Replaced'
  | 'Scaled'
  | 'Translated';

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
const known: Record<string, [verb: Verb, field: string | null, because: string]> = {
  'attribution-removed': ['Removed', 'attribution block', 'It changes with every request and would spoil the cache.'],
  'begun-by-user': ['Added', 'message', 'Claude’s API requires a user message first.'],
  'cache-marks-limited': ['Removed', 'cache_control', 'Copilot accepts 4 cache marks; the last 4 remain.'],
  'cache-scope-removed': ['Removed', 'cache_control.scope', rejects],
  'clear-thinking-removed': ['Removed', 'context_management', 'Thinking is off, so there is no thinking to clear.'],
  'continue-message-added': ['Added', 'message', 'This model doesn’t support a prepared answer.'],
  'count-only': ['Removed', 'max_tokens, stream', 'Token counting supports neither.'],
  'duplicate-tool-id-renamed': ['Renamed', 'tool_use.id', 'Copilot rejects two tool calls with one id.'],
  'effort-clamped': ['Lowered', 'effort', 'The most this model may be asked for.'],
  'effort-removed': ['Removed', 'effort', 'This model has no effort setting.'],
  'empty-message-dropped': ['Removed', 'empty message', 'Copilot rejects messages without content.'],
  'empty-text-dropped': ['Removed', 'empty text', 'Copilot rejects empty text.'],
  'field-removed': ['Removed', null, rejects],
  'file-reference-left-out': [
    'Replaced',
    'file reference',
    'Copilot can’t read files by reference; a note was put in its place.',
  ],
  'foreign-thinking-removed': [
    'Removed',
    'thinking',
    'Another model signed the thinking, so this model can’t read it.',
  ],
  'image-left-out': ['Replaced', 'image', 'Copilot doesn’t accept this image; a note replaces it.'],
  'image-scaled': ['Scaled', 'image', 'It was larger than this model accepts, so it was scaled down.'],
  'images-left-out': ['Replaced', 'image', 'This model accepts no more images; a note replaces the oldest.'],
  'max-tokens-clamped': ['Lowered', 'max_tokens', 'The most this model may write.'],
  'message-effort-removed': ['Removed', 'effort of a message', rejects],
  'metadata-removed': ['Removed', 'metadata', rejects],
  'missing-tool-result-added': ['Added', 'tool_result', 'A tool call had no result; a note was put in its place.'],
  role: ['Replaced', 'role', 'This model’s API doesn’t know it; it was sent as user.'],
  'safeguards-removed': ['Removed', 'safeguards', rejects],
  'sampling-values-removed': ['Removed', 'temperature, top_p, top_k', 'This model doesn’t support sampling values.'],
  'schema-completed': ['Added', 'tools.input_schema', 'Copilot requires a complete schema.'],
  'server-tool-blocks-as-text': [
    'Replaced',
    'hosted tool blocks',
    'Copilot can’t run this tool; its output was sent as text.',
  ],
  'server-tool-removed': ['Removed', 'hosted tool', 'Copilot can’t run this tool, so it was left out of the request.'],
  'stray-tool-result-as-text': ['Replaced', 'tool_result', 'Its tool call is gone; it was sent as text.'],
  'streamed-upstream': ['Replaced', 'stream', 'Asked for as a stream and put together here.'],
  'system-messages-folded': [
    'Moved',
    'system messages',
    'This model doesn’t support a system message inside a conversation. It was moved into the message before it, as a reminder.',
  ],
  'thinking-budget-clamped': ['Lowered', 'thinking.budget_tokens', 'The thinking budget was above this model’s limit.'],
  'thinking-display-removed': ['Removed', 'thinking.display', rejects],
  'thinking-off': ['Removed', 'thinking', 'Thinking can’t be used with a forced tool.'],
  'thinking-removed': ['Removed', 'thinking', noThinking],
  'thinking-to-adaptive': ['Replaced', 'thinking', 'This model supports only adaptive thinking.'],
  'thinking-to-budget': ['Replaced', 'thinking', noThinking],
  'tokens-estimated': ['Estimated', 'token count', 'Copilot didn’t count this one.'],
  'tool-fields-removed': ['Removed', 'tools', rejects],
  'top-level-cache-mark-removed': ['Removed', 'cache_control', rejects],
  translated: ['Translated', 'body', 'This model has no route of that API.'],
};

/** Changes in order; the model first, with the reason for the choice. */
export function changes(notes: readonly FitNote[]): Change[] {
  const chosen = notes.find(({ code }) => /^model-/.test(code));
  const sent = notes.find(({ code }) => code === 'model');
  const rest = notes.filter((note) => note !== chosen && note !== sent).map(change);
  if (chosen === undefined && sent === undefined) return rest;
  const { before, after } = readText(sent?.text ?? '');
  const because = chosen?.text ?? 'The same model, spelled Copilot’s way.';
  return [{ verb: 'Replaced', field: 'model', before, after, count: 1, because }, ...rest];
}

/** What the person's own rules changed, and what was changed to fit Copilot. */
export function changesByOrigin(notes: readonly FitNote[]): { ofRules: Change[]; toFit: Change[] } {
  const isRuled = notes.some(({ code }) => code === 'model-rule');
  const isOfRules = ({ code }: FitNote): boolean =>
    code.startsWith('rule-') || code === 'model-rule' || (isRuled && code === 'model');
  return {
    ofRules: changes(notes.filter(isOfRules)),
    toFit: changes(notes.filter((note) => !isOfRules(note))),
  };
}

/** What the person's rules changed, a sentence each. */
export function ruleSentences(notes: readonly FitNote[]): string[] {
  return changesByOrigin(notes).ofRules.map(
    ({ verb, field, before, after, because }) =>
      `${verb} ${field}${before === null ? '' : `: ${before} → ${after}`}. ${because}`,
  );
}

function change({ code, count, text }: FitNote): Change {
  const [verb, kept, because] = known[code] ?? [];
  const byRule = code.startsWith('rule-') ? ruleInNote(text) : null;
  if (byRule !== null) return changedByRule(byRule, count);
  const { before, after, field } = readText(text);
  if (code === 'betas-removed') return betasRemoved(text, count);
  return {
    verb: verb ?? 'Changed',
    field: kept ?? field,
    before,
    after,
    count,
    because: because ?? (before === null ? '' : text),
  };
}

function changedByRule({ rule, field, before, after, reason }: RuleNote, count: number): Change {
  const of = field === 'model' ? `The fallback of your ${rule}` : `Your ${rule}`;
  const because = `${of}${reason === null ? '' : `: ${reason}`}.`;
  if (before === null) return { verb: 'Changed', field: `${field}: ${after}`, before, after: null, count, because };
  return { verb: 'Replaced', field, before, after, count, because };
}

/** `beta removed: context-1m-2025-08-07` names which; rows of earlier versions name none. */
function betasRemoved(text: string, count: number): Change {
  const [, names] = text.replace(/ ×\d+$/, '').split(': ', 2);
  const because =
    count === 1
      ? 'Copilot doesn’t know this beta. If a field had to go with it, it is listed here too.'
      : 'Copilot doesn’t know these betas. If a field had to go with them, it is listed here too.';
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

const noted = /^(rule \d+ \(.*?\)): (effort|account|model) (?:(\S+) → )?(.+?)(?: \((.*)\))?$/;

/** What a note of the log says of a rule's work. */
interface RuleNote {
  /** `rule 2 (class subagent)` */
  rule: string;
  field: string;
  before: string | null;
  after: string;
  reason: string | null;
}

/** Null if it says nothing of one. */
function ruleInNote(text: string): RuleNote | null {
  const [, rule, field, before = null, after, reason] = noted.exec(text) ?? [];
  if (rule === undefined || field === undefined || after === undefined) return null;
  return { rule, field, before, after, reason: reason ?? null };
}
