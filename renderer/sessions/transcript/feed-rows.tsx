import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import classNames from 'classnames/bind';
import { type RefObject, useEffect, useRef } from 'react';
import { t } from '../../../app/language/translate.ts';
import { oneLine } from '../../../app/words/text.ts';
import { clockTime } from '../../../app/words/times.ts';
import { Person } from '../../parts/icons.tsx';
import type { StepState, Turn } from '../state/conversation.ts';
import { type Item, saidIn } from './items.ts';
import type { OpenSteps } from './place.ts';
import styles from './transcript.module.css';

const css = classNames.bind(styles);

/** Drawn above and below the view, in heights of the view. */
const screensAround = 1;
export const stuckHeight = 30;

/** The same function for as long as the keys are the same: another one has every place worked out anew. */
export function useStableKeys(items: readonly Item[]): (index: number) => string {
  const known = useRef<{ items: readonly Item[]; keyOf: (index: number) => string } | null>(null);
  const before = known.current;
  const isSame =
    before !== null &&
    (before.items === items ||
      (before.items.length === items.length && items.every(({ key }, index) => before.items[index]?.key === key)));
  if (before !== null && isSame) return before.keyOf;
  const keyOf = (index: number): string => items[index]?.key ?? `none-${index}`;
  known.current = { items, keyOf };
  return keyOf;
}

/**
 * The items in view and a screen around them.
 * @param measured as they were placed before: an item that came since stands nowhere in it, and is no way further
 */
export function around(
  range: Range,
  element: Element | null,
  measured: readonly { start: number; end: number }[],
): number[] {
  const more = (element?.clientHeight ?? 800) * screensAround;
  const startOf = (index: number): number => measured[index]?.start ?? Number.NEGATIVE_INFINITY;
  const endOf = (index: number): number => measured[index]?.end ?? Number.POSITIVE_INFINITY;
  let { startIndex, endIndex } = range;
  const [top, bottom] = [startOf(startIndex), endOf(endIndex)];
  while (startIndex > 0 && startOf(startIndex) > top - more) startIndex -= 1;
  while (endIndex < range.count - 1 && endOf(endIndex) < bottom + more) endIndex += 1;
  return defaultRangeExtractor({ ...range, startIndex, endIndex, overscan: 0 });
}

export function groupsOf(items: readonly Item[]): { turnId: string; inTurn: Item[] }[] {
  const groups: { turnId: string; inTurn: Item[] }[] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.turnId === item.turnId) last.inTurn.push(item);
    else groups.push({ turnId: item.turnId, inTurn: [item] });
  }
  return groups;
}

/** Where to scroll to an item: nowhere if all of it is visible, otherwise near the edge it comes from. */
export function offsetOf(element: HTMLElement | null, item: { start: number; end: number } | undefined): number {
  if (element === null || item === undefined) return stuckHeight + 10;
  const offset = item.start - element.scrollTop;
  const lowest = element.clientHeight - Math.min(item.end - item.start, element.clientHeight / 2) - 10;
  return Math.max(stuckHeight + 10, Math.min(lowest, offset));
}

/** An item comes into the page a moment after it was gone to. */
export function focusWhenDrawn(scroller: RefObject<HTMLElement | null>, key: string, tries = 20): void {
  const row = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [])].find(
    ({ dataset }) => dataset.key === key,
  );
  if (row === undefined && tries > 0) requestAnimationFrame(() => focusWhenDrawn(scroller, key, tries - 1));
  else (row?.querySelector<HTMLElement>('[data-step]') ?? scroller.current)?.focus({ preventScroll: true });
}

/** Room above: lines of one box touch. */
export function isJoined(item: Item): boolean {
  return 'edge' in item && !item.edge.isFirst;
}

/** Accessible name of a turn: `Prompt, 10:39:41`. */
export function turnName({ startedAt, begunBy }: Pick<Turn, 'startedAt' | 'begunBy'>): string {
  const what =
    begunBy === 'prompt' ? t('Prompt') : begunBy === 'notification' ? t('Background task') : t('Earlier conversation');
  return startedAt === null ? what : `${what}, ${clockTime(startedAt)}`;
}

/** The one thing that opens by itself: a step that fails as the last one, while a person follows. */
export function useFailedStep(items: readonly Item[], isFollowing: boolean, openSteps: OpenSteps): void {
  const before = useRef<{ key: string; state: StepState } | null>(null);
  useEffect(() => {
    const last = items.findLast(({ kind }) => kind === 'step');
    const now = last?.kind === 'step' ? { key: last.key, state: last.step.state } : null;
    const was = before.current;
    before.current = now;
    if (now === null || was?.key !== now.key || was.state !== 'running') return;
    if (now.state === 'failed' && isFollowing) openSteps.set(now.key, true);
  }, [items, isFollowing, openSteps]);
}

/** The prompt of the turn that is read, where it has scrolled away. A click goes to it. */
export function StuckPrompt({ turn, show }: { turn: Turn; show: () => void }) {
  const line = oneLine(saidIn(turn).split('\n', 1)[0] ?? '', 400);
  return (
    <button
      type="button"
      className={css('stuck')}
      onClick={show}
      aria-label={t('Go to the prompt: {line}', { line: line.slice(0, 200) })}
    >
      <span>
        <Person size={14} />
        <span className="ell" dir="auto">
          {line}
        </span>
        <span className="muted figures">{turn.startedAt === null ? '' : clockTime(turn.startedAt)}</span>
      </span>
    </button>
  );
}
