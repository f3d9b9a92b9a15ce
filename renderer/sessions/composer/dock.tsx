import classNames from 'classnames/bind';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { FolderFacts } from '../../../app/api/session-surroundings.ts';
import type { QueuedMessage, Session } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { hourAndMinute } from '../../../app/words/times.ts';
import { BridgeError } from '../../bridge/bridge.ts';
import { IconButton } from '../../parts/button.tsx';
import { useHeir } from '../../parts/focus.ts';
import { ChevronDown, ChevronUp, Circle, Passed, Ring, Tasklist } from '../../parts/icons.tsx';
import { toast } from '../../state/notices.ts';
import { go } from '../../state/routes.ts';
import { useServices } from '../../state/services.ts';
import { BackLine } from '../changes/go-back.tsx';
import { TrustNote } from '../in-force/folder-trust.tsx';
import { titleOf } from '../list/list-rows.ts';
import type { PromptBlock, Task } from '../state/conversation.ts';
import { useHeld, useListed, useSession, useSessionActions, useSessions, useUnread } from '../state/hooks.ts';
import { sessionsOf } from '../state/sessions-feed.ts';
import text from '../text/text.module.css';
import { usePickFolder } from './choose-folder.tsx';
import styles from './composer.module.css';
import { Composer } from './composer.tsx';
import { sessionKey } from './draft.ts';
import type { Way } from './message-field.tsx';
import { QueueLines, SteeringLines } from './message-lines.tsx';
import { takesFocus } from './open-session.ts';
import { useOwnCommands } from './own-commands.tsx';
import { draftOf, isLeftOut, withWords } from './prompt-blocks.ts';
import { workOf } from './sending.ts';
import { bringBack, useDraft } from './use-draft.ts';
import { useSurroundings } from './use-surroundings.ts';

const css = classNames.bind({ ...text, ...styles });

interface DockProps {
  sessionId: string;
}

/** Waiting messages and the message field, below transcript and questions. */
export function Dock({ sessionId }: DockProps) {
  const session = useSession(sessionId);
  return session === null ? null : <KnownDock key={sessionId} session={session} />;
}

function KnownDock({ session }: { session: Session }) {
  const { id } = session;
  const services = useServices();
  const { bridge, store } = services;
  const actions = useSessionActions();
  const listed = useListed(id);
  const used = useDraft(sessionKey(id));
  const surroundings = useSurroundings(session);
  const own = useOwnCommands(session);
  const prompts = usePrompts(id);
  const isUnread = useUnread(id);
  const folder = usePickFolder(session.cwd, (path) => void actions.move(id, path));

  const lines = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus(id)) fieldIn(lines.current)?.focus();
  }, [id]);
  useHeir(lines, () => fieldIn(lines.current));
  /** Answers whether it was still waiting. */
  const taken = async (work: Promise<boolean>): Promise<boolean> => {
    try {
      if (await work) return true;
      toast(store, t('This message was sent already.'), { kind: 'info' });
    } catch (error) {
      const remedy = error instanceof BridgeError ? ` ${error.remedy}` : '';
      toast(store, `${error instanceof Error ? error.message : String(error)}${remedy}`, { kind: 'failed' });
    }
    return false;
  };
  const takeBack = async (message: QueuedMessage): Promise<void> => {
    const prompt = await actions.takeBackSteering(id, message.id);
    if (prompt !== null) bringBack(services, session, prompt);
  };
  const remove = (message: QueuedMessage) => taken(bridge.removeQueued({ session: id, message: message.id }));
  const steerQueued = (message: QueuedMessage) => taken(bridge.steerQueued({ session: id, message: message.id }));
  const changeQueued = async (message: QueuedMessage, text: string): Promise<void> => {
    const prompt = withWords(message.prompt, text);
    if (await taken(bridge.changeQueued({ session: id, message: message.id, prompt }))) return;
    bringBack(
      services,
      session,
      prompt.filter((block) => !isLeftOut(block)),
    );
  };
  const send = (way: Way, prompt: PromptBlock[], messageId: string): Promise<boolean> =>
    way === 'steer' ? actions.steer(id, prompt, messageId) : actions.send(id, prompt, messageId);

  return (
    <div ref={lines} className={css('dock-lines')}>
      <TurnLines session={session} takeBack={(message) => void takeBack(message)} />
      <BackLine session={session} />
      <QueueLines
        session={session}
        steer={(message) => void steerQueued(message)}
        sendNow={() => void actions.sendQueued(id)}
        change={(message, words) => void changeQueued(message, words)}
        remove={(message) => void remove(message)}
        order={(ids) => void actions.orderQueue(id, ids)}
      />
      <Composer
        {...{ session, used, surroundings, prompts, send, isUnread }}
        openIn={listed?.openIn ?? null}
        stop={() => void actions.stop(id)}
        choose={(choice) => void actions.choose(id, choice)}
        run={own.run}
        remedy={(action) => {
          if (action === 'fork') void own.fork();
          else if (action === 'choose-agent') go({ place: 'settings', part: 'sessions' });
          else if (action === 'choose-folder') folder.pick();
        }}
        top={<ForkLine session={session} />}
        bottom={(send) => <Trust {...{ session, send }} facts={surroundings.folder} again={surroundings.askAgain} />}
      />
      {own.dialog}
      {folder.dialog}
    </div>
  );
}

