import classNames from 'classnames/bind';
import { Fragment, memo, type ReactNode, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { msg } from '../../../app/language/messages.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { Plus } from '../../parts/icons.tsx';
import { BesideWindow } from './beside-window.ts';
import {
  type DifferenceInput,
  type DifferenceLine,
  type DifferenceSource,
  differenceOf,
  type FoundDifference,
  isSmall,
} from './difference-lines.ts';
import { useKeptPlace } from './kept-place.ts';
import { ShownText } from './shown-text.tsx';
import styles from './text.module.css';

const css = classNames.bind(styles);

const firstShown = 400;
const linesAtOnce = 100;
const nothingYet: Pick<FoundDifference, 'lines' | 'count'> = { lines: [], count: 0 };
const lookNames = { added: msg('added'), removed: msg('removed') } as const;
const signs = { added: '+', removed: '−', same: ' ' } as const;

interface DifferenceProps {
  /** The file, for screen readers. */
  path: string;
  source: DifferenceSource;
  /** Where it is too large to be shown here. */
  openFile?: () => void;
  /** Shown beside the line above a place; receives its `@@` line. */
  hunkAction?: ((header: string) => ReactNode) | undefined;
  /** A person has to judge it: however large it is, all of it is there, and nothing in it hides. */
  isJudged?: boolean;
  /** All lines are there from the beginning. */
  showsAll?: boolean;
  commenting?: Commenting | undefined;
}

/** Lines can be commented on. A line is named by its numbers before and after: `12:14`, `12:` or `:14`. */
interface Commenting {
  chosen: ReadonlySet<string>;
  /** What stands below a line. */
  below: (key: string) => ReactNode;
}

/** A difference line by line, with numbers and signs; changed words are marked. */
export const Difference = memo(function Difference(props: DifferenceProps) {
  const { path, source, openFile, hunkAction, isJudged = false, showsAll = false, commenting } = props;
  const hasHeaders = hunkAction !== undefined;
  const [isWholeWanted, setWhole] = useState(isJudged);
  const isWhole = isWholeWanted || showsAll;
  const inputs = useMemo(
    () => [{ source, hasHeaders, isWhole: isJudged, most: isWhole ? Number.POSITIVE_INFINITY : firstShown }],
    [source, isJudged, hasHeaders, isWhole],
  );
  const [found] = useDifferences(inputs);
  // What was there stays until more of it is found.
  const before = useRef<FoundDifference | null>(null);
  if (found !== undefined) before.current = found;
  const { lines, count } = found ?? before.current ?? nothingYet;
  const slices = useSlices(lines);
  const box = useRef<HTMLElement>(null);
  const scrolled = useKeptPlace(box, lines);
  if (found === null) {
    return (
      <p className={css('patch-refused')}>
        {t('Too large to compare here.')}
        {openFile !== undefined && <Button onClick={openFile}>{t('Open file')}</Button>}
      </p>
    );
  }
  return (
    <>
      <section
        ref={box}
        className={css('patch')}
        onScroll={scrolled}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        tabIndex={0}
        aria-label={t('Difference of {path}', { path })}
        aria-busy={found === undefined || undefined}
      >
        <table>
          <tbody>
            {slices.map((slice, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a difference that stays as it is.
              <Lines key={index} lines={slice} {...{ hunkAction, isJudged, commenting }} />
            ))}
          </tbody>
        </table>
      </section>
      {!isWhole && lines.length < count && (
        <LinkButton className={css('show-all')} onClick={() => setWhole(true)}>
          {t('Show all {count} lines', { count: grouped(count) })}
        </LinkButton>
      )}
    </>
  );
});

/** What is drawn of many lines: more of them with each frame, so that none takes long. */
function useSlices(lines: readonly DifferenceLine[]): readonly (readonly DifferenceLine[])[] {
  const slices = useMemo(
    () =>
      Array.from({ length: Math.ceil(lines.length / linesAtOnce) }, (_, at) =>
        lines.slice(at * linesAtOnce, (at + 1) * linesAtOnce),
      ),
    [lines],
  );
  const [drawn, setDrawn] = useState(1);
  useEffect(() => {
    if (drawn >= slices.length) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + 1));
    return () => cancelAnimationFrame(frame);
  }, [drawn, slices]);
  return slices.slice(0, drawn);
}

interface LinesProps extends Pick<DifferenceProps, 'hunkAction' | 'commenting'> {
  lines: readonly DifferenceLine[];
  isJudged: boolean;
}

