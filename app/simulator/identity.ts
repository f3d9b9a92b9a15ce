import type { RecordedRequest } from './record.ts';
import { type Refusal, textRefusal } from './refusal.ts';
import type { Violation } from './script.ts';
import { CopilotTokens, fakeGithubToken, type Stage } from './stage.ts';

/** Headers of clients and of machines that a proxy must keep to itself. */
const forbidden: readonly { pattern: RegExp; why: string }[] = [
  { pattern: /^x-stainless-/, why: 'It tells which machine the client runs on.' },
  { pattern: /^x-claude-/, why: 'It belongs between Claude Code and its gateway.' },
  { pattern: /^x-app$/, why: 'It belongs to the client.' },
  { pattern: /^x-api-key$/, why: 'It may hold a personal Anthropic key.' },
  { pattern: /^cookie$/, why: 'Cookies belong to the local server.' },
  { pattern: /^anthropic-dangerous-direct-browser-access$/, why: 'It belongs to the client.' },
  {
    pattern: /^(vscode-machineid|vscode-sessionid|editor-device-id|x-machine-id|x-device-id)$/,
    why: 'It names a machine.',
  },
  { pattern: /^(origin|referer)$/, why: 'It tells what the client looked at.' },
  { pattern: /^(forwarded|via|x-forwarded-.*|x-real-ip)$/, why: 'It tells where the client is.' },
];

/** How a route treats the initiator's header. */
export type InitiatorRule = 'required' | 'optional' | 'absent';

/** The first thing wrong with a request's headers, in Copilot's own words where they are known. Null if nothing. */
export function checkIdentity(
  stage: Stage,
  request: RecordedRequest,
  authorization: string | undefined,
  url: string,
  initiator: InitiatorRule,
): Refusal | null {
  const value = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '';
  const identity = isRuntime(request)
    ? checkRuntime(stage, request, value, url)
    : (checkEditor(request) ?? checkBearer(stage, value, url) ?? checkNoAuto(stage, request));
  return identity ?? checkManners(stage, request) ?? checkInitiator(stage, request, initiator);
}

function checkEditor(request: RecordedRequest): Refusal | null {
  const editor = request.headers['editor-version'];
  if (editor === undefined) return textRefusal(400, 'bad request: missing Editor-Version header for IDE auth');
  return /^vscode\/\d+\.\d+/.test(editor)
    ? null
    : textRefusal(400, 'bad request: unknown Editor-Version header for IDE auth');
}

/** GitHub's own runtime for other programs, and who speaks in its name. */
export function isRuntime(request: RecordedRequest): boolean {
  return /^copilot\/\d+\.\d+/.test(request.headers['editor-version'] ?? '');
}

/** Its bearer is a token of GitHub's itself, and never one of VS Code's app. */
function checkRuntime(stage: Stage, request: RecordedRequest, value: string, url: string): Refusal | null {
  const found: Violation[] = [];
  const note = (header: string, why: string): void => {
    found.push({ at: request.at, path: request.path, header, why });
  };
  if (request.headers['copilot-integration-id'] !== 'copilot-sdk') note('copilot-integration-id', 'It is copilot-sdk.');
  if (value === stage.given(fakeGithubToken) || stage.tokens.find(value) !== null) {
    note('authorization', 'A token of VS Code’s app belongs to VS Code’s identity.');
  }
  const refusal = violated(stage, found);
  if (refusal !== null) return refusal;
  if (!stage.isOwnToken(value)) return textRefusal(401, 'unauthorized: token expired');
  return url === stage.copilotUrl ? null : textRefusal(421, 'Misdirected Request');
}

function checkBearer(stage: Stage, value: string, url: string): Refusal | null {
  const token = stage.tokens.find(value);
  if (token === null || !CopilotTokens.lives(token)) return textRefusal(401, 'unauthorized: token expired');
  return token.host === url && url === stage.copilotUrl ? null : textRefusal(421, 'Misdirected Request');
}

/** GitHub's choice of models belongs to GitHub's own clients: VS Code does not use it. */
function checkNoAuto(stage: Stage, { at, path, headers }: RecordedRequest): Refusal | null {
  if (headers['copilot-session-token'] === undefined && path !== '/models/session') return null;
  return violated(stage, [{ at, path, header: 'copilot-session-token', why: 'VS Code’s identity is not for Auto.' }]);
}

/** Records what should not have come, and says so: a test has to fail loudly. */
function checkManners(stage: Stage, request: RecordedRequest): Refusal | null {
  const found: Violation[] = [];
  const note = (header: string, why: string): void => {
    found.push({ at: request.at, path: request.path, header, why });
  };
  for (const header of Object.keys(request.headers)) {
    const rule = forbidden.find((one) => one.pattern.test(header));
    if (rule !== undefined) note(header, rule.why);
  }
  if (/claude/i.test(request.headers['user-agent'] ?? '')) note('user-agent', 'It is the client’s own.');
  return violated(stage, found);
}

function checkInitiator(stage: Stage, request: RecordedRequest, rule: InitiatorRule): Refusal | null {
  const { initiator, at, path } = request;
  // The runtime itself says one where it reads the list of models.
  if (rule === 'absent' && isRuntime(request) && request.headers['x-client-machine-id'] !== undefined) return null;
  const isSaid = initiator === 'user' || initiator === 'agent';
  const fine = rule === 'absent' ? initiator === null : isSaid || (rule === 'optional' && initiator === null);
  if (fine) return null;
  const why = rule === 'absent' ? 'This route has none.' : 'It has to be user or agent.';
  return violated(stage, [{ at, path, header: 'x-initiator', why }]);
}

function violated(stage: Stage, found: Violation[]): Refusal | null {
  const [first] = found;
  if (first === undefined) return null;
  stage.violations.push(...found);
  const names = found.map((violation) => violation.header).join(', ');
  return stage.options.strict
    ? textRefusal(400, `simulator: these headers may not reach Copilot like this: ${names}. ${first.why}`)
    : null;
}
