import type { Exchange, FitNote } from '../api/exchange.ts';
import { type Message, msg } from '../language/messages.ts';
import { inShownLanguage } from '../language/remembered.ts';
import { t, translated } from '../language/translate.ts';
import { whenInWords } from './own-limits.ts';

type Verb = Message &
  (
    | 'Added'
    | 'Changed'
    | 'Estimated'
    | 'Lowered'
    | 'Moved'
    | 'Noted'
    | 'Removed'
    | 'Renamed'
    | 'Replaced'
    | 'Scaled'
    | 'Translated'
  );

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

const rejects = msg('Copilot rejects this field.');
/** A sentence that says all by itself. */
const noted: [Verb, null, null] = [msg('Noted'), null, null];
const noThinking = msg('This model doesn’t support adaptive thinking.');

/**
 * Verb, field and reason by the code of the note; fields and values come from the note's own text where it holds some.
 */
const known: Record<string, [verb: Verb, field: string | null, because: Message | null]> = {
  'attribution-removed': [
    msg('Removed'),
    'attribution block',
    msg('It changes with every request and would spoil the cache.'),
  ],
  batched: [msg('Changed'), 'input', msg('The inputs were sent in several requests.')],
  'begun-by-user': [msg('Added'), 'message', msg('Claude’s API requires a user message first.')],
  'cache-marks-limited': [msg('Removed'), 'cache_control', msg('Copilot accepts 4 cache marks; the last 4 remain.')],
  'cache-scope-removed': [msg('Removed'), 'cache_control.scope', rejects],
  'charge-parts-differ': noted,
  'clear-thinking-removed': [
    msg('Removed'),
    'context_management',
    msg('Thinking is off, so there is no thinking to clear.'),
  ],
  'continue-message-added': [msg('Added'), 'message', msg('This model doesn’t support a prepared answer.')],
  'count-only': [msg('Removed'), 'max_tokens, stream', msg('Token counting supports neither.')],
  'duplicate-tool-id-renamed': [msg('Renamed'), 'tool_use.id', msg('Copilot rejects two tool calls with one id.')],
  'effort-clamped': [msg('Lowered'), 'effort', msg('The highest effort that this model accepts.')],
  'effort-removed': [msg('Removed'), 'effort', msg('This model has no effort setting.')],
  'empty-message-dropped': [msg('Removed'), 'empty message', msg('Copilot rejects messages without content.')],
  'empty-text-dropped': [msg('Removed'), 'empty text', msg('Copilot rejects empty text.')],
  'field-removed': [msg('Removed'), null, rejects],
  'file-reference-left-out': [
    msg('Replaced'),
    'file reference',
    msg('Copilot can’t read files by reference; a note was put in its place.'),
  ],
  'foreign-thinking-removed': [
    msg('Removed'),
    'thinking',
    msg('Another model signed the thinking, so this model can’t read it.'),
  ],
  held: noted,
  'history-window': [msg('Removed'), 'older messages', msg('Your setting says how many turns are sent.')],
  'image-left-out': [msg('Replaced'), 'image', msg('Copilot doesn’t accept this image; a note replaces it.')],
  'image-scaled': [msg('Scaled'), 'image', msg('It was larger than this model accepts, so it was scaled down.')],
  'images-left-out': [msg('Replaced'), 'image', msg('This model accepts no more images; a note replaces the oldest.')],
  'max-tokens-clamped': [msg('Lowered'), 'max_tokens', msg('The most this model may write.')],
  'message-effort-removed': [msg('Removed'), 'effort of a message', rejects],
  'metadata-removed': [msg('Removed'), 'metadata', rejects],
  'missing-tool-result-added': [
    msg('Added'),
    'tool_result',
    msg('A tool call had no result; a note was put in its place.'),
  ],
  recovered: [msg('Removed'), null, msg('Copilot refused it, so the request was sent again without it.')],
  'refused-field-removed': [msg('Removed'), null, rejects],
  'refused-thinking-removed': [msg('Removed'), 'thinking', msg('Copilot refused this thinking before.')],
  role: [msg('Replaced'), 'role', msg('This model’s API doesn’t know it; it was sent as user.')],
  'safeguards-removed': [msg('Removed'), 'safeguards', rejects],
  'sampling-values-removed': [
    msg('Removed'),
    'temperature, top_p, top_k',
    msg('This model doesn’t support sampling values.'),
  ],
  'schema-completed': [msg('Added'), 'tools.input_schema', msg('Copilot requires a complete schema.')],
  'search-citations-removed': [msg('Removed'), 'citations', msg('They belong to a search made elsewhere.')],
  'server-tool-blocks-as-text': [
    msg('Replaced'),
    'hosted tool blocks',
    msg('Copilot can’t run this tool; its output was sent as text.'),
  ],
  'server-tool-removed': [
    msg('Removed'),
    'hosted tool',
    msg('Copilot can’t run this tool, so it was left out of the request.'),
  ],
  'stray-tool-result-as-text': [msg('Replaced'), 'tool_result', msg('Its tool call is gone; it was sent as text.')],
  'streamed-upstream': [msg('Replaced'), 'stream', msg('Asked for as a stream and put together here.')],
  'system-messages-folded': [
    msg('Moved'),
    'system messages',
    msg(
      'This model doesn’t support a system message inside a conversation. It was moved into the message before it, as a reminder.',
    ),
  ],
  'thinking-budget-clamped': [
    msg('Lowered'),
    'thinking.budget_tokens',
    msg('The thinking budget was above this model’s limit.'),
  ],
  'thinking-display-removed': [msg('Removed'), 'thinking.display', rejects],
  'thinking-off': [msg('Removed'), 'thinking', msg('Thinking can’t be used with a forced tool.')],
  'thinking-removed': [msg('Removed'), 'thinking', noThinking],
  'thinking-to-adaptive': [msg('Replaced'), 'thinking', msg('This model supports only adaptive thinking.')],
  'thinking-to-budget': [msg('Replaced'), 'thinking', noThinking],
  'tokens-estimated': [msg('Estimated'), 'token count', msg('Copilot didn’t count this request.')],
  'tool-fields-removed': [msg('Removed'), 'tools', rejects],
  'tool-loaded': [
    msg('Removed'),
    'tools.defer_loading',
    msg('This model can’t load a tool later, so it was sent at once.'),
  ],
  'tool-reference-as-text': [
    msg('Replaced'),
    'tool_reference',
    msg('This model doesn’t know it; it was sent as text.'),
  ],
  'tools-as-functions': [msg('Replaced'), 'tools', msg('Custom tools and namespaces were sent as functions.')],
  'top-level-cache-mark-removed': [msg('Removed'), 'cache_control', rejects],
  'unknown-field-removed': [msg('Removed'), null, rejects],
  'unreadable-events': [msg('Removed'), 'events', msg('They held no JSON.')],
  'webfetch-rate-limited': noted,
  'webfetch-unverified': noted,
  'web-search-here': [msg('Replaced'), 'web_search', msg('Sent as a function, which Jumpseat runs.')],
  translated: [msg('Translated'), 'body', msg('This model has no route of that API.')],
};

