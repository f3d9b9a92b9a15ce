import { existsSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Problem } from '../api/call.ts';
import type { Check } from '../api/state.ts';
import type { Environment } from '../environment.ts';
import { type Finding, failed, passed, skipped, typed, warning } from '../health/finding.ts';
import { t } from '../language/translate.ts';
import { capital, withoutSpeaker } from '../words/text.ts';
import { placeOf, unreachable, usualTarget } from './commands/forward.ts';

/*
 * The checks of `jumpseat doctor` in a container, in WSL or on a machine that is reached over SSH: there Jumpseat isn't
 * on this machine, and clients come to it by a forward, by a tunnel or by its other address.
 */

/** `env --for docker` and the feature for dev containers set it; only in such places it is set. */
export function isInside(env: Environment): boolean {
  return Boolean(env.JUMPSEAT_SOCKET);
}

/** Where the variables of this shell lead clients; null: they say nothing. */
function ledTo(env: Environment): string | null {
  const url = env.ANTHROPIC_BASE_URL || env.OPENAI_BASE_URL?.replace(/\/v1\/?$/, '');
  return url ? url.replace(/\/$/, '') : null;
}

/** Clients here reach a Jumpseat, and none runs in the person's folder. */
export async function reachesElsewhere(env: Environment): Promise<boolean> {
  if (isInside(env)) return true;
  const baseUrl = ledTo(env);
  if (baseUrl === null) return false;
  const answer = await ask(`${baseUrl}/healthz`);
  return !(answer instanceof Error) && answer.version !== null;
}

/**
 * Nobody is signed in here, and this shell leads clients to an address where nothing answers: the Jumpseat may be on
 * another machine, and what leads to it doesn't run. Null where the shell says nothing, or something answers.
 */
export async function nothingReached(env: Environment, signIn: string): Promise<Problem | null> {
  const baseUrl = ledTo(env);
  if (baseUrl === null || !baseUrl.startsWith('http:') || !((await ask(`${baseUrl}/healthz`)) instanceof Error))
    return null;
  return {
    code: 'nothing-reached',
    text: t('Nothing answers at {address}, where this shell leads clients, and nobody is signed in here.', {
      address: baseUrl,
    }),
    remedy: t(
      'If Jumpseat runs on another machine, run "jumpseat forward" or your SSH tunnel here and leave it running. If it is to run here: {signIn}',
      { signIn },
    ),
  };
}

/** The Jumpseat that clients here reach, as `jumpseat status` says it. */
export interface ElsewhereReport {
  ready: boolean;
  /** The first thing in the way. */
  problem: Problem | null;
  version: string;
  /** Where clients here reach it. It runs on another machine, or as another one on this. */
  elsewhere: string;
  checks: Check[];
}

export async function statusElsewhere(env: Environment, version: string): Promise<ElsewhereReport> {
  const checks = await insideChecks(env);
  const wrong = checks.find(({ verdict }) => verdict === 'failed' || verdict === 'warning');
  const problem = wrong ? { code: wrong.id, text: wrong.finding, remedy: wrong.remedy ?? '' } : null;
  return { ready: problem === null, problem, version, elsewhere: ledTo(env) ?? usualUrl, checks };
}

const usualUrl = 'http://127.0.0.1:4180';

export async function insideChecks(env: Environment): Promise<Check[]> {
  const baseUrl = ledTo(env) ?? usualUrl;
  const target = env.JUMPSEAT_SOCKET || (existsSync(usualTarget) ? usualTarget : null);
  const [socket, answer] = await Promise.all([socketFinding(target), ask(`${baseUrl}/healthz`)]);
  const isThere = addressFinding(baseUrl, answer, target);
  const key = env.ANTHROPIC_AUTH_TOKEN || env.OPENAI_API_KEY || null;
  const [known, ready] =
    isThere.verdict === 'passed'
      ? await Promise.all([ask(`${baseUrl}/v1/models`, key), ask(`${baseUrl}/readyz`)])
      : [null, null];
  return [
    check({ id: 'inside.socket', group: 'server', title: t('Socket') }, socket),
    check({ id: 'inside.address', group: 'server', title: t('Address') }, isThere),
    check({ id: 'inside.key', group: 'server', title: t('Local key') }, keyFinding(known, key)),
    check({ id: 'inside.ready', group: 'server', title: t('Ready') }, readyFinding(ready)),
  ];
}

const check = (named: Pick<Check, 'id' | 'group' | 'title'>, finding: Finding): Check => ({ ...named, ...finding });

const answerMs = 20_000;

interface Answer {
  status: number;
  text: string;
  version: string | null;
}

