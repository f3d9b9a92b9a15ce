import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerCopilot } from './copilot.ts';
import { answerGithub, answerGithubApi } from './github.ts';
import { type Handler, type Listener, listen, play, readBody, sendWhole } from './http-server.ts';
import { parseJson } from './json.ts';
import type { PlanName, SimulatorOptions } from './options.ts';
import { type RecordedRequest, recordRequest, type Service } from './record.ts';
import { flatRefusal, type Refusal } from './refusal.ts';
import type { Script } from './script.ts';
import { fakeGithubToken, fakeOwnToken, Stage, scriptOf } from './stage.ts';
import { answerEngine, simulatedSearchKey } from './web-engines.ts';

export type { SimulatedUser, SimulatorOptions } from './options.ts';
export type { RecordedRequest } from './record.ts';
export type {
  ChatQuirks,
  Match,
  Reply,
  ResponsesQuirks,
  Script,
  Scripted,
  StreamStep,
  UsualChange,
  Violation,
} from './script.ts';

/** A GitHub and a Copilot on this machine, strict where the real ones are strict. */
export interface Simulator {
  /** Stands for https://github.com. */
  readonly webUrl: string;
  /** Stands for https://api.github.com. */
  readonly apiUrl: string;
  /** Where Copilot's API is now; `script.moveHost()` changes it. */
  readonly copilotUrl: string;
  /** Stands for the search engines, each below its name: `/brave`, `/tavily`, `/exa`, `/serpapi`, … */
  readonly enginesUrl: string;
  /** A key that all of them take. */
  readonly searchKey: string;
  /** A GitHub token that is accepted here now and means nothing anywhere else. */
  readonly githubToken: string;
  /** The same for a token that a person made: it goes to Copilot as it is, in the name of GitHub's runtime alone. */
  readonly ownToken: string;
  /** Everything Copilot was sent, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Everything the two GitHub services were sent. */
  readonly githubRequests: readonly RecordedRequest[];
  /** Everything the engines were sent. */
  readonly engineRequests: readonly RecordedRequest[];
  /** What all answers cost, in nano AIU. */
  readonly billed: number;
  readonly script: Script;
  /** Ends every connection and resolves when all is closed. */
  close(): Promise<void>;
}

/** Listens on 127.0.0.1. Rejects when `port` is taken. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const stage = new Stage(options);
  const listeners: Listener[] = [];
  const open = async (port: number, handler: Parameters<typeof listen>[1]): Promise<string> => {
    const listener = await listen(port, handler, options.tls);
    listeners.push(listener);
    return listener.url;
  };
  const openCopilot = async (): Promise<string> => {
    const here = { url: '' };
    const answer: Answerer = (request, incoming, response) =>
      answerCopilot(stage, here.url, request, incoming, response);
    here.url = await open(0, serve(stage, 'copilot', answer));
    stage.copilotUrl = here.url;
    return here.url;
  };
  stage.webUrl = await open(options.port ?? 0, serve(stage, 'github', scripted(stage, answerGithub)));
  stage.apiUrl = await open(0, serve(stage, 'github-api', scripted(stage, answerGithubApi)));
  await openCopilot();
  const enginesUrl = await open(
    0,
    serve(
      stage,
      'engines',
      scripted(stage, (_stage, request) => answerEngine(request)),
    ),
  );
  return {
    webUrl: stage.webUrl,
    apiUrl: stage.apiUrl,
    get copilotUrl() {
      return stage.copilotUrl;
    },
    enginesUrl,
    get githubToken() {
      return stage.given(fakeGithubToken);
    },
    searchKey: simulatedSearchKey,
    get ownToken() {
      return stage.given(fakeOwnToken);
    },
    requests: stage.requests,
    githubRequests: stage.githubRequests,
    engineRequests: stage.engineRequests,
    get billed() {
      return stage.billed;
    },
    script: scriptOf(stage, openCopilot),
    close: async () => {
      await Promise.all(listeners.map((listener) => listener.close()));
    },
  };
}

/** A service of GitHub's, with the script's replies before its own. */
function scripted(stage: Stage, answer: (stage: Stage, request: RecordedRequest) => Refusal): Answerer {
  return async (request, _incoming, response) => {
    const reply = stage.replies.take(request) ?? { kind: 'usual' };
    if (reply.kind !== 'usual') return play(request, response, reply);
    await reply.gate;
    sendWhole(response, answer(stage, request));
  };
}

/** Milliseconds between two events of an answer: about the pace of a real model. */
const humanPace = 45;

/** A simulator as the demo wants it: at a human pace, and with room on its plan unless another one is wanted. */
export function startDemoSimulator(port = 0, plan: PlanName = 'pro-plus'): Promise<Simulator> {
  return startSimulator({ port, plan, thinkMs: humanPace });
}

/**
 * The environment that points the product at a simulator. The token is a fake, and `JUMPSEAT_SECRETS` keeps it in
 * memory.
 */
export function demoEnvironment(simulator: Simulator): Record<string, string> {
  return {
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
    JUMPSEAT_SECRETS: 'memory',
  };
}

type Answerer = (request: RecordedRequest, incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What the three services have in common: read, record, answer, and notice when the other side leaves. */
function serve(stage: Stage, service: Service, answer: Answerer): Handler {
  return (incoming, response) => {
    void take(stage, service, answer, incoming, response);
  };
}

async function take(
  stage: Stage,
  service: Service,
  answer: Answerer,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = await readBody(incoming).catch(() => null);
  if (bytes === null) return;
  const parsed = parseBody(bytes, incoming.headers['content-type'] ?? '');
  const request = recordRequest(service, incoming, { parsed, bytes: bytes.length }, (name, value) =>
    stage.hide(name, value),
  );
  response.once('close', () => settle(stage, request, response));
  stage.keep(request);
  try {
    await answer(request, incoming, response);
  } catch (error) {
    // The stack ends in a body that is nested too deeply, in whichever parser reads it first.
    if (error instanceof RangeError && !response.headersSent) {
      sendWhole(response, flatRefusal('The request body is nested too deeply'));
      return;
    }
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    sendWhole(response, { status: 500, body: `simulator: ${what}` });
    response.destroy();
  }
}

function settle(stage: Stage, request: RecordedRequest, response: ServerResponse): void {
  if (response.headersSent) request.status = response.statusCode;
  if (request.outcome !== 'open') return;
  request.outcome = response.writableFinished ? 'answered' : 'aborted';
  if (request.outcome === 'aborted') stage.aborts.tell(request);
}

function parseBody(bytes: Buffer, type: string): unknown {
  if (bytes.length === 0) return null;
  const text = bytes.toString('utf8');
  if (type.includes('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
  return parseJson(text) ?? text;
}
