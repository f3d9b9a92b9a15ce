import classNames from 'classnames/bind';
import { type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef, useState } from 'react';
import type { SessionEditSum } from '../../../app/api/session-list.ts';
import { type Message, msg } from '../../../app/language/messages.ts';
import { asSentence, sentences } from '../../../app/language/sentences.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { costUnknown, unknownBecause } from '../../../app/words/charge.ts';
import type { World } from '../../../app/words/exchange-cells.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { folderName, titleParts } from '../../../app/words/sessions.ts';
import { inSentence, oneLine } from '../../../app/words/text.ts';
import { day, dayAndTime, dayOfYear, hourAndMinute } from '../../../app/words/times.ts';
import { LinkButton } from '../../parts/button.tsx';
import { DotFill, External, Failed, Fork, GoBack, More, Question, Ring, Terminal } from '../../parts/icons.tsx';
import { Marked } from '../../parts/marked.tsx';
import { AnswerButton, Armed, type GiveAnswer, useArmed } from '../questions/answering.tsx';
import { unknownCost } from '../session-costs.ts';
import type { SessionSign, SessionWords } from '../state/session-words.ts';
import type { Place } from './entries.ts';
import type { ListRow } from './list-rows.ts';
import styles from './session-list.module.css';
import type { ShortQuestion } from './short-question.ts';

const css = classNames.bind(styles);

