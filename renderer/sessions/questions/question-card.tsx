import classNames from 'classnames/bind';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Session, SessionQuestion } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import type { AgentWords } from '../../../app/words/agents.ts';
import {
  Agent,
  Checklist,
  Commands,
  File,
  FileAdded,
  Globe,
  Mcp,
  Pencil,
  Question,
  Search,
  Terminal,
  Tools,
} from '../../parts/icons.tsx';
import { isMac } from '../../parts/shortcuts.ts';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import { beingDeleted } from '../changes/session-dialog.ts';
import { toComposer } from '../composer/open-session.ts';
import { shownPath } from '../paths.ts';
import { useAgentWords, useConversation, useHeld, useOpenConversation, useQuestions } from '../state/hooks.ts';
import { sessionsOf } from '../state/sessions-feed.ts';
import { CutPath, ShownText } from '../text/shown-text.tsx';
import { type GiveAnswer, useGiveAnswer } from './answering.tsx';
import type { PermissionSubject } from './asked.ts';
import { QuestionBox } from './question-box.tsx';
import { askerOf, asksWords, goneWords, type ReadQuestion, readQuestion } from './question-words.ts';
import styles from './questions.module.css';

const css = classNames.bind(styles);

/** What a session waits for, in its dock. Nothing is to be seen where it waits for nothing. */
export function QuestionCard({ sessionId }: { sessionId: string }) {
  return <Card key={sessionId} sessionId={sessionId} />;
}

const none: readonly SessionQuestion[] = [];

function Card({ sessionId }: { sessionId: string }) {
  const session = useHeld(sessionId);
  const asked = useConversation(sessionId, (conversation) => conversation.questions);
  const open = useQuestions(sessionId);
  const hasFailed = useOpenConversation(sessionId, ({ failure }) => failure !== null);
  // One can be answered also where what was said before it can’t be read.
  const questions = asked ?? (hasFailed ? open : none);
  const turns = useConversation(sessionId, (conversation) => (questions.length === 0 ? null : conversation.turns));
  const agent = useAgentWords();
  const { give, isGiven } = useGiveAnswer();
  const asker = useCallback(
    ({ child }: SessionQuestion) => (turns === null ? null : askerOf({ turns }, child)),
    [turns],
  );
  useGone(sessionId, asked, isGiven, agent);
  const newest = questions.at(-1);
  return (
    <>
      <div className="sr" aria-live="assertive">
        {newest !== undefined && spoken(newest, agent)}
      </div>
      {session !== null && questions.length > 0 && (
        <QuestionStack
          session={session}
          questions={questions}
          asker={asker}
          leave={toComposer}
          {...{ give, isGiven }}
        />
      )}
    </>
  );
}

/** `Claude asks to run a command. Control period to answer.` */
function spoken(question: SessionQuestion, agent: AgentWords): string {
  const who = question.child === null ? agent.name : t('A subagent');
  const key = isMac() ? t('Command period to answer.') : t('Control period to answer.');
  return `${asksWords(readQuestion(question), who)} ${key}`;
}

/** Says why a question is no longer there, where it was not answered here. */
function useGone(
  session: string,
  asked: readonly SessionQuestion[] | null,
  isGiven: (id: string) => boolean,
  agent: AgentWords,
): void {
  const services = useServices();
  const before = useRef<readonly SessionQuestion[]>(none);
  useEffect(() => {
    const { conversation = null } = sessionsOf(services).store.getState().conversations.get(session) ?? {};
    if (asked === null || conversation === null) return;
    const gone = before.current.filter(({ id }) => !asked.some((one) => one.id === id));
    before.current = asked;
    for (const question of gone) {
      if (isGiven(question.id) || beingDeleted.has(session)) continue;
      toast(services.store, goneWords(conversation, readQuestion(question), agent), { kind: 'info' });
    }
  }, [services, session, asked, isGiven, agent]);
}

interface QuestionStackProps {
  session: Pick<Session, 'cwd' | 'directories' | 'agent' | 'mode'>;
  /** Waiting questions, oldest first; at least one. */
  questions: readonly SessionQuestion[];
  /** `Subagent Explore`; null for the session itself. */
  asker: (question: SessionQuestion) => string | null;
  /** Gives the keyboard back to the message field. */
  leave: () => void;
  give: GiveAnswer;
  /** Whether a question was answered here. */
  isGiven: (id: string) => boolean;
}

