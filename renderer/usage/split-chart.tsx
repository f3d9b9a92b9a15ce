// biome-ignore-all lint/a11y/noNoninteractiveTabindex: arrow keys move over the bars; the table has everything.
// biome-ignore-all lint/a11y/noNoninteractiveElementInteractions: as above.

import classNames from 'classnames/bind';
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import type { TotalsRow } from '../../app/api/history.ts';
import { type Message, msg } from '../../app/language/messages.ts';
import { t, translated } from '../../app/language/translate.ts';
import { creditAmount, creditsOf, grouped, premiumRequests, tokenCount } from '../../app/words/numbers.ts';
import { slotWords } from '../../app/words/usage.ts';
import { useWidth } from '../parts/width.ts';
import { type Period, type Slot, slotLabel, slotTitle } from './period.ts';
import styles from './usage.module.css';

const css = classNames.bind(styles);

const height = 188;
const bottom = 22;
const top = 8;
const left = 38;

/** `light`: a second part of the same kind as `billed`. */
type Fill = 'billed' | 'light' | 'free' | 'unknown';

/** One part of each bar. */
interface Part {
  fill: Fill;
  label: Message;
  /** The same behind a number: `129 user`. */
  inSentence: Message;
  of: (row: TotalsRow) => number;
}

/** What the bars count, and of what they are made, from below. */
interface Measure {
  label: Message;
  title: Message;
  parts: readonly Part[];
  words: (value: number) => string;
}

export type MeasureName = 'credits' | 'requests' | 'tokens';

const credits = (nanoAiu: number): number => nanoAiu / 1e9;

export const measures: Readonly<Record<MeasureName, Measure>> = {
  credits: {
    label: msg('Credits'),
    title: msg('Credits by initiator'),
    parts: [
      { fill: 'billed', label: msg('User'), inSentence: msg('user'), of: ({ userNanoAiu }) => credits(userNanoAiu) },
      { fill: 'light', label: msg('Agent'), inSentence: msg('agent'), of: ({ agentNanoAiu }) => credits(agentNanoAiu) },
      {
        fill: 'unknown',
        label: msg('Neither'),
        inSentence: msg('neither'),
        of: ({ nanoAiu, userNanoAiu, agentNanoAiu }) => credits(nanoAiu - userNanoAiu - agentNanoAiu),
      },
    ],
    words: creditAmount,
  },
  requests: {
    label: msg('Requests'),
    title: msg('Billed and free requests'),
    parts: [
      { fill: 'billed', label: msg('Billed'), inSentence: msg('billed'), of: ({ billed }) => billed },
      { fill: 'free', label: msg('Free'), inSentence: msg('free'), of: ({ free }) => free },
      { fill: 'unknown', label: msg('Unknown'), inSentence: msg('unknown'), of: ({ unknown }) => unknown },
    ],
    words: grouped,
  },
  tokens: {
    label: msg('Tokens'),
    title: msg('Tokens by kind'),
    parts: [
      { fill: 'billed', label: msg('Fresh input'), inSentence: msg('fresh input'), of: ({ input }) => input },
      {
        fill: 'free',
        label: msg('Written to cache'),
        inSentence: msg('written to cache'),
        of: ({ cacheWrite }) => cacheWrite,
      },
      {
        fill: 'light',
        label: msg('Read from cache'),
        inSentence: msg('read from cache'),
        of: ({ cacheRead }) => cacheRead,
      },
      { fill: 'unknown', label: msg('Output'), inSentence: msg('output'), of: ({ output }) => output },
    ],
    words: tokenCount,
  },
};

interface SplitChartProps {
  measure: Measure;
  period: Period;
  slots: readonly Slot[];
  /** The chart in one sentence, for screen readers. */
  sentence: string;
  /** `Billing changed on 1 Jun 2026`, before the bar of this key. */
  change: { key: string; text: string } | null;
  now: number;
  open: (slot: Slot) => void;
}

