import { type Language, shownLanguage } from '../../../../app/language/language.ts';
import type { Block, Step } from '../../state/conversation.ts';
import { type Item, itemsOfBlocks, saidIn } from '../items.ts';
import {
  answersOf,
  askedOfWeb,
  commandOf,
  isShownInside,
  isTooLongForLine,
  planOf,
  readingWords,
  searchResults,
  stepWords,
  textIn,
} from '../step-words.ts';

/** One match of the searched words. */
export interface Match {
  /** Key of the item in the transcript. */
  key: string;
  turnId: string;
  /** What has to be open for it to be seen, the outermost first. */
  open: readonly string[];
  /** Index of the match within this item, from 0. */
  nth: number;
}

/** A text of an item, and what has to be open for it to be seen. */
interface Sought {
  text: string;
  open: readonly string[];
}

/** More than these are neither counted nor marked. */
export const mostMatches = 10_000;
/** Depth of lanes that are shown. */
const mostLevels = 4;

/**
 * All places, the oldest first. It stops after each text, so that its caller can do something else in between:
 * a conversation may be as long as a machine made it.
 */
export function* lookingFor(
  items: readonly Item[],
  pattern: RegExp,
  cwd: string | null,
): Generator<undefined, readonly Match[]> {
  const matches: Match[] = [];
  for (const item of items) {
    for (const match of yield* matchesOf(item, pattern, cwd)) {
      matches.push(match);
      if (matches.length === mostMatches) return matches;
    }
  }
  return matches;
}

interface Looked {
  source: string;
  /** Paths are shown relative to it. */
  cwd: string | null;
  /** What steps are called depends on it. */
  language: Language;
  matches: readonly Match[];
}

/** Items are the same objects for as long as nothing of them changes: what was looked through is not again. */
const looked = new WeakMap<Item, Looked>();

function* matchesOf(item: Item, pattern: RegExp, cwd: string | null): Generator<undefined, readonly Match[]> {
  const { source } = pattern;
  const language = shownLanguage();
  const known = looked.get(item);
  if (known?.source === source && known.cwd === cwd && known.language === language) return known.matches;
  const { key, turnId } = item;
  const matches: Match[] = [];
  for (const { text, open } of textsOf(item, cwd, 0)) {
    for (const _ of placesIn(text, pattern)) {
      if (matches.length === mostMatches) break;
      matches.push({ key, turnId, open, nth: matches.length });
    }
    yield;
  }
  looked.set(item, { source, cwd, language, matches });
  return matches;
}

/** Matches of a pattern in a text, one after the other: a text of megabytes may have a million. */
export function* placesIn(text: string, pattern: RegExp): Generator<{ from: number; to: number }, void> {
  const looking = new RegExp(pattern);
  for (let found = looking.exec(text); found !== null; found = looking.exec(text)) {
    yield { from: found.index, to: looking.lastIndex };
  }
}

function* textsOf(item: Item, cwd: string | null, level: number): Iterable<Sought> {
  const { key } = item;
  const seen = (text: string): Sought => ({ text, open: [] });
  const inside = (text: string): Sought => ({ text, open: [key] });
  switch (item.kind) {
    case 'prompt':
    case 'begun':
      yield seen(saidIn(item.turn));
      break;
    case 'text':
      yield seen(drawnWords(item.block.text));
      break;
    case 'thinking':
      yield inside(item.block.text);
      break;
    case 'steered':
      yield seen(saidIn(item.block));
      break;
    case 'compaction':
      yield inside(item.block.summary ?? '');
      break;
    case 'end':
      yield seen(item.turn.problem?.text ?? '');
      break;
    case 'step':
      yield* stepTexts(item.step, key, cwd, level);
      break;
    case 'reading':
      yield* readingTexts(item.steps, key, cwd, level);
      break;
    default:
  }
}

/** About what is drawn of Markdown: marks of emphasis and addresses of links are none of the words. */
function drawnWords(markdown: string): string {
  return markdown.replaceAll(/\*\*|__|~~|`/g, '').replaceAll(/\]\([^()\s]*\)/g, ']');
}

function* readingTexts(steps: readonly Step[], key: string, cwd: string | null, level: number): Iterable<Sought> {
  const [first] = steps;
  if (first !== undefined && steps.length === 1) {
    yield* stepTexts(first, key, cwd, level);
    return;
  }
  yield { text: readingWords(steps), open: [] };
  for (const step of steps) yield* within(key, stepTexts(step, `${key}#${step.id}`, cwd, level));
}

function* stepTexts(step: Step, key: string, cwd: string | null, level: number): Iterable<Sought> {
  const { verb, object } = stepWords(step, cwd);
  // One place counts once, where all of it is shown.
  yield { text: isShownInside(step) ? verb : `${verb} ${object}`, open: [] };
  const { lane } = step;
  for (const text of [lane?.task ?? '', ...innerTexts(step)]) yield { text, open: [key] };
  if (lane !== null && level < mostLevels) yield* within(key, laneTexts(lane.blocks, key, cwd, level + 1));
}

function* laneTexts(blocks: readonly Block[], key: string, cwd: string | null, level: number): Iterable<Sought> {
  for (const item of itemsOfBlocks(blocks, '', key)) yield* textsOf(item, cwd, level);
}

function* within(outer: string, texts: Iterable<Sought>): Iterable<Sought> {
  for (const { text, open } of texts) yield { text, open: [outer, ...open] };
}

/** What a step holds, as it is shown where it is open. */
function innerTexts(step: Step): string[] {
  const { stepKind, content, input, state } = step;
  const said = textIn(content);
  // Where it went well it repeats what is shown.
  const failure = state === 'failed' ? said : '';
  switch (stepKind) {
    case 'shell': {
      const command = commandOf(step);
      return [isTooLongForLine(command) ? command : '', said];
    }
    case 'write':
    case 'edit':
    case 'notebook':
      return [...content.flatMap((part) => (part.type === 'diff' ? [goneIn(part), part.newText] : [])), failure];
    case 'plan':
      return [drawnWords(planOf(step)), failure];
    case 'question': {
      const answers = answersOf(step);
      const isKnown = answers.some(({ answer }) => answer !== null);
      return [...answers.flatMap(({ asked, answer }) => [asked, answer ?? '']), isKnown ? '' : said];
    }
    case 'web': {
      const found = searchResults(said);
      const results = found.results.flatMap(({ title, address }) => [title, address]);
      return [askedOfWeb(step) ?? '', ...results, found.said];
    }
    case 'tasks':
      return (step.tasks ?? []).map(({ text }) => text);
    case 'mcp':
    case 'other':
      return [input === null ? '' : JSON.stringify(input, null, 2), said];
    default:
      return [said];
  }
}

/** Lines that an edit took out: those that stay are in the new text. */
function goneIn({ oldText, newText }: { oldText: string | null; newText: string }): string {
  const stays = new Set(newText.split('\n'));
  return (oldText ?? '')
    .split('\n')
    .filter((line) => !stays.has(line))
    .join('\n');
}

/**
 * Where one goes on from.
 * @param top the index of the first item in view
 */
export function firstMatch(matches: readonly Match[], order: ReadonlyMap<string, number>, top: number): number {
  const below = matches.findIndex(({ key }) => (order.get(key) ?? 0) >= top);
  return below === -1 ? matches.length - 1 : below;
}

/** The same place after more was found; -1: it is gone. */
export function sameMatch(matches: readonly Match[], match: Match | undefined): number {
  if (match === undefined) return -1;
  return matches.findIndex(({ key, nth }) => key === match.key && nth === match.nth);
}
