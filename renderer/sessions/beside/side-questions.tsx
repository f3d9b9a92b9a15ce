import classNames from 'classnames/bind';
import { useEffect, useRef, useState } from 'react';
import type { SideQuestion } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Close, Comment, Trash } from '../../parts/icons.tsx';
import { Empty } from '../../parts/view-frame.tsx';
import { announce } from '../../state/notices.ts';
import { ask } from '../../state/questions.ts';
import { useServices, useWindow } from '../../state/services.ts';
import { sessionKey } from '../composer/draft.ts';
import { closesByEscape, composerField, toComposer, useFocusBack } from '../composer/open-session.ts';
import { useDraft } from '../composer/use-draft.ts';
import panes from '../panes.module.css';
import { sessionShortcuts, useKeyTitles } from '../session-shortcuts.ts';
import { useAgentWords, useSession, useSessionActions, useSessions } from '../state/hooks.ts';
import { sessionsOf } from '../state/sessions-feed.ts';
import { SideQuestionView } from './side-question.tsx';
import styles from './side-questions.module.css';

const css = classNames.bind({ ...panes, ...styles });

interface SideQuestionsProps {
  sessionId: string;
  /** They were open before another view was shown: the focus stays where it is. */
  isBack: boolean;
  close: () => void;
}

/** Questions about a session's conversation, which are no part of it. */
export function SideQuestions({ sessionId, isBack, close }: SideQuestionsProps) {
  const services = useServices();
  const { store } = services;
  const actions = useSessionActions();
  const questions = useSideQuestions(sessionId);
  const { change } = useDraft(sessionKey(sessionId));
  const { titled } = useKeyTitles();
  const pane = useRef<HTMLElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const list = useRef<HTMLElement>(null);
  useFocusBack(pane);
  useEffect(() => {
    if (!isBack) field.current?.focus();
  }, [isBack]);
  useSpokenAnswers(questions);
  const last = questions?.at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each question, and each answer, its end is shown.
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [last?.id, last?.state]);
  const isRunning = last?.state === 'running';
  const toMessage = (question: SideQuestion): void => {
    change((now) => ({ ...now, text: [now.text.trimEnd(), quoted(question)].filter(Boolean).join('\n\n') }));
    // Where the pane covers the field it is there once that is closed.
    if (composerField() === null) close();
    else toComposer();
  };
  const remove = (ids: string[] | null): void => void actions.closeSideQuestions(sessionId, ids);
  return (
    <aside
      ref={pane}
      tabIndex={-1}
      className={css('pane')}
      aria-label={t('Side questions')}
      data-testid="side-questions"
      onKeyDown={(event) => closesByEscape(event, close)}
    >
      <header className={css('pane-head')}>
        <div className={css('pane-title')}>
          <h2>{t('Side questions')}</h2>
        </div>
        {questions !== null && questions.length > 0 && (
          <IconButton
            label={t('Delete all side questions…')}
            icon={<Trash size={16} />}
            onClick={() =>
              ask(store, {
                title: t('Delete all side questions of this session?'),
                text: t(
                  'Their questions and answers are deleted. Their requests stay in the log, and their costs with the session.',
                ),
                safe: t('Cancel'),
                action: t('Delete all'),
                run: () => remove(null),
              })
            }
          />
        )}
        <IconButton
          label={t('Close side questions')}
          {...titled(t('Close side questions'), sessionShortcuts.view.sideQuestions)}
          icon={<Close size={16} />}
          onClick={close}
        />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by its keys. */}
      <section ref={list} className={css('pane-body')} aria-label={t('Questions and answers')} tabIndex={0}>
        {questions?.length === 0 && (
          <Empty icon={<Comment size={24} />} title={t('No side questions')}>
            {t('Ask about this conversation. It stays as it is, also while a turn runs.')}
          </Empty>
        )}
        {questions?.map((question) => (
          <SideQuestionView
            key={question.id}
            question={question}
            stop={() => void actions.stopSideQuestion(sessionId)}
            again={isRunning ? null : () => void actions.askBeside(sessionId, question.question)}
            toMessage={() => toMessage(question)}
            remove={() => {
              remove([question.id]);
              field.current?.focus();
            }}
          />
        ))}
      </section>
      <AskField {...{ sessionId, field, isRunning }} />
    </aside>
  );
}

/** What a screen reader announces: that an answer came. */
function useSpokenAnswers(questions: readonly SideQuestion[] | null): void {
  const { store } = useServices();
  const last = questions?.at(-1);
  const before = useRef(last);
  useEffect(() => {
    const was = before.current;
    before.current = last;
    if (last === undefined || was?.id !== last.id || was.state !== 'running' || last.state === 'running') return;
    announce(store, last.state === 'done' ? t('Side question answered') : t('Side question not answered'));
  }, [last, store]);
}

interface AskFieldProps {
  sessionId: string;
  field: React.RefObject<HTMLTextAreaElement | null>;
  isRunning: boolean;
}

/** The field for the next one. What is written in it stays while the pane is closed. */
function AskField({ sessionId, field, isRunning }: AskFieldProps) {
  const actions = useSessionActions();
  const session = useSession(sessionId);
  const { name, title } = useAgentWords();
  const isLive = useWindow(({ connection }) => connection.kind === 'live');
  const text = useSessions(({ sideWords }) => sideWords.get(sessionId) ?? '');
  const [isSending, setSending] = useState(false);
  const why =
    session === null
      ? null
      : session.agent !== 'claude'
        ? t('{agent} has no side questions. Send it as a message.', { agent: title })
        : session.state === 'provisional'
          ? t('This session has no messages yet.')
          : null;
  const isOff = why !== null || isRunning || isSending || !isLive || text.trim() === '';
  const send = async (): Promise<void> => {
    if (isOff) return;
    setSending(true);
    const isAsked = await actions.askBeside(sessionId, text.trim());
    setSending(false);
    if (isAsked) actions.writeBeside(sessionId, '');
  };
  return (
    <form
      className={css('side-ask')}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={field}
        rows={2}
        dir="auto"
        aria-label={t('Side question')}
        aria-describedby="side-ask-says"
        placeholder={t('Ask about this conversation')}
        value={text}
        onChange={({ target }) => actions.writeBeside(sessionId, target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      <div className={css('side-ask-foot')}>
        <p id="side-ask-says" className="muted">
          {why ?? t('Sends one request with the conversation so far. {agent} uses no tools for it.', { agent: name })}
        </p>
        <Button type="submit" look="primary" disabled={isOff}>
          {t('Ask')}
        </Button>
      </div>
    </form>
  );
}

/** The oldest first; null until they have been read. Kept in step with other windows. */
function useSideQuestions(session: string): readonly SideQuestion[] | null {
  const { feed } = sessionsOf(useServices());
  useEffect(() => feed.showSideQuestions(session), [feed, session]);
  return useSessions(({ sideQuestions }) => sideQuestions.get(session) ?? null);
}

/** A side question and its answer as quoted text, for a message. */
function quoted({ question, answer }: Pick<SideQuestion, 'question' | 'answer'>): string {
  const lines = [...question.split('\n'), ...(answer === null ? [] : ['', ...answer.trim().split('\n')])];
  return `${lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n')}\n\n`;
}