/** Things that no field of the API names: the table above has words for them. */
const nameless: readonly Message[] = [
  msg('attribution block'),
  msg('body'),
  msg('citations'),
  msg('effort of a message'),
  msg('empty message'),
  msg('empty text'),
  msg('events'),
  msg('file reference'),
  msg('hosted tool'),
  msg('hosted tool blocks'),
  msg('image'),
  msg('message'),
  msg('older messages'),
  msg('system messages'),
  msg('token count'),
];

function fieldWords(field: string): string {
  const words = nameless.find((one) => one === field);
  return words === undefined ? field : translated(words);
}

/** Changes in order; the model first, with the reason for the choice. */
export function changes(notes: readonly FitNote[]): Change[] {
  const chosen = notes.find(({ code }) => /^model-/.test(code));
  const sent = notes.find(({ code }) => code === 'model');
  const rest = notes.filter((note) => note !== chosen && note !== sent).map(change);
  if (chosen === undefined && sent === undefined) return rest;
  const { before, after } = readText(sent?.text ?? '');
  const because = chosen === undefined ? t('The same model, spelled Copilot’s way.') : inShownLanguage(chosen.text);
  return [{ verb: msg('Replaced'), field: 'model', before, after, count: 1, because }, ...rest];
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

/** What the person's rules changed, a sentence each; else that one was for it, which may only limit its requests. */
export function ruleSentences({ fits, rule }: Pick<Exchange, 'fits' | 'rule'>): string[] {
  const { ofRules } = changesByOrigin(fits);
  if (ofRules.length === 0 && rule !== undefined)
    return [t('Your rule for {when} was followed.', { when: whenInWords(rule) })];
  return ofRules.map(({ verb, field, before, after, because }) =>
    before === null
      ? t('{verb} {field}. {because}', { verb: translated(verb), field, because })
      : t('{verb} {field}: {before} → {after}. {because}', {
          verb: translated(verb),
          field,
          before,
          after: after ?? '',
          because,
        }),
  );
}

function change({ code, count, text }: FitNote): Change {
  const [verb, kept, because] = known[code] ?? [];
  const byRule = code.startsWith('rule-') ? ruleInNote(text) : null;
  if (byRule !== null) return changedByRule(byRule, count);
  const { before, after, field } = readText(text);
  if (code === 'betas-removed') return betasRemoved(text, count);
  return {
    verb: verb ?? msg('Changed'),
    field: kept === null || kept === undefined ? field : fieldWords(kept),
    before,
    after,
    count,
    because: because ? translated(because) : because === null || before === null ? '' : inShownLanguage(text),
  };
}

function changedByRule({ rule, field, before, after, reason }: RuleNote, count: number): Change {
  const because =
    field === 'model'
      ? reason === null
        ? t('The fallback of your {rule}.', { rule })
        : t('The fallback of your {rule}: {reason}.', { rule, reason })
      : reason === null
        ? t('Your {rule}.', { rule })
        : t('Your {rule}: {reason}.', { rule, reason });
  if (before === null)
    return { verb: msg('Changed'), field: `${field}: ${after}`, before, after: null, count, because };
  return { verb: msg('Replaced'), field, before, after, count, because };
}

/** `beta removed: context-1m-2025-08-07` names which; rows of earlier versions name none. */
function betasRemoved(text: string, count: number): Change {
  const [, names] = text.replace(/ ×\d+$/, '').split(': ', 2);
  const because =
    count === 1
      ? t('Copilot doesn’t know this beta. If a field had to go with it, it is listed here too.')
      : t('Copilot doesn’t know these betas. If a field had to go with them, it is listed here too.');
  const field = names === undefined ? 'anthropic-beta' : `anthropic-beta: ${names}`;
  return { verb: msg('Removed'), field, before: null, after: null, count, because };
}

/** `max_tokens 128000 → 64000` holds an old and a new value; `effort removed` only what went. */
function readText(text: string): { field: string; before: string | null; after: string | null } {
  const arrow = /^(?:.*?[\s:])??(\S+) → (.+)$/.exec(text);
  if (arrow !== null)
    return { field: text.split(/[\s:]/, 1)[0] ?? text, before: arrow[1] ?? null, after: arrow[2] ?? null };
  const field = inShownLanguage(text);
  return {
    field: field === text ? text.replace(/ (removed|added|dropped|renamed|refused; sent again without)$/, '') : field,
    before: null,
    after: null,
  };
}

const ruleNoted = /^(rule \d+ \(.*?\)): (effort|account|model) (?:(\S+) → )?(.+?)(?: \((.*)\))?$/;

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
  const [, rule, field, before = null, after, reason] = ruleNoted.exec(text) ?? [];
  if (rule === undefined || field === undefined || after === undefined) return null;
  return {
    rule: inShownLanguage(rule),
    field,
    before,
    after,
    reason: reason === undefined ? null : inShownLanguage(reason),
  };
}
