import type { SessionHolder } from '../../../app/api/session-list.ts';
import type { Session, SessionState } from '../../../app/api/sessions.ts';
import type { AppState } from '../../../app/api/state.ts';
import type { AgentWords } from '../../../app/words/agents.ts';
import { freePortHelps, limitWords, resetOf, unitOf } from '../../../app/words/status.ts';
import { dayOfYearAndTime, weekdayAndTime } from '../../../app/words/times.ts';
import { shortFolder } from '../paths.ts';
import type { Work } from './message-field.tsx';

export function workOf(state: SessionState): Work {
  switch (state) {
    case 'provisional':
    case 'unloaded':
    case 'idle':
      return 'idle';
    case 'starting':
    case 'in-line':
      return 'starting';
    case 'running':
    case 'waiting':
      return 'running';
    case 'stopping':
      return 'stopping';
  }
}

export type SendingRemedy = 'proxy-on' | 'free-port' | 'choose-folder' | 'fork' | 'choose-model' | 'choose-agent';

/** Stands under the field: what the state of things means for sending. */
interface SendingLine {
  kind:
    | 'signed-out'
    | 'proxy'
    | 'no-access'
    | 'no-window'
    | 'offline'
    | 'exhausted'
    | 'limited'
    | 'folder-gone'
    | 'open-elsewhere'
    | 'model-off'
    | 'no-agent';
  text: string;
  /** `off`: it can't be sent now. `queue`: it waits until Copilot answers. */
  send: 'on' | 'off' | 'queue';
  remedy: { action: SendingRemedy; label: string } | null;
}

export interface SendingFacts {
  app: Pick<AppState, 'status' | 'proxy' | 'quota' | 'health'>;
  session: Pick<Session, 'cwd'> | null;
  /** Another program that has the session open. */
  openIn: SessionHolder | null;
  isFolderGone: boolean;
  /** What it is to run with, where the account has it switched off. */
  modelOff: string | null;
  /** The agent's program is here. */
  hasAgent: boolean;
  agent: string;
}

/** The first thing that is in the way; null if nothing is. What belongs to the session comes first. */
export function sendingLine(facts: SendingFacts): SendingLine | null {
  const { session, openIn, modelOff } = facts;
  if (openIn !== null) {
    const text = 'Close it there first, or go on in a copy. Two at once would lose messages.';
    return off('open-elsewhere', text, 'fork', 'Fork and go on here');
  }
  if (facts.isFolderGone) {
    const text = `${session === null ? 'Its folder' : shortFolder(session.cwd)} no longer exists.`;
    return off('folder-gone', text, 'choose-folder', 'Choose where it is now…');
  }
  if (!facts.hasAgent) {
    const text = `${facts.agent} isn’t set up for this window.`;
    return off('no-agent', text, 'choose-agent', 'Choose where it comes from');
  }
  return appLine(facts.app) ?? (modelOff === null ? null : offModel(modelOff));
}

function offModel(model: string): SendingLine {
  return off('model-off', `${model} is off for this account.`, 'choose-model', 'Choose another');
}

/** What the state of the app means for sending, whatever the session is. */
function appLine({ status, quota, health, proxy }: SendingFacts['app']): SendingLine | null {
  switch (status) {
    case 'signing-in':
    case 'signed-out':
      return off('signed-out', 'Your text is still here. Sending needs a sign-in.');
    case 'fatal':
    case 'off':
    case 'stopping':
      return off('proxy', 'Sending needs the proxy.', 'proxy-on', 'Turn proxy on');
    case 'port':
      return freePortHelps(proxy)
        ? off('proxy', 'Sending needs the proxy.', 'free-port', 'Use a free port')
        : off('proxy', 'Sending needs the proxy.', 'proxy-on', 'Turn proxy on');
    case 'account-unknown':
      return off('no-access', 'Nothing is sent: it isn’t known which account to use.');
    case 'no-access':
      return off('no-access', 'This account has no access to Copilot.');
    case 'no-window':
      return off('no-window', 'Your text is still here. Sending needs a window of VS Code.');
    case 'offline': {
      const text = 'No connection. It is sent as soon as Copilot answers.';
      return { kind: 'offline', text, send: 'queue', remedy: null };
    }
    case 'exhausted': {
      const reset = resetOf(quota);
      const until = reset === null ? '' : ` until ${dayOfYearAndTime(reset)}`;
      const text = `Out of ${unitOf(quota)}${until}. A GitHub budget, or a higher one, lets it go on now.`;
      return { kind: 'exhausted', text, send: 'on', remedy: null };
    }
    case 'limited': {
      if (health.limit === null) return null;
      const { kind, until } = health.limit;
      const name = limitWords(kind).replace(/^Copilot’s /, '');
      return { kind: 'limited', text: `The ${name} holds until ${weekdayAndTime(until)}.`, send: 'on', remedy: null };
    }
    default:
      return null;
  }
}

function off(kind: SendingLine['kind'], text: string, action?: SendingRemedy, label = ''): SendingLine {
  return { kind, text, send: 'off', remedy: action === undefined ? null : { action, label } };
}

/** When words are read that were said into the running turn. */
export const steeringWords = ({ name }: AgentWords): string => `${name} reads it at its next step`;
