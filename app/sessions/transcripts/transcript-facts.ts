import { isObject } from '../../formats/wire/json.ts';
import { wordsForTitle } from '../../words/sessions.ts';
import { kindOfUserLine, type Line, readLine, textOf, timeOf, wordsOf } from './line.ts';
import { isNoAnswer, synthetic } from './transcript-turns.ts';

/** What a list shows of a transcript, read from its beginning and its end alone. */
export interface TranscriptFacts {
  /** Where the session began: it is resumed there. */
  cwd: string | null;
  branch: string | null;
  /** Version of Claude Code. */
  version: string | null;
  /** `cli`, `sdk-cli` … */
  entrypoint: string | null;
  /** The person's name for it. */
  title: string | null;
  /** Claude Code's name for it. */
  agentTitle: string | null;
  /** Beginnings of what was asked. */
  firstPrompt: string | null;
  lastPrompt: string | null;
  /** ms since the epoch. */
  createdAt: number | null;
  updatedAt: number | null;
  /** What its last answer came from, and with how much effort. */
  model: string | null;
  effort: string | null;
  /** How its last turn ended; null if its last line is no end. */
  outcome: 'done' | 'cancelled' | 'failed' | 'running' | null;
  /** True for a subagent's transcript. */
  isSubagent: boolean;
  /** Something was asked in what was read of it. */
  wasAsked: boolean;
}

/** More is never shown in a list. */
const promptLength = 300;

/**
 * @param head the beginning of the file
 * @param tail its end; both are the whole file where that is short. The first line of a part of a file may be cut.
 */
export function factsFrom(head: string, tail: string): TranscriptFacts {
  const facts: TranscriptFacts = {
    ...{ cwd: null, branch: null, version: null, entrypoint: null, title: null, agentTitle: null },
    ...{ firstPrompt: null, lastPrompt: null, createdAt: null, updatedAt: null, isSubagent: false, wasAsked: false },
    ...{ model: null, effort: null, outcome: null },
  };
  readHead(head, facts);
  readTail(tail, facts);
  return facts;
}

function readHead(head: string, facts: TranscriptFacts): void {
  for (const text of head.split('\n')) {
    const line = readLine(text);
    if (line === null) continue;
    facts.createdAt ??= timeOf(line);
    facts.cwd ??= textOf(line.cwd);
    facts.branch ??= textOf(line.gitBranch);
    facts.version ??= textOf(line.version);
    facts.entrypoint ??= textOf(line.entrypoint);
    readNames(line, facts);
    if (line.type !== 'user') continue;
    if (line.isSidechain === true) {
      facts.isSubagent = true;
      return;
    }
    const kind = kindOfUserLine(line);
    facts.wasAsked ||= kind === 'prompt' || kind === 'summary';
    if (kind !== 'prompt') continue;
    facts.firstPrompt = wordsIn(line);
    if (facts.firstPrompt !== null) return;
  }
}

/** True if more of a beginning would add nothing. */
export function tellsPrompt(head: string): boolean {
  const { firstPrompt, isSubagent } = factsFrom(head, '');
  return firstPrompt !== null || isSubagent;
}

/** True if the end shows how the last turn ended: its last lines may be longer than what was read. */
export function tellsOutcome(tail: string): boolean {
  return factsFrom('', tail).outcome !== null;
}

function readTail(tail: string, facts: TranscriptFacts): void {
  const lines = tail.split('\n');
  let updatedAt: number | null = null;
  let branch: string | null = null;
  let outcome: TranscriptFacts['outcome'] | undefined;
  const late: TranscriptFacts = { ...facts, title: null, agentTitle: null, lastPrompt: null };
  for (const text of lines.reverse()) {
    const isWanted = updatedAt === null || late.lastPrompt === null || outcome === undefined || facts.model === null;
    if (!mayTell(text, isWanted)) continue;
    const line = readLine(text);
    if (line === null) continue;
    updatedAt ??= timeOf(line);
    if (outcome === undefined) outcome = outcomeIn(line);
    branch ??= textOf(line.gitBranch);
    if (line.type === 'user' && late.lastPrompt === null && kindOfUserLine(line) === 'prompt') {
      late.lastPrompt = wordsIn(line);
      facts.wasAsked = true;
    }
    if (line.type === 'assistant') {
      facts.wasAsked = true;
      readModel(line, facts);
    }
    readNames(line, late);
  }
  facts.title = late.title ?? facts.title;
  facts.agentTitle = late.agentTitle ?? facts.agentTitle;
  facts.lastPrompt = late.lastPrompt;
  facts.outcome = outcome ?? null;
  facts.branch = branch ?? facts.branch;
  facts.updatedAt = updatedAt ?? facts.createdAt;
}

/** The last answer counts; what Claude Code says by itself is of no model. */
function readModel(line: Line, facts: TranscriptFacts): void {
  const model = isObject(line.message) ? textOf(line.message.model) : null;
  if (facts.model !== null || model === null || model === synthetic || line.isSidechain === true) return;
  facts.model = model;
  facts.effort = textOf(line.effort);
}

/** How the turn ends with this line; `running` if it doesn't end. Undefined if the line doesn't say. */
function outcomeIn(line: Line): NonNullable<TranscriptFacts['outcome']> | undefined {
  if (line.isSidechain === true) return undefined;
  if (line.type === 'user') {
    const kind = kindOfUserLine(line);
    if (kind === 'echo' || kind === 'summary') return undefined;
    return kind === 'interrupted' ? 'cancelled' : 'running';
  }
  if (line.type !== 'assistant' || isNoAnswer(line)) return undefined;
  if (line.isApiErrorMessage === true) return 'failed';
  const message = isObject(line.message) ? line.message : {};
  return message.stop_reason === 'tool_use' || message.stop_reason === null ? 'running' : 'done';
}

const names = ['"custom-title"', '"ai-title"', '"summary"', '"last-prompt"'];

/** Most lines of an end are long and irrelevant here; parsing them all would be most of the work. */
function mayTell(text: string, isWanted: boolean): boolean {
  if (isWanted) return true;
  const beginning = text.slice(0, 40);
  return names.some((name) => beginning.includes(name));
}

/** The last one counts. A file is read from its end, so the first that is met is kept. */
function readNames(line: Line, facts: TranscriptFacts): void {
  if (line.type === 'custom-title') facts.title ??= textOf(line.customTitle);
  else if (line.type === 'ai-title') facts.agentTitle ??= textOf(line.aiTitle);
  else if (line.type === 'summary') facts.agentTitle ??= textOf(line.summary);
  else if (line.type === 'last-prompt') facts.lastPrompt ??= cut(textOf(line.lastPrompt));
}

/** What is attached follows as text, and as links. */
const attached = '<context ref="';
const link = /\[(@[^\]\n]*)\]\(file:\/\/[^)\n]*\)/g;

function wordsIn(line: Line): string | null {
  const texts = wordsOf(line).flatMap((block) => textOf(block.text) ?? []);
  const words = texts.filter((text) => !text.startsWith(attached)).join('\n');
  return cut(wordsForTitle(words).replaceAll(link, '$1'));
}

function cut(text: string | null): string | null {
  const short =
    text
      ?.slice(0, promptLength * 4)
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, promptLength) ?? '';
  return short === '' ? null : short;
}
