import classNames from 'classnames/bind';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { AskedFile } from '../../../app/api/session-surroundings.ts';
import type { Session } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { clockTime } from '../../../app/words/times.ts';
import { IconButton } from '../../parts/button.tsx';
import { Checklist, ChevronDown, ChevronUp, Question } from '../../parts/icons.tsx';
import { rich } from '../../parts/rich.tsx';
import { isOverlaid } from '../../parts/shortcuts.ts';
import { isKey, keyWords, sessionShortcuts, useKeyTitles } from '../session-shortcuts.ts';
import { useDifferences } from '../text/difference.tsx';
import type { FoundDifference } from '../text/difference-lines.ts';
import { Armed, type CardKeys, CardKeysContext, type GiveAnswer, holdDigits, useArmed } from './answering.tsx';
import { AskedFilesContext, useAskedFiles } from './asked-files.ts';
import { type Change, useFitted } from './change-body.tsx';
import { ClaudeQuestions } from './claude-questions.tsx';
import { ServerAddress, ServerForm } from './form.tsx';
import { Permission } from './permission.tsx';
import { Plan, PlanActions } from './plan.tsx';
import { QuestionTitle } from './question-title.tsx';
import type { ReadQuestion } from './question-words.ts';
import styles from './questions.module.css';

const css = classNames.bind(styles);

interface QuestionBoxProps {
  shown: ReadQuestion;
  session: Pick<Session, 'cwd' | 'directories' | 'agent' | 'mode'>;
  asker: string | null;
  /** Null if it is the only question. */
  place: { at: number; of: number; before: () => void; next: () => void } | null;
  leave: () => void;
  give: GiveAnswer;
  /** Whether a question was answered here. */
  isGiven: (id: string) => boolean;
  /** Below the answers. */
  children: ReactNode;
}

/**
 * The card of one question. It never takes the focus: Ctrl or Cmd and a full stop go to it and back, and only then
 * digits answer. A question that has just come, or has just been turned to, can't be answered for a moment.
 */
export function QuestionBox({ shown, session, asker, place, leave, give, isGiven, children }: QuestionBoxProps) {
  const { id } = shown.question;
  const isThere = useArmed(id);
  const [box, hasFocus] = useWayIn(leave, { id, isThere, isGiven });
  // In a small window it scrolls: another question begins at its beginning, not at its answers.
  // biome-ignore lint/correctness/useExhaustiveDependencies: of each question.
  useLayoutEffect(() => {
    box.current?.parentElement?.scrollTo({ top: 0 });
  }, [id]);
  const keys = useRef<CardKeys>({});
  const { titled } = useKeyTitles();
  const heading = useId();
  const body = useId();
  const files = useAskedFiles(shown.question);
  const subject = shown.kind === 'permission' ? shown.asked.subject : null;
  const counts = useCounts(subject?.kind === 'edit' || subject?.kind === 'write' ? subject : null, files);
  // Nothing is answered before all of what has to be judged is there.
  const armed = isThere && !counts.includes(undefined);
  return (
    <AskedFilesContext value={files}>
      <fieldset
        ref={box}
        className={css('ask', { 'has-focus': hasFocus })}
        aria-labelledby={heading}
        aria-describedby={body}
        data-testid="question"
        tabIndex={-1}
        aria-keyshortcuts={titled('', sessionShortcuts.view.question)['aria-keyshortcuts']}
        onKeyDown={(event) => handOn(event, keys.current, armed, leave)}
      >
        <header className={css('ask-head')}>
          {subject?.kind === 'plan' ? <Checklist size={16} /> : <Question size={16} />}
          <h3 id={heading}>
            <QuestionTitle asked={shown} cwd={session.cwd} />
          </h3>
          <span className={css('right')}>
            <Counts counts={counts} />
            {(asker !== null || place === null) && (
              <span>
                {[asker, place === null ? t('since {time}', { time: clockTime(shown.question.askedAt) }) : null]
                  .filter((words) => words !== null)
                  .join(' · ')}
              </span>
            )}
            {!hasFocus && (
              <span className={css('ask-way-in')}>
                {rich('Answer with <kbd>{key}</kbd>', { key: wayIn(), kbd: (inside) => <kbd>{inside}</kbd> })}
              </span>
            )}
            {subject?.kind === 'plan' && <PlanActions subject={subject} question={shown.question} />}
            {place !== null && (
              <>
                <span>{t('{now} of {count}', { now: place.at + 1, count: place.of })}</span>
                <IconButton
                  size="small"
                  label={t('Question before')}
                  icon={<ChevronUp size={14} />}
                  onClick={place.before}
                />
                <IconButton
                  size="small"
                  label={t('Next question')}
                  icon={<ChevronDown size={14} />}
                  onClick={place.next}
                />
              </>
            )}
          </span>
        </header>
        <Armed value={armed}>
          <CardKeysContext value={keys}>
            <div key={id} id={body} className={css('ask-content')}>
              <QuestionContent asked={shown} session={session} give={give} />
            </div>
          </CardKeysContext>
        </Armed>
        {children}
      </fieldset>
    </AskedFilesContext>
  );
}

/** `Ctrl .` */
function wayIn(): string {
  return keyWords(sessionShortcuts.view.question).replace(/\+?\.$/, ' .');
}

