import type { Block, Step } from '../../state/model.ts';
import { type Item, itemsOfBlocks, saidIn } from '../items.ts';
import { commandOf, planOf, readingWords, stepWords, textIn } from '../step-words.ts';

/** One place where the words stand that are looked for. */
export interface Match {
  /** Of the item in the transcript. */
  key: string;
  turnId: string;
  /** What has to be open for it to be seen, the outermost first. */
  open: readonly string[];
  /** Which of those in this item it is, counted from 0. */
  nth: number;
}

/** A text of an item, and what has to be open for it to be seen. */
interface Sought {
  text: string;
  open: readonly string[];
}

/** More than these are not counted. */
const mostMatches = 10_000;
/** As deep as lanes are shown. */
const mostLevels = 4;

/** All places, the oldest first. */
export function matchesIn(items: readonly Item[], pattern: RegExp, cwd: string | null): Match[] {
  const matches: Match[] = [];
  for (const item of items) {
    matches.push(...matchesOf(item, pattern, cwd));
    if (matches.length >= mostMatches) return matches.slice(0, mostMatches);
  }
  return matches;
}

/** Items are the same objects for as long as nothing of them changes: what was looked through is not again. */
const looked = new WeakMap<Item, { source: string; matches: readonly Match[] }>();

function matchesOf(item: Item, pattern: RegExp, cwd: string | null): readonly Match[] {
  const known = looked.get(item);
  if (known?.source === pattern.source) return known.matches;
  const { key, turnId } = item;
  const places = textsOf(item, cwd, 0).flatMap(({ text, open }) => [...text.matchAll(pattern)].map(() => open));
  const matches = places.slice(0, mostMatches).map((open, nth) => ({ key, turnId, open, nth }));
  looked.set(item, { source: pattern.source, matches });
  return matches;
}

function textsOf(item: Item, cwd: string | null, level: number): Sought[] {
  const { key } = item;
  const seen = (text: string): Sought[] => [{ text, open: [] }];
  const inside = (text: string): Sought[] => [{ text, open: [key] }];
  switch (item.kind) {
    case 'prompt':
    case 'begun':
      return seen(saidIn(item.turn));
    case 'text':
      return seen(drawnWords(item.block.text));
    case 'thinking':
      return inside(item.block.text);
    case 'steered':
      return seen(saidIn(item.block));
    case 'compaction':
      return inside(item.block.summary ?? '');
    case 'end':
      return seen(item.turn.problem?.text ?? '');
    case 'step':
      return stepTexts(item.step, key, cwd, level);
    case 'reading':
      return readingTexts(item.steps, key, cwd, level);
    default:
      return [];
  }
}

/** About what is drawn of Markdown: marks of emphasis and addresses of links are none of the words. */
function drawnWords(markdown: string): string {
  return markdown.replaceAll(/\*\*|__|~~|`/g, '').replaceAll(/\]\([^()\s]*\)/g, ']');
}

function readingTexts(steps: readonly Step[], key: string, cwd: string | null, level: number): Sought[] {
  const [first] = steps;
  if (first !== undefined && steps.length === 1) return stepTexts(first, key, cwd, level);
  const lines = steps.flatMap((step) => within([key], stepTexts(step, `${key}#${step.id}`, cwd, level)));
  return [{ text: readingWords(steps), open: [] }, ...lines];
}

function stepTexts(step: Step, key: string, cwd: string | null, level: number): Sought[] {
  const { verb, object } = stepWords(step, cwd);
  const { lane } = step;
  const held = [lane?.task ?? '', ...innerTexts(step)].map((text) => ({ text, open: [key] }));
  const below = lane === null || level >= mostLevels ? [] : within([key], laneTexts(lane.blocks, key, cwd, level + 1));
  return [{ text: `${verb} ${object}`, open: [] }, ...held, ...below];
}

function laneTexts(blocks: readonly Block[], key: string, cwd: string | null, level: number): Sought[] {
  return itemsOfBlocks(blocks, '', key).flatMap((item) => textsOf(item, cwd, level));
}

function within(outer: readonly string[], texts: readonly Sought[]): Sought[] {
  return texts.map(({ text, open }) => ({ text, open: [...outer, ...open] }));
}

/** What a step holds, as it is shown where it is open. */
function innerTexts(step: Step): string[] {
  const { stepKind, content, input } = step;
  const said = textIn(content);
  switch (stepKind) {
    case 'shell': {
      const command = commandOf(step);
      return [command.includes('\n') || command.length > 80 ? command : '', said];
    }
    case 'write':
    case 'edit':
    case 'notebook':
      return [...content.flatMap((part) => (part.type === 'diff' ? [goneIn(part), part.newText] : [])), said];
    case 'plan':
      return [planOf(step)];
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
