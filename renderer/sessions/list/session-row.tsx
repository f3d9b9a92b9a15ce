import { type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef, useState } from 'react';
import type { SessionEditSum } from '../../../app/api/session-list.ts';
import { costUnknown, unknownBecause } from '../../../app/words/charge.ts';
import { counted, grouped } from '../../../app/words/numbers.ts';
import { folderName, titleParts } from '../../../app/words/sessions.ts';
import { capital, oneLine } from '../../../app/words/text.ts';
import { day, dayAndTime, dayOfYear, hourAndMinute } from '../../../app/words/times.ts';
import { LinkButton } from '../../parts/button.tsx';
import { DotFill, External, Failed, Fork, GoBack, More, Question, Ring, Terminal } from '../../parts/icons.tsx';
import { Marked } from '../../parts/marked.tsx';
import { AnswerButton, Armed, type GiveAnswer, useArmed } from '../questions/answering.tsx';
import { unknownCost } from '../session-costs.ts';
import type { SessionSign, SessionWords } from '../state/session-words.ts';
import type { Place } from './entries.ts';
import type { ListRow } from './list-rows.ts';
import type { ShortQuestion } from './short-question.ts';

const signTitles: Readonly<Record<SessionSign, string | undefined>> = {
  running: 'Running',
  waiting: 'Waits for you',
  failed: 'Failed',
  unseen: 'Done, not seen yet',
  terminal: 'Open in a terminal',
  program: 'Open in another program',
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
    case 'program':
      return <External size={16} />;
    case 'none':
      return null;
  }
}

interface SessionRowProps {
  row: ListRow;
  words: SessionWords;
  /** Credits or premium requests; `–`: unknown; empty: not read yet. */
  cost: string;
  /** `credits`, `premium requests` */
  unit: string;
  /** What its edits changed; undefined until it is known. */
  sum: SessionEditSum | undefined;
  now: number;
  /** True if it is shown at the right. */
  isChosen: boolean;
  /** The keys of the list act on it. */
  isActive: boolean;
  isRenaming: boolean;
  /** The folder comes before what it does. */
  withFolder: boolean;
  /** What was found in its conversation, instead of what it does. */
  place: Place | undefined;
  /** Ranges of the searched words in its title. */
  titleMarks: readonly (readonly [number, number])[];
  /** What can be answered in it; null if nothing. */
  asks: ShortQuestion | 'look' | null;
  /** Position of the row in the list, in pixels. */
  at: number;
  give: GiveAnswer;
  elementId: string;
  open: () => void;
  /** In a further window: with Ctrl, or the middle button. */
  openBeside: () => void;
  menu: (at: HTMLElement | { x: number; y: number }) => void;
  rename: (title: string | null) => void;
  endRename: RenameFieldProps['end'];
}

/** One session in two lines. */
export function SessionRow(props: SessionRowProps) {
  const { row, words, cost, now, isChosen, isActive, isRenaming, withFolder, place, asks, elementId, open, menu } =
    props;
  const [name, copy] = titleParts(row.title);
  // Where what was looked for is marked, title and excerpt stand whole.
  const isApart = copy !== '' && place === undefined && props.titleMarks.length === 0;
  const whose = [withFolder ? folderName(row.folder) : ''];
  const branch = branchOf(row) ?? '';
  // A time says nothing once it is cut off.
  const isRetrying = row.held?.retry !== undefined;
  const what = (isRetrying ? [words.text, ...whose, branch] : [...whose, words.text, branch])
    .filter(Boolean)
    .join(' · ');
  const classes = ['session-row', `sign-${words.sign}`, isActive ? 'active' : '', asks === null ? '' : 'tall'];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table can't be drawn in parts like this.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys.
    <div
      id={elementId}
      role="row"
      aria-level={2}
      aria-selected={isChosen}
      aria-label={spoken(props)}
      className={classes.filter(Boolean).join(' ')}
      data-testid={`session-row-${row.id}`}
      onClick={(event) => (event.ctrlKey || event.metaKey ? props.openBeside() : open())}
      onAuxClick={(event) => {
        if (event.button === 1) props.openBeside();
      }}
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
              {isApart && <CopyMark kind={copy.slice(2)} />}
              {isApart && ' '}
              {isApart ? <Marked text={name} marks={[]} /> : <Marked text={row.title} marks={props.titleMarks} />}
            </span>
            <span className="when" title={row.at === 0 ? undefined : dayAndTime(row.at)}>
              {whenOf(row.at, now)}
            </span>
            <span className="what" title={place === undefined ? what : undefined}>
              {place === undefined ? (
                <>
                  <span>{what}</span>
                  <Changed sum={props.sum} />
                </>
              ) : (
                <Marked text={place.excerpt} marks={place.marks} />
              )}
            </span>
            <span className="cost" title={titles[cost]}>
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
            {asks !== null && <RowAnswer {...{ asks, title: row.title, at: props.at, give: props.give }} look={open} />}
          </>
        )}
      </div>
    </div>
  );
}

/** Why there is no sum. */
const titles: Readonly<Record<string, string>> = {
  [unknownCost]: 'It didn’t run through Jumpseat, so its cost isn’t known.',
  [costUnknown]: unknownBecause,
};