function fieldIn(lines: HTMLElement | null): HTMLElement | null {
  return lines?.querySelector<HTMLElement>('textarea[data-testid="composer"]') ?? null;
}

/** Tasks and words for the running turn. They select what they show: words that stream in draw nothing here. */
function TurnLines({
  session: { id, state },
  takeBack,
}: {
  session: Session;
  takeBack: (message: QueuedMessage) => void;
}) {
  const { feed } = sessionsOf(useServices());
  useEffect(() => feed.conversations.show(id), [feed, id]);
  const tasks = useSessions(({ conversations }) => conversations.get(id)?.conversation?.tasks ?? null);
  const steering = useSessions(({ conversations }) => conversations.get(id)?.conversation?.steering ?? null);
  return (
    <>
      {areShown(tasks, workOf(state) === 'idle') && <TasksLine tasks={tasks} />}
      {steering !== null && <SteeringLines messages={steering} takeBack={takeBack} />}
    </>
  );
}

interface TrustProps {
  session: Session;
  facts: FolderFacts | null;
  send: (() => void) | null;
  again: () => void;
}

/** Trust question for a session made elsewhere, or whose folder has moved: it wasn't asked here yet. */
function Trust({ session, facts, send, again }: TrustProps) {
  const actions = useSessionActions();
  const cwd = useRef(session.cwd);
  const { state, sentAt, parent } = session;
  const isNew = (sentAt === null && parent === null) || cwd.current !== session.cwd;
  const hasProcess = state !== 'unloaded' && state !== 'provisional';
  if (!isNew || hasProcess || facts === null || facts.isTrusted || facts.gives.length === 0) return null;
  const trustAndSend = async (send: () => void): Promise<void> => {
    if (!(await actions.trustFolder(session.cwd))) return;
    again();
    send();
  };
  return <TrustNote gives={facts.gives} trustAndSend={send && (() => trustAndSend(send))} />;
}

/** Origin of a fork, shown until its first message. */
function ForkLine({ session }: { session: Session }) {
  const { parent: id } = session;
  const listed = useListed(id ?? '');
  const held = useHeld(id ?? '');
  if (id === null || session.sentAt !== null) return null;
  const title = titleOf(id, held, listed);
  return (
    <p className={css('composer-from', 'muted', 'small')}>
      {t('Forked from “{title}” at {time}. Files are as they are now.', {
        title,
        time: hourAndMinute(session.createdAt),
      })}
    </p>
  );
}

/** What the person said before, read when it is asked for. */
function usePrompts(id: string): () => readonly string[] {
  const { store } = sessionsOf(useServices());
  return useCallback(() => {
    const turns = store.getState().conversations.get(id)?.conversation?.turns ?? [];
    return turns.flatMap(({ prompt }) => {
      const text = draftOf(prompt ?? [], '', () => '').text;
      return text === '' ? [] : [text];
    });
  }, [store, id]);
}

/** How far the agent is with its list of tasks, and which is in work; opened: the list. */
function TasksLine({ tasks }: { tasks: readonly Task[] }) {
  const [isOpen, setOpen] = useState(false);
  const done = tasks.filter(({ state }) => state === 'done').length;
  const now = tasks.find(({ state }) => state === 'running');
  const head = (
    <>
      <Tasklist size={14} />
      <span>{t('Tasks')}</span>
      <span className="figures">{t('{done} of {all}', { done, all: tasks.length })}</span>
      <span className={css('line-words', 'muted', 'ell')}>{!isOpen && now?.text}</span>
      <IconButton
        size="small"
        label={isOpen ? t('Hide tasks') : t('Show tasks')}
        aria-expanded={isOpen}
        icon={isOpen ? <ChevronDown size={14} /> : <ChevronUp size={14} />}
        onClick={() => setOpen(!isOpen)}
      />
    </>
  );
  if (!isOpen) {
    return (
      <div className={css('strip')} data-testid="tasks">
        {head}
      </div>
    );
  }
  return (
    <div className={css('strip', 'open')} data-testid="tasks">
      <div className={css('strip-head')}>{head}</div>
      <ul className={css('tasks')}>
        {tasks.map(({ text, state }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list of tasks is told anew as a whole.
          <li key={index} className={css(state)}>
            {state === 'done' && <Passed size={14} aria-label={t('Done')} />}
            {state === 'running' && <Ring size={10} />}
            {state === 'pending' && <Circle size={14} aria-label={t('Open', {}, 'a task that isn’t done')} />}
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Once a turn has ended with all of them done, the list says nothing any more. */
function areShown(tasks: readonly Task[] | null, isAtRest: boolean): tasks is readonly Task[] {
  if (tasks === null || tasks.length === 0) return false;
  return !isAtRest || tasks.some(({ state }) => state !== 'done');
}
