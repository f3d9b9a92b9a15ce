import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { CallName } from '../../../../app/api/calls.ts';
import type { Session, SessionEvent, SessionQuestion } from '../../../../app/api/sessions.ts';
import type { Bridge } from '../../../../renderer/bridge/bridge.ts';
import '../../../../renderer/style.css';
import { Changes } from '../../../../renderer/sessions/changes/changes.tsx';
import { BackLine } from '../../../../renderer/sessions/changes/go-back.tsx';
import { sessionDialog } from '../../../../renderer/sessions/changes/session-dialog.ts';
import { SessionDialogs } from '../../../../renderer/sessions/changes/session-dialogs.tsx';
import { QuestionCard } from '../../../../renderer/sessions/questions/question-card.tsx';
import { useSessionActions } from '../../../../renderer/sessions/state/hooks.ts';
import { Toasts } from '../../../../renderer/shell/toasts.tsx';
import { Feed, type SessionListener } from '../../../../renderer/state/feed.ts';
import { RequestLog } from '../../../../renderer/state/log/request-log.ts';
import { type Services, ServicesContext } from '../../../../renderer/state/services.ts';
import { createWindowStore } from '../../../../renderer/state/window-state.ts';

/** What a test puts into the page before it is opened: the session, what it asks, and the answers of calls. */
export interface Given {
  session: Session;
  questions: SessionQuestion[];
  answers: Partial<Record<CallName, unknown>>;
  /** Calls that are refused. */
  fails: CallName[];
  shows: 'question' | 'changes' | 'back';
}

declare global {
  interface Window {
    given: Given;
    /** Every call with what it was given. */
    asked: [name: string, ...given: unknown[]][];
    /** As if the host had told it. */
    tell(event: SessionEvent): void;
    dialog: typeof sessionDialog;
  }
}

const { given } = window;
const listeners = new Set<SessionListener>();
let seq = 10;
window.asked = [];
window.dialog = sessionDialog;
window.tell = (entry) => {
  for (const { hear } of listeners) hear({ event: 'session-event', entry });
};

function answerOf(name: string, args: unknown[]): unknown {
  if (given.fails.some((one) => one === name)) throw new Error('Internal error');
  if (name in given.answers) return Reflect.get(given.answers, name);
  if (name === 'sessionQuestions') return given.questions;
  if (name === 'sessionList') return { sessions: [], problem: null };
  if (name === 'sessionPast' || name === 'sessionEvents') return { events: past, last: 5, more: false, gap: false };
  if (name === 'sessionTurns' || name === 'subagents') return [];
  if (name === 'answerQuestion') {
    const [{ question, answer }] = args as [{ question: string; answer: unknown }];
    window.tell(event('answered', { id: question, by: 'person', rule: null, answer }));
    return true;
  }
  return null;
}

function event(kind: SessionEvent['kind'], more: object): SessionEvent {
  seq += 1;
  return { seq, sessionId: given.session.id, turnId: 't1', at: Date.now(), kind, event: more, cuts: null };
}

const past = [
  { ...event('turn-started', { number: 1, prompt: [{ type: 'text', text: 'Go' }], initiator: 'user' }), seq: 1 },
];

const bridge = new Proxy({} as Bridge, {
  get:
    (_, name: string) =>
    async (...args: unknown[]) => {
      window.asked.push([name, ...args]);
      return answerOf(name, args);
    },
});
const store = createWindowStore();
store.setState({ sessions: new Map([[given.session.id, given.session]]) });
/** What the test tells is heard, and nothing else: it is never started. */
class ReportedFeed extends Feed {
  override listenToSessions(listener: SessionListener): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }
}
const feed = new ReportedFeed({ bridge, store, log: new RequestLog() });
const services = { bridge, store, feed } as Services;

function Dock() {
  const [text, setText] = useState('');
  return (
    <main style={{ display: 'grid', height: '100vh', alignContent: 'end', maxWidth: 800, padding: 20, gap: 8 }}>
      <QuestionCard sessionId={given.session.id} />
      <textarea
        data-testid="composer"
        aria-label="Message"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </main>
  );
}

function Page() {
  const { showChanges } = useSessionActions();
  useEffect(() => showChanges(given.session.id, 't1'), [showChanges]);
  if (given.shows === 'question') return <Dock />;
  if (given.shows === 'back') return <BackLine session={given.session} />;
  return (
    <main style={{ display: 'grid', height: '100vh', gridTemplateColumns: '432px' }}>
      <Changes sessionId={given.session.id} turnId="t1" close={() => window.asked.push(['close'])} />
    </main>
  );
}

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <ServicesContext value={services}>
      <Page />
      <SessionDialogs />
      <Toasts />
    </ServicesContext>,
  );
}
