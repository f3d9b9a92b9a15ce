import type { ConsentState } from './consent.ts';
import type { RequestLine } from './exchange.ts';

/** What the extension does just now. */
export type BridgeState =
  | { kind: 'off' }
  | { kind: 'starting' }
  | { kind: 'serving'; port: number }
  /** Another window serves. */
  | { kind: 'elsewhere'; port: number }
  | { kind: 'problem'; text: string; remedy: string };

export interface Status {
  bridge: BridgeState;
  consent: ConsentState;
  /** Null until VS Code reports it. */
  models: number | null;
  /** Requests that ended since this window began. */
  requests: number;
  running: number;
}

/** What `/healthz` says of Copilot. `reason` is for code. */
export interface CopilotHealth {
  state: 'ok' | 'unavailable';
  reason: 'consent_required' | 'copilot_unavailable' | null;
}

export function copilotHealth({ consent, models }: Pick<Status, 'consent' | 'models'>): CopilotHealth {
  if (models === 0) return { state: 'unavailable', reason: 'copilot_unavailable' };
  if (consent !== 'given') return { state: 'unavailable', reason: 'consent_required' };
  return { state: 'ok', reason: null };
}

/** An entry of VS Code's status bar. */
export interface StatusBarText {
  text: string;
  /** Lines of what is shown when the pointer rests on it. */
  hover: string[];
  isWarning: boolean;
}

export function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** One line of the output channel. */
export function stateWords(state: BridgeState): string {
  switch (state.kind) {
    case 'off':
      return 'Stopped.';
    case 'starting':
      return 'Starting.';
    case 'serving':
      return `Started. Serves at ${addressOf(state.port)}.`;
    case 'elsewhere':
      return `Another window of VS Code serves at ${addressOf(state.port)}.`;
    case 'problem':
      return `Not started. ${state.text} ${state.remedy}`;
  }
}

/** The state in the status bar; null if nothing is shown. */
export function statusBar(status: Status): StatusBarText | null {
  const { bridge } = status;
  switch (bridge.kind) {
    case 'off':
      return null;
    case 'starting':
      return { text: '$(loading~spin) Jumpseat', hover: ['Jumpseat is starting.'], isWarning: false };
    case 'elsewhere':
      return {
        text: '$(multiple-windows) Jumpseat: other window',
        hover: [
          `Another window of VS Code serves at ${addressOf(bridge.port)}.`,
          'This window takes over when the other closes.',
        ],
        isWarning: false,
      };
    case 'problem':
      return { text: '$(error) Jumpseat', hover: [bridge.text, bridge.remedy], isWarning: true };
    case 'serving':
      return serving(status, bridge.port);
  }
}

function serving(status: Status, port: number): StatusBarText {
  const where = [`Jumpseat serves at ${addressOf(port)}.`, requestsText(status)];
  const { reason } = copilotHealth(status);
  if (status.models === null) return { text: '$(loading~spin) Jumpseat', hover: where, isWarning: false };
  if (reason === 'copilot_unavailable')
    return {
      text: '$(warning) Jumpseat: no Copilot',
      hover: [...where, 'VS Code offers no Copilot model. Sign in to GitHub Copilot.'],
      isWarning: true,
    };
  if (reason === 'consent_required')
    return {
      text: '$(question) Jumpseat: waits for consent',
      hover: [...where, consentHover[status.consent]],
      isWarning: true,
    };
  const models = `${status.models} ${status.models === 1 ? 'model' : 'models'} of Copilot’s.`;
  return { text: '$(check) Jumpseat', hover: [...where, models], isWarning: false };
}

const consentHover: Readonly<Record<ConsentState, string>> = {
  unknown: 'Nobody has allowed it to use Copilot yet. Run “Jumpseat: Enable”.',
  waiting: 'VS Code asks whether it may use Copilot. Press Allow.',
  refused: 'It isn’t allowed to use Copilot. Run “Jumpseat: Enable” and press Allow.',
  given: '',
};

function requestsText({ requests, running }: Status): string {
  const many = `${requests} ${requests === 1 ? 'request' : 'requests'} so far`;
  return running === 0 ? `${many}.` : `${many}, ${running} running.`;
}

/** One request in the output channel: who asked for what and how it went. No word of a prompt or an answer. */
export function logLine(line: RequestLine, isVerbose: boolean): string {
  const { api, client, askedModel, model, status, ms, failure, fromVscode, notes } = line;
  const asked =
    askedModel === null ? '' : ` ${shown(askedModel)}${model === null || model === askedModel ? '' : ` → ${model}`}`;
  const how = failure === null ? `${status}` : `${status} ${failure}`;
  const said = isVerbose ? notes.map(({ text }) => `\n    ${text}`).join('') : '';
  const why = fromVscode === '' ? '' : ` · VS Code: ${fromVscode}`;
  return `${client} · ${api}${asked} · ${how} · ${(ms / 1000).toFixed(1)} s${counts(line)}${why}${said}`;
}

function counts({ input, output, credits }: RequestLine): string {
  const tokens = input === null && output === null ? '' : ` · ${input ?? '?'} in, ${output ?? '?'} out`;
  return credits === null ? tokens : `${tokens} · ${credits.toFixed(2)} credits`;
}

/** A name is whatever a client says. */
function shown(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, '?').slice(0, 100);
}