const Lines = memo(function Lines({ lines, ...rest }: LinesProps) {
  // biome-ignore lint/suspicious/noArrayIndexKey: as above.
  return lines.map((line, index) => <Line key={index} line={line} {...rest} />);
});

interface LineProps extends Pick<DifferenceProps, 'hunkAction' | 'commenting'> {
  line: DifferenceLine;
  isJudged: boolean;
}

function Line({ line, hunkAction, isJudged, commenting }: LineProps) {
  if (line.look === 'gap') {
    return (
      <tr className={css('patch-gap')}>
        <td colSpan={4}>
          {isJudged ? <ShownText text={line.place} /> : line.place}
          {hunkAction?.(line.header)}
        </td>
      </tr>
    );
  }
  const { look, before, after, parts } = line;
  const key = `${before ?? ''}:${after ?? ''}`;
  const below = commenting?.below(key) ?? null;
  return (
    <>
      <tr
        className={css(look, { chosen: commenting?.chosen.has(key) })}
        data-line={commenting === undefined ? undefined : key}
      >
        <td className={css('place')}>{before}</td>
        <td className={css('place')}>{after}</td>
        <td className={css('sign')}>
          <span aria-hidden="true">{signs[look]}</span>
          {look !== 'same' && <span className="sr">{translated(lookNames[look])}</span>}
          {commenting !== undefined && (
            <button
              type="button"
              className={css('line-comment')}
              tabIndex={-1}
              aria-label={commentWords(look, after ?? before ?? 0)}
            >
              <Plus size={12} />
            </button>
          )}
        </td>
        <td className={css('line')}>
          {parts.map(({ text, isChanged }, index) => {
            const goesOn = parts.slice(index + 1).some((part) => part.text.replace(/\r$/, '') !== '');
            const shown = isJudged ? <ShownText text={text.replace(/\r$/, '')} goesOn={goesOn} /> : text;
            const Piece = isChanged ? 'mark' : Fragment;
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            return <Piece key={index}>{shown}</Piece>;
          })}
        </td>
      </tr>
      {below !== null && (
        <tr className={css('patch-comment')}>
          <td colSpan={4}>
            <div>{below}</div>
          </td>
        </tr>
      )}
    </>
  );
}

function commentWords(look: 'added' | 'removed' | 'same', line: number): string {
  switch (look) {
    case 'added':
      return t('Comment on line {line}, added', { line });
    case 'removed':
      return t('Comment on line {line}, removed', { line });
    case 'same':
      return t('Comment on line {line}', { line });
  }
}

const differences = new BesideWindow<DifferenceInput, FoundDifference>(
  () => new Worker(new URL('./difference-worker.ts', import.meta.url), { type: 'module' }),
  async (input) => differenceOf(input),
);

/** Each is worked out once for as long as its texts are held. */
const known = new WeakMap<DifferenceSource, Map<string, FoundDifference | null>>();

const keyOf = ({ most, isWhole = false, hasHeaders = false }: DifferenceInput): string =>
  `${most} ${isWhole} ${hasHeaders}`;

function keep(input: DifferenceInput, found: FoundDifference | null): FoundDifference | null {
  const ofSource = known.get(input.source) ?? new Map<string, FoundDifference | null>();
  known.set(input.source, ofSource.set(keyOf(input), found));
  return found;
}

/** Undefined: it takes longer than the window can be held. */
function found(input: DifferenceInput): FoundDifference | null | undefined {
  const before = known.get(input.source)?.get(keyOf(input));
  if (before !== undefined) return before;
  return isSmall(input) ? keep(input, differenceOf(input)) : undefined;
}

/**
 * Differences in the order in which they are given: small ones at once, large ones when they were found beside the
 * window, and undefined until then; null if it can't be compared.
 * @param inputs the same array for as long as the same is asked for
 */
export function useDifferences(inputs: readonly DifferenceInput[]): readonly (FoundDifference | null | undefined)[] {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    const missing = inputs.filter((input) => found(input) === undefined);
    if (missing.length === 0) return;
    const stopped = new AbortController();
    for (const input of missing) {
      void differences.do(input, stopped.signal).then((difference) => {
        if (stopped.signal.aborted) return;
        keep(input, difference);
        drawAgain();
      });
    }
    return () => stopped.abort();
  }, [inputs]);
  return inputs.map(found);
}
