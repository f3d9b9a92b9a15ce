import type { SessionHolder } from '../../../app/api/session-list.ts';
import type { Session, SessionState } from '../../../app/api/sessions.ts';
import type { AppState } from '../../../app/api/state.ts';
import { t } from '../../../app/language/translate.ts';
import type { AgentWords } from '../../../app/words/agents.ts';
import { resetOf } from '../../../app/words/quota.ts';
import { freePortHelps } from '../../../app/words/status.ts';
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
    const text = t('Close it there first, or go on in a copy. Two at once would lose messages.');
    return off('open-elsewhere', text, 'fork', t('Fork and go on here'));
  }
  if (facts.isFolderGone) {
    const text =
      session === null
        ? t('Its folder no longer exists.')
        : t('{folder} no longer exists.', { folder: shortFolder(session.cwd) });
    return off('folder-gone', text, 'choose-folder', t('Choose where it is now…'));
  }
  if (!facts.hasAgent) {
    const text = t('{agent} isn’t set up for this window.', { agent: facts.agent });
    return off('no-agent', text, 'choose-agent', t('Choose where it comes from'));
  }
  return appLine(facts.app) ?? (modelOff === null ? null : offModel(modelOff));
}

function offModel(model: string): SendingLine {
  return off('model-off', t('{model} is off for this account.', { model }), 'choose-model', t('Choose another'));
}

/** What the state of the app means for sending, whatever the session is. */
function appLine({ status, quota, health, proxy }: SendingFacts['app']): SendingLine | null {
  switch (status) {
    case 'signing-in':
    case 'signed-out':
      return off('signed-out', t('Sending needs a sign-in.'));
    case 'fatal':
    case 'off':
    case 'stopping':
      return off('proxy', t('Sending needs the proxy.'), 'proxy-on', t('Turn proxy on'));
    case 'port':
      return freePortHelps(proxy)
        ? off('proxy', t('Sending needs the proxy.'), 'free-port', t('Use a free port'))
        : off('proxy', t('Sending needs the proxy.'), 'proxy-on', t('Turn proxy on'));
    case 'account-unknown':
      return off('no-access', t('Nothing is sent: it isn’t known which account to use.'));
    case 'no-access':
      return off('no-access', t('This account has no access to Copilot.'));
    case 'no-window':
      return off('no-window', t('Sending needs a window of VS Code.'));
    case 'offline': {
      const text = t('No connection. It is sent as soon as Copilot answers.');
      return { kind: 'offline', text, send: 'queue', remedy: null };
    }
    case 'exhausted': {
      const reset = resetOf(quota);
      const unit = quota?.world ?? 'unknown';
      const text =
        reset === null
          ? t(
              'Out of {unit, select, premium {premium requests} other {credits}}. A GitHub budget, or a higher one, lets it go on now.',
              { unit },
            )
          : t(
              'Out of {unit, select, premium {premium requests} other {credits}} until {time}. A GitHub budget, or a higher one, lets it go on now.',
              { unit, time: dayOfYearAndTime(reset) },
            );
      return { kind: 'exhausted', text, send: 'on', remedy: null };
    }
    case 'limited': {
      if (health.limit === null) return null;
      const { kind, until } = health.limit;
      return {
        kind: 'limited',
        text: t(
          'The {kind, select, weekly {weekly limit} session {5-hour limit} other {limit for your account}} holds until {time}.',
          { kind, time: weekdayAndTime(until) },
        ),
        send: 'on',
        remedy: null,
      };
    }
    default:
      return null;
  }
}

function off(kind: SendingLine['kind'], text: string, action?: SendingRemedy, label = ''): SendingLine {
  return { kind, text, send: 'off', remedy: action === undefined ? null : { action, label } };
}

/** When words are read that were said into the running turn. */
export const steeringWords = ({ name }: AgentWords): string => t('{agent} reads it at its next step', { agent: name });