/** `Move all dates to UTC, parcel-api, waits for you, asks to run a command, 12.90 credits` */
function spoken({ row, words, cost, unit, sum }: SessionRowProps): string {
  const does = words.text.charAt(0).toLowerCase() + words.text.slice(1);
  const isSum = cost !== '' && cost !== unknownCost && cost !== costUnknown;
  const paid = isSum ? `${cost} ${unit}` : cost === costUnknown ? 'cost unknown' : null;
  const branch = branchOf(row);
  const parts = [
    ...[row.title, folderName(row.folder), spokenSigns[words.sign], does],
    ...[branch === null ? null : `branch ${branch}`, spokenSum(sum), paid],
  ].filter(Boolean);
  return [...new Set(parts)].join(', ');
}

/** As the conversation last had it; null without a repository, or on no branch. */
function branchOf({ listed }: Pick<ListRow, 'listed'>): string | null {
  const branch = listed?.branch ?? null;
  return branch === null || branch === 'HEAD' ? null : oneLine(branch);
}

/** `12 lines added, 3 removed`; null if nothing was. */
function spokenSum(sum: SessionEditSum | undefined): string | null {
  const { added = 0, removed = 0 } = sum ?? {};
  const parts = [
    ...(added > 0 ? [`${counted(added, 'line')} added`] : []),
    ...(removed > 0 ? [`${counted(removed, 'line')} removed`] : []),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** A copy is told from its original before the title, whose end may be cut off. */
function CopyMark({ kind }: { kind: string }) {
  const isFork = kind.startsWith('fork');
  const number = /\d+$/.exec(kind)?.[0] ?? '';
  return (
    <span className="copy-mark" title={capital(kind)}>
      {isFork ? <Fork size={12} /> : <GoBack size={12} />}
      {`${isFork ? 'Fork' : 'Copy'} ${number}`.trim()}
    </span>
  );
}

/** Lines that its edits added and removed; zeros are left out. */
function Changed({ sum }: { sum: SessionEditSum | undefined }) {
  if (sum === undefined || sum.added + sum.removed === 0) return null;
  return (
    <span className="changed">
      {sum.added > 0 && <span className="plus">+{grouped(sum.added)}</span>}
      {sum.removed > 0 && <span className="minus">−{grouped(sum.removed)}</span>}
    </span>
  );
}

const spokenSigns: Readonly<Record<SessionSign, string | null>> = {
  running: 'running',
  waiting: 'waits for you',
  failed: 'failed',
  unseen: 'not seen yet',
  terminal: null,
  program: null,
  none: null,
};

/** `10:39` of today, else `19 Nov`. */
function whenOf(at: number, now: number): string {
  if (at === 0) return '';
  return day(at) === day(now) ? hourAndMinute(at) : dayOfYear(at);
}

interface RenameFieldProps {
  title: string;
  rename: (title: string | null) => void;
  /** `byKey`: the field had the keyboard until then. */
  end: (byKey: boolean) => void;
}

/** Enter keeps the name, Esc drops it; empty goes back to the agent's own. */
export function RenameField({ title, rename, end }: RenameFieldProps) {
  const [text, setText] = useState(title);
  // Ending takes the field away, which leaves it once more.
  const isOver = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    before.current = document.activeElement;
    field.current?.focus();
    field.current?.select();
  }, []);
  const leave = (isKept: boolean, byKey: boolean): void => {
    if (isOver.current) return;
    isOver.current = true;
    if (byKey && before.current instanceof HTMLElement) before.current.focus();
    if (isKept && text !== title) rename(text.trim() === '' ? null : text.trim());
    end(byKey);
  };
  return (
    <input
      ref={field}
      className="rename"
      aria-label="Name of the session"
      maxLength={200}
      value={text}
      onClick={(event) => event.stopPropagation()}
      onChange={({ target }) => setText(target.value)}
      onBlur={() => leave(true, false)}
      onKeyDown={(event: KeyboardEvent) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        // It would press what the focus goes to.
        event.preventDefault();
        leave(event.key === 'Enter', true);
      }}
    />
  );
}

interface RowAnswerProps {
  /** `look`: it can't be judged here. */
  asks: ShortQuestion | 'look';
  title: string;
  /** Position of the row in the list. */
  at: number;
  give: GiveAnswer;
  look: () => void;
}

/** What a session asks, and the answers to it, in its row of the list. */
function RowAnswer({ asks, title, at, give, look }: RowAnswerProps) {
  // A row that has just moved under the pointer may not take what was meant for another.
  const armed = useArmed(asks === 'look' ? '' : `${asks.question.id} ${at}`);
  const toLook = (
    <LinkButton
      className="look"
      aria-label={`Look at ${title}`}
      onClick={(event) => {
        event.stopPropagation();
        look();
      }}
    >
      Look
    </LinkButton>
  );
  if (asks === 'look') return <span className="session-answer">{toLook}</span>;
  const { question, command } = asks;
  return (
    <Armed value={armed}>
      <span className="answer-command mono" data-testid={`row-command-${question.sessionId}`}>
        {command}
      </span>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the buttons is not meant for the row. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above. */}
      <span className="session-answer" onClick={(event) => event.stopPropagation()}>
        <AnswerButton run={() => void give(question, { answer: 'allow' })}>Allow once</AnswerButton>
        <AnswerButton run={() => void give(question, { answer: 'deny' })}>Deny</AnswerButton>
        {toLook}
      </span>
    </Armed>
  );
}
