import { createRoot } from 'react-dom/client';
import type { Session } from '../../../../app/api/sessions.ts';
import { agentWords } from '../../../../app/words/agents.ts';
import type { Conversation } from '../../../../renderer/sessions/state/conversation.ts';
import { AgentContext } from '../../../../renderer/sessions/state/hooks.ts';
import type { FindRequest } from '../../../../renderer/sessions/transcript/find/use-find.ts';
import { Transcript } from '../../../../renderer/sessions/transcript/transcript.tsx';
import type { TranscriptActions } from '../../../../renderer/sessions/transcript/transcript-context.ts';
import type { Services } from '../../../../renderer/state/services.ts';
import { ServicesContext } from '../../../../renderer/state/services.ts';
import { createWindowStore } from '../../../../renderer/state/window-state.ts';

/** What a test gives the transcript, and what it did. */
declare global {
  interface Window {
    show: (
      conversation: Conversation | null,
      options?: {
        session?: Session;
        problem?: string;
        actions?: readonly string[];
        /** What was asked to be found from outside; kept until it is closed. */
        request?: FindRequest;
        sent?: number;
        model?: string;
      },
    ) => void;
    did: unknown[][];
  }
}

const store = createWindowStore();
const root = createRoot(document.getElementById('root') ?? document.body);
window.did = [];
const all = new Map<string, TranscriptActions>();

/** The same object for the same names, as a view gives it. */
function actionsFor(names: readonly string[]): TranscriptActions {
  const key = names.join(' ');
  const known =
    all.get(key) ??
    Object.fromEntries(
      names.map((name) => [
        name,
        // The button that was clicked, below which more is asked, is left out.
        (...given: unknown[]) => window.did.push([name, ...given.filter((one) => !(one instanceof Node))]),
      ]),
    );
  all.set(key, known);
  return known;
}
const loadOlder = (): void => void window.did.push(['loadOlder']);

let request: FindRequest | null = null;
let again = (): void => {};
const openFind = (): void => {
  request = { words: '', at: null };
  again();
};
const closeFind = (): void => {
  request = null;
  again();
};

window.show = (conversation, options = {}) => {
  const { session, problem, actions = [], sent = 0, model = null } = options;
  request = options.request ?? request;
  again = () => draw();
  const draw = (): void => {
    root.render(
      // The transcript uses the window's state alone.
      <ServicesContext value={{ store, bridge: {} } as Services}>
        <div className="page">
          <AgentContext value={agentWords(session?.agent ?? 'claude')}>
            <Transcript
              sessionId={conversation?.sessionId ?? 'session'}
              conversation={conversation}
              session={session ?? null}
              problem={
                problem === undefined ? null : { text: problem, tryAgain: () => window.did.push(['read again']) }
              }
              {...{ loadOlder, openFind, closeFind, request, sent, model }}
              actions={actionsFor(actions)}
            />
          </AgentContext>
        </div>
      </ServicesContext>,
    );
  };
  draw();
};
