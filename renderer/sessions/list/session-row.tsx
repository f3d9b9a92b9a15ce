import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { day, dayAndTime, dayOfYear, hourAndMinute } from '../../../app/words/times.ts';
import { DotFill, Failed, More, Question, Ring, Terminal } from '../../parts/icons.tsx';
import type { SessionSign, SessionWords } from '../state/session-words.ts';
import { folderName, type ListRow } from './list-rows.ts';

const signTitles: Readonly<Record<SessionSign, string | undefined>> = {
  running: 'Running',
  waiting: 'Waits for you',
  failed: 'Failed',
  unseen: 'Done, not seen yet',
  terminal: 'Open in a terminal',
  none: undefined,
};

function Sign({ sign }: { sign: SessionSign }) {
  switch (sign) {
    case 'running':
      return <Ring size={12} />;
    case 'waiting':
      return <Question size={16} />;
    case 'failed':
      return <Failed size={16} />;
    case 'unseen':
      return <DotFill size={16} />;
    case 'terminal':
      return <Terminal size={16} />;
    case 'none':
      return null;
  }
}

export interface SessionRowProps {
  row: ListRow;
  words: SessionWords;
  /** Credits or premium requests; `–`: not known. */
  cost: string;
  /** `credits`, `premium requests` */
  unit: string;
  now: number;
  /** It is shown at the right. */
  isChosen: boolean;
  /** The keys of the list act on it. */
  isActive: boolean;
  isRenaming: boolean;
  /** The folder comes before what it does. */
  withFolder: boolean;
  /** What was found in its conversation, instead of what it does. */
  place?: { excerpt: string; marks: readonly (readonly [number, number])[] } | undefined;
  elementId: string;
  open: () => void;
  menu: (at: HTMLElement | { x: number; y: number }) => void;
  rename: (title: string | null) => void;
  endRename: () => void;
}

/** One session in two lines. */
export function SessionRow(props: SessionRowProps) {
  const { row, words, cost, now, isChosen, isActive, isRenaming, withFolder, place, elementId, open, menu } = props;
  const what = withFolder ? [folderName(row.folder), words.text].filter(Boolean).join(' · ') : words.text;
  const classes = ['session-row', `sign-${words.sign}`, isActive ? 'active' : ''];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table can't be drawn in parts like this.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys.
    <div
      id={elementId}
      role="row"
      aria-level={2}
      aria-selected={isChosen}
      aria-label={spoken(row, words, cost, props.unit)}
      className={classes.filter(Boolean).join(' ')}
      data-testid={`session-row-${row.id}`}
      onClick={open}
      onContextMenu={(event) => {
        event.preventDefault();
        menu({ x: event.clientX, y: event.clientY });
      }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus. */}
      <div role="gridcell" className="session-cell">
        <span className="sign" title={signTitles[words.sign]} aria-hidden="true">
          <Sign sign={words.sign} />
        </span>
        {isRenaming ? (
          <RenameField title={row.title} rename={props.rename} end={props.endRename} />
        ) : (
          <>
            <span className="title" title={row.title}>
              {row.title}
            </span>
            <span className="when" title={row.at === 0 ? undefined : dayAndTime(row.at)}>
              {whenOf(row.at, now)}
            </span>
            <span className="what">{place === undefined ? what : <Marked {...place} />}</span>
            <span className="cost" title={cost === '–' ? notThrough : undefined}>
              {cost}
            </span>
            <button
              type="button"
              className="button quiet icon more"
              tabIndex={-1}
              aria-label={`Actions of ${row.title}`}
              title="Actions"
              onClick={(event: MouseEvent<HTMLButtonElement>) => {
                event.stopPropagation();
                menu(event.currentTarget);
              }}
            >
              <More size={16} />
            </button>
          </>
        )}
      </div>
    </div>
  );
}

const notThrough = 'It didn’t run through Jumpseat, so its cost isn’t known.';

function spoken(row: ListRow, words: SessionWords, cost: string, unit: string): string {
  const state = signTitles[words.sign]?.toLowerCase();
  const paid = cost === '–' ? null : `${cost} ${unit}`;
  return [row.title, folderName(row.folder), state, words.text, paid].filter(Boolean).join(', ');
}

/** `10:39` of today, else `19 Nov`. */
function whenOf(at: number, now: number): string {
  if (at === 0) return '';
  return day(at) === day(now) ? hourAndMinute(at) : dayOfYear(at);
}

function Marked({ excerpt, marks }: { excerpt: string; marks: readonly (readonly [number, number])[] }) {
  const parts = marks.flatMap(([from, to], index) => [
    excerpt.slice(marks[index - 1]?.[1] ?? 0, from),
    <mark key={from}>{excerpt.slice(from, to)}</mark>,
  ]);
  return (
    <>
      {parts}
      {excerpt.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
}

interface RenameFieldProps {
  title: string;
  rename: (title: string | null) => void;
  end: () => void;
}

/** Enter keeps the name, Esc drops it; empty goes back to the agent's own. */
export function RenameField({ title, rename, end }: RenameFieldProps) {
  const [text, setText] = useState(title);
  // Ending takes the field away, which leaves it once more.
  const isOver = useRef(false);
  const leave = (isKept: boolean): void => {
    if (isOver.current) return;
    isOver.current = true;
    if (isKept && text !== title) rename(text.trim() === '' ? null : text.trim());
    end();
  };
  return (
    <input
      className="rename"
      aria-label="Name of the session"
      maxLength={200}
      value={text}
      // biome-ignore lint/a11y/noAutofocus: the person asked to rename it.
      autoFocus
      onFocus={({ target }) => target.select()}
      onClick={(event) => event.stopPropagation()}
      onChange={({ target }) => setText(target.value)}
      onBlur={() => leave(true)}
      onKeyDown={(event: KeyboardEvent) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') leave(true);
        else if (event.key === 'Escape') leave(false);
      }}
    />
  );
}