/** All that a session waits for: one question to be answered, the others as lines below it. */
function QuestionStack({ session, questions, asker, leave, give, isGiven }: QuestionStackProps) {
  const all = useMemo(() => questions.map(readQuestion), [questions]);
  const [wanted, setWanted] = useState<string | null>(null);
  const at = Math.max(
    0,
    all.findIndex(({ question }) => question.id === wanted),
  );
  const shown = all[at];
  if (shown === undefined) return null;
  const go = (place: number): void => setWanted(all.at(place % all.length)?.question.id ?? null);
  return (
    <QuestionBox
      shown={shown}
      session={session}
      asker={asker(shown.question)}
      leave={leave}
      {...{ give, isGiven }}
      place={all.length === 1 ? null : { at, of: all.length, before: () => go(at - 1), next: () => go(at + 1) }}
    >
      {all.length > 1 && (
        <div className={css('ask-others')}>
          {all.map((other, place) =>
            place === at ? null : (
              <QuestionLine
                key={other.question.id}
                asked={other}
                cwd={session.cwd}
                asker={asker(other.question)}
                show={() => go(place)}
              />
            ),
          )}
        </div>
      )}
    </QuestionBox>
  );
}

/** A question that waits behind another one: its kind, its object and who asks. */
function QuestionLine(props: { asked: ReadQuestion; cwd: string; asker: string | null; show: () => void }) {
  const { asked, cwd, asker, show } = props;
  const {
    icon,
    verb,
    object,
    isPath = false,
  } = asked.kind === 'form' ? formLine(asked) : permissionLine(asked.asked.subject, cwd);
  return (
    <button type="button" onClick={show}>
      {icon}
      {verb}
      <span className="mono ell" title={object}>
        {isPath ? <CutPath path={object} /> : <ShownText text={object} />}
      </span>
      {asker !== null && <span className="muted">{t('from {asker}', { asker })}</span>}
    </button>
  );
}

interface Line {
  icon: ReactNode;
  verb: string;
  object: string;
  isPath?: boolean;
}

function formLine({ form }: Extract<ReadQuestion, { kind: 'form' }>): Line {
  const icon = <Question size={14} />;
  if (form.kind === 'questions') {
    return {
      icon,
      verb: t('Question', {}, 'what a step does'),
      object: form.questions.map(({ heading }) => heading).join(', '),
    };
  }
  return { icon, verb: form.kind === 'form' ? t('Form', {}, 'to fill in') : t('Address'), object: form.message };
}

function permissionLine(subject: PermissionSubject, cwd: string): Line {
  switch (subject.kind) {
    case 'command':
      return { icon: <Terminal size={14} />, verb: t('Run', {}, 'what a step does'), object: subject.command };
    case 'edit':
      return {
        icon: <Pencil size={14} />,
        verb: t('Edit', {}, 'what a step does'),
        object: shownPath(subject.path, cwd),
        isPath: true,
      };
    case 'write':
      return {
        icon: <FileAdded size={14} />,
        verb: t('Write', {}, 'what a step does'),
        object: shownPath(subject.path, cwd),
        isPath: true,
      };
    case 'page':
      return { icon: <Globe size={14} />, verb: t('Fetch'), object: subject.address };
    case 'search-web':
      return { icon: <Search size={14} />, verb: t('Search', {}, 'what a step does'), object: subject.query };
    case 'read':
      return {
        icon: <File size={14} />,
        verb: t('Read', {}, 'what a step does'),
        object: shownPath(subject.path, cwd),
        isPath: true,
      };
    case 'mcp':
      return { icon: <Mcp size={14} />, verb: subject.server, object: subject.tool };
    case 'subagent':
      return { icon: <Agent size={14} />, verb: t('Subagent'), object: subject.type ?? subject.task };
    case 'skill':
      return { icon: <Commands size={14} />, verb: t('Use', {}, 'what a step does'), object: subject.name };
    case 'plan':
      return {
        icon: <Checklist size={14} />,
        verb: t('Plan', {}, 'what a step does'),
        object: titleOfPlan(subject.plan),
      };
    case 'other':
      return { icon: <Tools size={14} />, verb: t('Use', {}, 'what a step does'), object: subject.tool };
  }
}

/** Its first line, without the marks of a heading. */
function titleOfPlan(plan: string): string {
  const first = plan.split('\n').find((line) => line.trim() !== '') ?? '';
  return first.replace(/^#+\s*/, '');
}
