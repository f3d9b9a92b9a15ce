import classNames from 'classnames/bind';
import {
  createContext,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { msg } from '../../../app/language/messages.ts';
import { t } from '../../../app/language/translate.ts';
import { agentWords } from '../../../app/words/agents.ts';
import { Button, type ButtonProps } from '../../parts/button.tsx';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import type { Answer } from '../state/actions.ts';
import { useSessionActions } from '../state/hooks.ts';
import styles from './questions.module.css';

const css = classNames.bind(styles);

/** Whether the buttons of the card do something yet. */
export const Armed = createContext(false);

interface AnswerButtonProps extends Pick<ButtonProps, 'look' | 'size' | 'title'> {
  children: ReactNode;
  /** The digit, or the key, that does the same while the card has the focus. */
  hint?: string;
  /** There is nothing to send yet. */
  isEmpty?: boolean;
  run: () => void;
}

/** A button of a question. It can be reached at once and does nothing for half a second, nor for a script's click. */
export function AnswerButton({ children, hint, isEmpty = false, run, ...rest }: AnswerButtonProps) {
  const isDead = !useContext(Armed) || isEmpty;
  return (
    <Button
      {...rest}
      aria-disabled={isDead}
      {...(hint === undefined ? undefined : { 'aria-keyshortcuts': hint })}
      onClick={(event: MouseEvent) => {
        if (!isDead && event.nativeEvent.isTrusted) run();
      }}
    >
      {children}
      {hint !== undefined && <kbd>{hint}</kbd>}
    </Button>
  );
}

interface ChoiceProps {
  kind: 'radio' | 'checkbox';
  name: string;
  label: string;
  /** The key that chooses it; there are nine. */
  digit: number;
  isChosen: boolean;
  /** Takes the focus when it comes. */
  isFocused?: boolean;
  choose: () => void;
  /** Below the label. */
  children?: ReactNode;
}

/** A row of a question: what it is, what it means, its key. */
export function Choice({ kind, name, label, digit, isChosen, isFocused = false, choose, children }: ChoiceProps) {
  return (
    <label className={css('ask-choice', { on: isChosen })}>
      <input
        type={kind}
        name={name}
        checked={isChosen}
        // biome-ignore lint/a11y/noAutofocus: the person asked for these choices in the card that they are in.
        autoFocus={isFocused}
        onChange={choose}
      />
      <b>{label}</b>
      {digit <= 9 && <kbd>{digit}</kbd>}
      {children !== undefined && <span className={css('ask-explains')}>{children}</span>}
    </label>
  );
}

interface SayWhyProps {
  /** Over the field. */
  asks: string;
  action: string;
  note: string | null;
  send: (words: string) => void;
  back: () => void;
  /** What is asked. */
  children: ReactNode;
}

/** A refusal's words can't be distinguished from a prompt, so what is sent with them is marked as the person's. */
export const wordsCount = msg('Copilot may count it as a request of yours.');

/** A refusal with words for the agent. */
export function SayWhy({ asks, action, note, send, back, children }: SayWhyProps) {
  const [words, setWords] = useState('');
  const field = useId();
  const isEmpty = words.trim() === '';
  const run = (): void => {
    if (!isEmpty) send(words.trim());
  };
  useCardKeys({ Enter: run, Escape: back });
  return (
    <>
      <div className={css('ask-body')}>
        {children}
        <label className={css('ask-label')} htmlFor={field}>
          {asks}
        </label>
        <input
          id={field}
          className={css('field', 'ask-field')}
          // biome-ignore lint/a11y/noAutofocus: the person asked for this field in the card that they are in.
          autoFocus
          autoComplete="off"
          maxLength={20_000}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      <footer className={css('ask-foot')}>
        <AnswerButton look="primary" hint="Enter" isEmpty={isEmpty} run={run}>
          {action}
        </AnswerButton>
        <AnswerButton hint="Esc" run={back}>
          {t('Back')}
        </AnswerButton>
        {note !== null && <span className={css('end')}>{note}</span>}
      </footer>
    </>
  );
}

export type GiveAnswer = (question: SessionQuestion, answer: Answer) => Promise<void>;

/** Gives an answer once, and says so where it came too late. `isGiven`: that question was answered here. */
export function useGiveAnswer(): { give: GiveAnswer; isGiven: (id: string) => boolean } {
  const { store } = useServices();
  const actions = useSessionActions();
  return useMemo(() => {
    const given = new Set<string>();
    const give: GiveAnswer = async ({ sessionId, id }, answer) => {
      if (given.has(id)) return;
      given.add(id);
      const outcome = await actions.answer(sessionId, id, answer);
      if (outcome === 'failed') given.delete(id);
      if (outcome !== 'late') return;
      const agent = store.getState().sessions.get(sessionId)?.agent ?? 'claude';
      toast(store, t('Too late. {agent} had already gone on.', { agent: agentWords(agent).title }), { kind: 'info' });
    };
    return { give, isGiven: (id) => given.has(id) };
  }, [actions, store]);
}

const deadMs = 500;

/**
 * Whether the buttons of a question may do something: only when it has stood there for a moment, so that a key or a
 * click that was meant for something else answers nothing.
 */
export function useArmed(questionId: string): boolean {
  const [armed, setArmed] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(questionId), deadMs);
    return () => {
      clearTimeout(timer);
      setArmed(null);
    };
  }, [questionId]);
  return armed === questionId;
}

/** A digit that was meant for a question that has just gone is no word of a message. */
export function holdDigits(): void {
  const hold = (event: KeyboardEvent): void => {
    if (!/^[1-9]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', hold, true);
  setTimeout(() => window.removeEventListener('keydown', hold, true), deadMs);
}

/** What keys do while the card has the focus, by `event.key`. */
export type CardKeys = Readonly<Record<string, (() => void) | undefined>>;

export const CardKeysContext = createContext<RefObject<CardKeys> | null>(null);

/** These keys count as long as this is shown. From a field of text the card hands Enter and Esc on alone. */
export function useCardKeys(keys: CardKeys): void {
  const current = useContext(CardKeysContext);
  useLayoutEffect(() => {
    if (current !== null) current.current = keys;
  });
}