/** Amounts by time. Each part of a bar has a fill that is distinguishable without colour. */
export function SplitChart({ measure, period, slots, sentence, change, now, open }: SplitChartProps) {
  const [box, width] = useWidth<HTMLElement>();
  const [active, setActive] = useState<number | null>(null);
  const hatch = useId();
  const steps = axisSteps(Math.max(...slots.map((slot) => wholeOf(measure, slot)), 1));
  const most = steps.at(-1) ?? 1;
  const plot = Math.max(0, width - left);
  const each = plot / Math.max(1, slots.length);
  const bar = Math.max(2, Math.min(30, Math.round(each * 0.62)));
  const y = (value: number): number => height - bottom - (value / most) * (height - bottom - top);
  const centre = (index: number): number => left + (index + 0.5) * each;
  const every = labelEvery(slots.length, each, period.unit === 'day' && slots.length > 7 ? 26 : 24);
  const shown = active === null ? undefined : slots[active];
  const changeAt = change === null ? -1 : slots.findIndex(({ key }) => key === change.key);

  const point = (event: PointerEvent<SVGSVGElement>): void => {
    const index = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - left) / each);
    setActive(index >= 0 && index < slots.length ? index : null);
  };
  const press = (event: KeyboardEvent): void => {
    const last = slots.length - 1;
    const now = active ?? (event.key === 'ArrowLeft' ? slots.length : -1);
    const next = { ArrowRight: Math.min(last, now + 1), ArrowLeft: Math.max(0, now - 1), Home: 0, End: last }[
      event.key
    ];
    if (next !== undefined) setActive(next);
    else if (event.key === 'Enter' && shown !== undefined) open(shown);
    else if (event.key === 'Escape') setActive(null);
    else return;
    event.preventDefault();
  };

  return (
    <figure className={css('split-chart')} ref={box}>
      <svg
        role="img"
        aria-label={sentence}
        data-testid="chart-split"
        tabIndex={0}
        width={width}
        height={height}
        onPointerMove={point}
        onPointerLeave={() => setActive(null)}
        onClick={() => {
          if (shown !== undefined) open(shown);
        }}
        onKeyDown={press}
        onBlur={() => setActive(null)}
      >
        <defs>
          <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="5" height="5" className={css('hatch-ground')} />
            <rect width="2" height="5" className={css('hatch-line')} />
          </pattern>
        </defs>
        {steps.map((value) => (
          <g key={value}>
            <line className={css('grid-line')} x1={left} x2={width} y1={y(value) + 0.5} y2={y(value) + 0.5} />
            <text x={left - 8} y={y(value) + 4} textAnchor="end">
              {axisLabel(value)}
            </text>
          </g>
        ))}
        {active !== null && (
          <rect
            className={css('bar-ground')}
            x={left + active * each}
            y={top}
            width={each}
            height={height - bottom - top}
            rx={3}
          />
        )}
        {slots.map((slot, index) => (
          <g key={slot.key}>
            <Bar
              parts={measure.parts}
              slot={slot}
              x={Math.round(centre(index) - bar / 2)}
              width={bar}
              y={y}
              hatch={`url(#${hatch})`}
            />
            {index % every === 0 && (
              <text
                className={css({ now: slot.from <= now && now < slot.to })}
                x={centre(index)}
                y={height - 6}
                textAnchor="middle"
              >
                {slotLabel(slot, index, slots, period.unit)}
              </text>
            )}
          </g>
        ))}
        {changeAt >= 0 && (
          <g className={css('limit-change')}>
            <line x1={left + changeAt * each} x2={left + changeAt * each} y1={top} y2={height - bottom} />
            <text
              x={left + changeAt * each + (changeAt > slots.length / 2 ? -6 : 6)}
              y={top + 10}
              textAnchor={changeAt > slots.length / 2 ? 'end' : 'start'}
            >
              {change?.text}
            </text>
          </g>
        )}
      </svg>
      {shown !== undefined && active !== null && (
        <Tip
          measure={measure}
          slot={shown}
          period={period}
          at={Math.max(left, Math.min(centre(active), width))}
          flip={active > slots.length / 2}
        />
      )}
      <span className="sr" aria-live="polite">
        {shown === undefined ? '' : slotWords(slotTitle(shown, period.unit), shown.row)}
      </span>
    </figure>
  );
}