/** The error where none comes. */
function ask(url: string, key: string | null = null): Promise<Answer | NodeJS.ErrnoException> {
  const headers = key === null ? {} : { authorization: `Bearer ${key}` };
  return new Promise((resolve) => {
    const read = (response: IncomingMessage): void => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        if (text.length < 100_000) text += part;
      });
      response.on('error', resolve);
      const version = response.headers['x-jumpseat'];
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, version: typeof version === 'string' ? version : null }),
      );
    };
    try {
      const request = get(url, { headers, timeout: answerMs, agent: false }, read);
      request.on('timeout', () => request.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
      request.on('error', resolve);
    } catch (error) {
      resolve(error instanceof Error ? error : new Error('unknown'));
    }
  });
}

function socketFinding(target: string | null): Promise<Finding> {
  if (target === null) return Promise.resolve(skipped(t('None is used here')));
  return new Promise((resolve) => {
    const probe = connect(placeOf(target), () => {
      probe.destroy();
      resolve(passed(t('{target} is open for you', { target })));
    });
    probe.on('error', (error) => resolve(failed(...sentences(unreachable(target, error)))));
  });
}

/** What happened, and what to do. */
function sentences(text: string): [string, string] {
  const end = text.indexOf('. ') + 1;
  return [text.slice(0, end), text.slice(end + 1)];
}

function addressFinding(baseUrl: string, answer: Answer | NodeJS.ErrnoException, target: string | null): Finding {
  if (answer instanceof Error) {
    const port = URL.canParse(baseUrl) ? new URL(baseUrl).port : '';
    const option = port === '' || port === '4180' ? '' : ` --port ${port}`;
    const forward = `jumpseat forward${target === null ? '' : ` ${target}`}${option}`;
    return typed(
      failed(
        answer.code === 'ECONNREFUSED'
          ? t('Nothing listens at {address} here.', { address: baseUrl })
          : t('{address} can’t be reached: {why}.', { address: baseUrl, why: answer.code ?? answer.message }),
        t('Run "{command}" here and leave it running, or correct ANTHROPIC_BASE_URL.', { command: forward }),
      ),
    );
  }
  if (answer.status === 200 && answer.version !== null)
    return passed(t('{address} leads to Jumpseat {version}', { address: baseUrl, version: answer.version }));
  const words = messageIn(answer.text);
  if (words !== null) return failed(words, t('Then check again.'));
  return failed(
    t('{address} isn’t Jumpseat: it answered {status}.', { address: baseUrl, status: String(answer.status) }),
    t('Correct ANTHROPIC_BASE_URL.'),
  );
}

function keyFinding(answer: Answer | NodeJS.ErrnoException | null, key: string | null): Finding {
  if (answer === null) return skipped(t('Not checked: Jumpseat can’t be reached'));
  const lines = t('Copy the lines of "jumpseat env" from the machine where Jumpseat runs.');
  if (key === null) return failed(t('No key is set here: neither ANTHROPIC_AUTH_TOKEN nor OPENAI_API_KEY.'), lines);
  if (answer instanceof Error)
    return failed(t('Jumpseat broke off: {why}.', { why: answer.code ?? answer.message }), t('Check again.'));
  if (answer.status !== 401) return passed(t('Jumpseat knows it'));
  // What it says to do next is for a client on its own machine.
  const [why] = sentences(`${messageIn(answer.text) ?? t('Jumpseat refuses the key.')} `);
  return failed(capital(why), lines);
}

function readyFinding(answer: Answer | NodeJS.ErrnoException | null): Finding {
  if (answer === null || answer instanceof Error) return skipped(t('Not checked: Jumpseat can’t be reached'));
  if (answer.status === 200) return passed(t('Jumpseat can answer requests'));
  const value = parsed(answer.text);
  const reason = textAt(value, 'reason') ?? t('Jumpseat answered {status}.', { status: String(answer.status) });
  // A sign-in or a setting here would be another one's.
  return warning(
    reason,
    t('On the machine where Jumpseat runs: {remedy}', {
      remedy: textAt(value, 'remedy') ?? t('Run "{command}".', { command: 'jumpseat doctor' }),
    }),
  );
}

/** The sentence of an error of Jumpseat's, or of a forward. */
function messageIn(text: string): string | null {
  const message = textAt(Reflect.get(Object(parsed(text)), 'error'), 'message');
  return message === null ? null : withoutSpeaker(message).replace(/^jumpseat forward: /, '');
}

function textAt(value: unknown, name: string): string | null {
  const found: unknown = Reflect.get(Object(value), name);
  return typeof found === 'string' && found !== '' ? found : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