/**
 * The box, and whether the keyboard is in it. A question that has just come is not left by the key: it was meant for
 * the one before, or to go to this one, and the keyboard is here already.
 */
function useWayIn(
  leave: () => void,
  { id, isThere, isGiven }: { id: string; isThere: boolean } & Pick<QuestionBoxProps, 'isGiven'>,
) {
  const box = useRef<HTMLFieldSetElement>(null);
  const [hasFocus, setFocus] = useState(false);
  const leaving = useRef(leave);
  leaving.current = leave;
  const mayLeave = useRef(isThere);
  mayLeave.current = isThere;
  useEffect(() => {
    // Digits come with the keyboard alone: under a pointer that is pressed, the buttons would move away.
    let isPointed = false;
    const look = (): void => setFocus(!isPointed && box.current?.contains(document.activeElement) === true);
    const point = (): void => {
      isPointed = true;
    };
    const turn = (event: globalThis.KeyboardEvent): void => {
      isPointed = false;
      look();
      if (!isKey(event, sessionShortcuts.view.question) || event.defaultPrevented || isOverlaid()) return;
      event.preventDefault();
      if (box.current?.contains(document.activeElement) === true) {
        if (mayLeave.current) leaving.current();
      } else box.current?.focus({ preventScroll: true });
    };
    document.addEventListener('focusin', look);
    document.addEventListener('focusout', look);
    document.addEventListener('pointerdown', point, true);
    window.addEventListener('keydown', turn, true);
    return () => {
      document.removeEventListener('focusin', look);
      document.removeEventListener('focusout', look);
      document.removeEventListener('pointerdown', point, true);
      window.removeEventListener('keydown', turn, true);
    };
  }, []);
  const gone = useRef(leave);
  gone.current = () => {
    leave();
    if (!isGiven(id)) holdDigits();
  };
  useKeepFocus(box, id, gone);
  return [box, hasFocus] as const;
}

/**
 * Where what had the focus goes with its question, the card keeps it; where the card itself goes, the message field
 * gets it.
 */
function useKeepFocus(box: RefObject<HTMLElement | null>, id: string, leave: RefObject<() => void>): void {
  const within = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what had the focus is gone with the question before.
  useLayoutEffect(() => {
    const now = box.current;
    if (within.current && document.activeElement === document.body) now?.focus({ preventScroll: true });
    return () => {
      within.current = now?.contains(document.activeElement) === true;
    };
  }, [id]);
  useLayoutEffect(() => {
    const now = box.current;
    return () => {
      if (now?.contains(document.activeElement) === true) leave.current();
    };
  }, [box, leave]);
}

function handOn(event: KeyboardEvent, keys: CardKeys, armed: boolean, leave: () => void): void {
  const { key, target, nativeEvent } = event;
  if (event.defaultPrevented || nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyped = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && isText(target));
  const isButton = target instanceof HTMLButtonElement || target instanceof HTMLSelectElement;
  if (key === 'Escape') {
    event.preventDefault();
    event.stopPropagation();
    (keys.Escape ?? leave)();
    return;
  }
  if (key === 'Enter' && (isButton || target instanceof HTMLTextAreaElement)) return;
  if (isTyped && key !== 'Enter') return;
  const run = keys[key];
  if (run === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (armed && nativeEvent.isTrusted && !event.repeat) run();
}

function isText({ type }: HTMLInputElement): boolean {
  return type !== 'radio' && type !== 'checkbox';
}

/** The differences that are asked about, counted; undefined: not yet. */
function useCounts(
  subject: Change | null,
  files: readonly AskedFile[] | null,
): readonly (FoundDifference | null | undefined)[] {
  const fitted = useFitted(subject, files);
  const inputs = useMemo(() => fitted.map(({ source }) => ({ source, isWhole: true, most: 0 })), [fitted]);
  return useDifferences(inputs);
}

function Counts({ counts }: { counts: ReturnType<typeof useCounts> }) {
  if (counts.length === 0 || counts.includes(undefined)) return null;
  const sum = (name: 'added' | 'removed'): number => counts.reduce((total, count) => total + (count?.[name] ?? 0), 0);
  const removed = sum('removed');
  return (
    <span className="figures">
      <span className="plus">+{sum('added')}</span> {removed > 0 && <span className="minus">−{removed}</span>}
    </span>
  );
}

interface QuestionContentProps {
  asked: ReadQuestion;
  session: Pick<Session, 'cwd' | 'directories' | 'agent' | 'mode'>;
  give: GiveAnswer;
}

/** The body of a card and its answers, by the kind of its question. */
function QuestionContent({ asked, session, give }: QuestionContentProps) {
  const { question } = asked;
  if (asked.kind === 'permission') {
    const { subject } = asked.asked;
    if (subject.kind === 'plan') return <Plan question={question} asked={asked.asked} subject={subject} give={give} />;
    return <Permission question={question} asked={asked.asked} session={session} give={give} />;
  }
  const { form } = asked;
  switch (form.kind) {
    case 'questions':
      return <ClaudeQuestions question={question} questions={form.questions} give={give} />;
    case 'form':
      return <ServerForm question={question} give={give} message={form.message} fields={form.fields} />;
    case 'address':
      return (
        <ServerAddress {...{ question, give }} server={form.server} message={form.message} address={form.address} />
      );
  }
}