interface BarProps {
  parts: readonly Part[];
  slot: Slot;
  x: number;
  width: number;
  y: (value: number) => number;
  hatch: string;
}

/** Half of the gap between two parts of a bar. */
const gap = 0.75;

function Bar({ parts, slot: { row }, x, width, y, hatch }: BarProps) {
  if (row === null) return null;
  let below = 0;
  return (
    <>
      {parts.map(({ fill, of }) => {
        const amount = of(row);
        if (amount <= 0) return null;
        const lower = y(below) - (below === 0 ? 0 : gap);
        const upper = y(below + amount) + gap;
        below += amount;
        const edge = fill === 'billed' ? 0 : 0.5;
        return (
          <rect
            key={fill}
            className={css('bar', fill)}
            {...(fill === 'unknown' ? { fill: hatch } : {})}
            x={x + edge}
            y={upper + edge}
            width={Math.max(1, width - 2 * edge)}
            height={Math.max(1, lower - upper - 2 * edge)}
          />
        );
      })}
    </>
  );
}

interface TipProps {
  measure: Measure;
  slot: Slot;
  period: Period;
  at: number;
  flip: boolean;
}

function Tip({ measure, slot, period, at, flip }: TipProps) {
  const { row } = slot;
  return (
    <div className={css('chart-tip', 'small', { flip: flip })} style={{ left: `${at}px` }} aria-hidden="true">
      <b>{slotTitle(slot, period.unit)}</b>
      {row === null ? (
        <span className="muted">{t('No requests')}</span>
      ) : (
        <dl>
          {measure.parts.map(({ fill, label, of }) => (
            <div key={fill}>
              <dt>
                <Swatch kind={fill} />
                {translated(label)}
              </dt>
              <dd>{measure.words(of(row))}</dd>
            </div>
          ))}
          {row.nanoAiu > 0 && (
            <div className={css('tip-sum')}>
              <dt>{t('Credits')}</dt>
              <dd>{creditsOf(row.nanoAiu)}</dd>
            </div>
          )}
          {row.premiumRequests > 0 && (
            <div className={css('tip-sum')}>
              <dt>{t('Premium')}</dt>
              <dd>{premiumRequests(row.premiumRequests)}</dd>
            </div>
          )}
        </dl>
      )}
    </div>
  );
}

function wholeOf({ parts }: Measure, { row }: Slot): number {
  return row === null ? 0 : parts.reduce((all, { of }) => all + of(row), 0);
}

/** `500`, `20k`, `1.5M`: there is little room beside the bars. */
function axisLabel(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  return value >= 1e4 ? `${value / 1e3}k` : grouped(value);
}

/** The steps of an axis: whole numbers, at most five of them above zero. */
export function axisSteps(most: number): number[] {
  const steps = [1, 2, 5];
  let step = 1;
  for (let power = 1, index = 0; Math.ceil(Math.max(most, 1) / step) > 5; index += 1) {
    if (index > 0 && index % steps.length === 0) power *= 10;
    step = (steps[index % steps.length] ?? 1) * power;
  }
  const top = Math.ceil(Math.max(most, 1) / step);
  return Array.from({ length: top + 1 }, (_, index) => index * step);
}

/** Every how many bars there is room for a label. */
export function labelEvery(count: number, barWidth: number, labelWidth: number): number {
  const every = Math.max(1, Math.ceil(labelWidth / Math.max(1, barWidth)));
  // Fewer steps that are easier to read on.
  return every >= count ? count : ([1, 2, 3, 5, 6, 7, 10, 12].find((nice) => nice >= every) ?? every);
}

/** Solid, light with a darker edge, hatched: distinguishable without colour. */
export function Swatch({ kind }: { kind: Fill }) {
  return <i className={css('swatch', kind)} aria-hidden="true" />;
}