const signTitles: Readonly<Record<SessionSign, Message | null>> = {
  running: msg('Running'),
  waiting: msg('Waits for you'),
  failed: msg('Failed'),
  unseen: msg('Done, not seen yet'),
  terminal: msg('Open in a terminal'),
  program: msg('Open in another program'),
  none: null,
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
  /** The same in words. */
  costInFull: string;
  world: World;
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
      className={css('session-row', `sign-${words.sign}`, { active: isActive, tall: asks !== null })}
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
      <div role="gridcell" className={css('session-cell')}>
        <span className={css('sign')} title={shownTitle(signTitles[words.sign])} aria-hidden="true">
          <Sign sign={words.sign} />
        </span>
        {isRenaming ? (
          <RenameField title={name} rename={props.rename} end={props.endRename} />
        ) : (
          <>
            <span className={css('title', 'ell')} title={row.title}>
              {isApart && <CopyMark kind={copy.slice(2)} />}
              {isApart && ' '}
              {isApart ? <Marked text={name} marks={[]} /> : <Marked text={row.title} marks={props.titleMarks} />}
            </span>
            <span className={css('when')} title={row.at === 0 ? undefined : dayAndTime(row.at)}>
              {whenOf(row.at, now)}
            </span>
            <span className={css('what', 'ell')} title={place === undefined ? what : undefined}>
              {place === undefined ? (
                <>
                  <span>{what}</span>
                  <Changed sum={props.sum} />
                </>
              ) : (
                <Marked text={place.excerpt} marks={place.marks} />
              )}
            </span>
            <span className={css('cost')} title={costTitle(props)}>
              {cost}
            </span>
            <button
              type="button"
              className={css('button', 'quiet', 'icon', 'more')}
              tabIndex={-1}
              aria-label={t('Actions of {title}', { title: row.title })}
              title={t('Actions')}
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

const shownTitle = (title: Message | null): string | undefined => (title === null ? undefined : translated(title));

/** Why there is no sum, or what its sign stands for; undefined where the sum says all. */
function costTitle({ cost, costInFull, world }: SessionRowProps): string | undefined {
  if (cost !== costInFull) return sentences(asSentence(paidWords(costInFull, world)), unknownBecause());
  if (cost === unknownCost) return t('It didn’t run through Jumpseat, so its cost isn’t known.');
  return cost === costUnknown() ? unknownBecause() : undefined;
}

/** `Move all dates to UTC, parcel-api, waits for you, asks to run a command, 12.90 credits` */
function spoken({ row, words, costInFull: cost, world, sum }: SessionRowProps): string {
  const isSum = cost !== '' && cost !== unknownCost && cost !== costUnknown();
  const paid = isSum ? paidWords(cost, world) : cost === costUnknown() ? t('cost unknown') : null;
  const sign = spokenSigns[words.sign];
  const branch = branchOf(row);
  const parts = [
    ...[row.title, folderName(row.folder), sign === null ? null : translated(sign), inSentence(words.text)],
    ...[branch === null ? null : t('branch {branch}', { branch }), spokenSum(sum), paid],
  ].filter(Boolean);
  return [...new Set(parts)].join(', ');
}

function paidWords(cost: string, world: World): string {
  return t('{cost} {world, select, premium {premium requests} other {credits}}', { cost, world });
}

/** As the conversation last had it; null without a repository, or on no branch. */
function branchOf({ listed }: Pick<ListRow, 'listed'>): string | null {
  const branch = listed?.branch ?? null;
  return branch === null || branch === 'HEAD' ? null : oneLine(branch);
}

/** `12 lines added, 3 lines removed`; null if nothing was. */
function spokenSum(sum: SessionEditSum | undefined): string | null {
  const { added = 0, removed = 0 } = sum ?? {};
  if (added > 0 && removed > 0)
    return t(
      '{added, plural, one {# line} other {# lines}} added, {removed, plural, one {# line} other {# lines}} removed',
      { added, removed },
    );
  if (added > 0) return t('{added, plural, one {# line} other {# lines}} added', { added });
  return removed > 0 ? t('{removed, plural, one {# line} other {# lines}} removed', { removed }) : null;
}

/** A copy is told from its original before the title, whose end may be cut off. */
export function CopyMark({ kind }: { kind: string }) {
  const isFork = kind.startsWith('fork');
  const number = /\d+$/.exec(kind)?.[0] ?? null;
  const fork = number === null ? t('Fork', {}, 'a session') : t('Fork {number}', { number });
  const copy = number === null ? t('Copy', {}, 'a session') : t('Copy {number}', { number });
  const whole = number === null ? t('Before going back') : t('Before going back {number}', { number });
  return (
    <span className={css('copy-mark')} title={isFork ? fork : whole}>
      {isFork ? <Fork size={12} /> : <GoBack size={12} />}
      {isFork ? fork : copy}
    </span>
  );
}

/** Lines that its edits added and removed; zeros are left out. */
function Changed({ sum }: { sum: SessionEditSum | undefined }) {
  if (sum === undefined || sum.added + sum.removed === 0) return null;
  return (
    <span className={css('changed')}>
      {sum.added > 0 && <span className="plus">+{grouped(sum.added)}</span>}
      {sum.removed > 0 && <span className="minus">−{grouped(sum.removed)}</span>}
    </span>
  );
}

const spokenSigns: Readonly<Record<SessionSign, Message | null>> = {
  running: msg('running'),
  waiting: msg('waits for you'),
  failed: msg('failed'),
  unseen: msg('not seen yet'),
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
      className={css('field', 'rename')}
      aria-label={t('Name of the session')}
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
      className={css('look')}
      aria-label={t('Look at {title}', { title })}
      onClick={(event) => {
        event.stopPropagation();
        look();
      }}
    >
      {t('Look')}
    </LinkButton>
  );
  if (asks === 'look') return <span className={css('session-answer')}>{toLook}</span>;
  const { question, command } = asks;
  return (
    <Armed value={armed}>
      <span className={css('answer-command', 'mono')} data-testid={`row-command-${question.sessionId}`}>
        {command}
      </span>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the buttons is not meant for the row. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above. */}
      <span className={css('session-answer')} onClick={(event) => event.stopPropagation()}>
        <AnswerButton size="small" run={() => void give(question, { answer: 'allow' })}>
          {t('Allow once')}
        </AnswerButton>
        <AnswerButton size="small" run={() => void give(question, { answer: 'deny' })}>
          {t('Deny')}
        </AnswerButton>
        {toLook}
      </span>
    </Armed>
  );
}
