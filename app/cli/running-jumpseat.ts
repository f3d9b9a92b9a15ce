import { get } from 'node:http';
import { nodePaths } from '../adapters/paths.ts';
import type { Problem } from '../api/call.ts';
import type { AppState } from '../api/state.ts';
import { shellFault } from '../claude-code/checks.ts';
import { claudeSettingsPath, SetupError, shownPath } from '../claude-code/settings-file.ts';
import { readSetup, setUpAgain, setupFault } from '../claude-code/setup/read-setup.ts';
import { findShellVariables, ownVariables } from '../claude-code/shell-variables.ts';
import type { Environment, OwnVariables } from '../environment.ts';
import { frontSentence } from '../language/front-language.ts';
import { t } from '../language/translate.ts';
import type { Paths } from '../ports.ts';
import { callRunning, type RunningDoor, type RunningProxy, runningProxy } from '../server/running-proxy.ts';
import { readLock } from '../server/who-answers.ts';
import { readVariables } from './options.ts';
import { type Surroundings, withApp } from './surroundings.ts';
import type { Terminal } from './terminal.ts';

/* What a command asks of the Jumpseat that runs: its door, and whether it is ready. */

/** The way to the running Jumpseat, under this label. Null if none answers. */
export async function runningDoor(lock: string, label: string): Promise<RunningDoor | null> {
  const running = await runningProxy(lock);
  if (running === null) return null;
  const key = await keyOfRunning(lock);
  return key === null ? null : { baseUrl: running.baseUrl, key: `${key}.${label}` };
}

/** It may be only in its memory; the store of this process has another key, or no key. */
async function keyOfRunning(lock: string): Promise<string | null> {
  return callRunning(lock, 'localKey');
}

/** What a command knows without the app. */
export interface Beside {
  paths: Paths;
  variables: OwnVariables;
  running: RunningProxy;
}

/**
 * The Jumpseat that runs in the person's folder, for a command that only asks it something: the app is a hundred
 * modules, and opening it ten times the work of the question. Null if none answers.
 */
export async function besideRunning(surroundings: Surroundings): Promise<Beside | null> {
  const variables = readVariables(surroundings.env);
  // Whether that may be used stands in the settings: it is the app that refuses it.
  if (variables.storage === 'file') await withApp(surroundings, {}, async () => undefined);
  const paths = nodePaths(surroundings.env);
  const running = await saidIfSlow(surroundings.terminal, paths.lock, runningProxy(paths.lock));
  return running && { paths, variables, running };
}

/** One that is stopped, or busy, is given some seconds. */
const silentMs = 1_500;

async function saidIfSlow<Answer>(terminal: Terminal, lock: string, answer: Promise<Answer>): Promise<Answer> {
  const timer = setTimeout(() => {
    const owner = readLock(lock);
    if (owner !== null) terminal.progress(t('Waiting for Jumpseat (pid {pid}) to answer…', { pid: String(owner.pid) }));
  }, silentMs);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    terminal.progress(null);
  }
}

/** Whether Claude Code finds the running Jumpseat. */
export interface ClaudeCodeSetup {
  /** Null: its settings.json can't be read. */
  isSetUp: boolean | null;
  /** Why it can't work all the same; null: it can, as far as is known. */
  problem: Problem | null;
}

/** Whether a key that a setup writes now works tomorrow, as the app knows it of itself. */
export function isKeyKept({ key, storage }: OwnVariables, secrets: AppState['secrets']): boolean {
  return key !== null || ((storage ?? secrets.storage) !== 'memory' && secrets.problem === null);
}

/** By its settings.json, which wins, or by the variables of this shell. */
export async function claudeCodeSetup(
  env: Environment,
  paths: Paths,
  running: RunningProxy | null,
  port: number,
  isKeyKept: boolean,
): Promise<ClaudeCodeSetup> {
  const settings = claudeSettingsPath(env);
  const shown = shownPath(settings);
  const found = await readSetup({ settings, paths, port: () => port }).catch((error: unknown) =>
    error instanceof SetupError ? error : null,
  );
  const read = found instanceof SetupError ? null : found;
  const damage = found instanceof SetupError ? { code: found.code, text: found.message, remedy: found.remedy } : null;
  const isInShell = running !== null && env.ANTHROPIC_BASE_URL === running.baseUrl;
  if (running !== null && (isInShell || read?.isSetUp)) {
    const key = await keyOfRunning(paths.lock);
    const fault = read && setupFault(read, { shown, port: running.port, key, isKeyKept, env });
    const shell = await findShellVariables({ env, project: process.cwd() }, ownVariables(running.port, key));
    const problem = fault ?? shellFault(shell) ?? (isInShell ? null : damage);
    return { isSetUp: true, problem };
  }
  if (read === null || read.isSetUp) return { isSetUp: read && true, problem: damage };
  const text = t('Claude Code isn’t set up in settings.json, nor in this shell.');
  return { isSetUp: false, problem: { code: 'not-set-up', text, remedy: setUpAgain(isKeyKept) } };
}

/** Whether Claude Code's settings.json holds keys of ours. Rejects where it can't be read. */
export async function isInSettings(env: Environment, paths: Paths, port: number): Promise<boolean> {
  return (await readSetup({ settings: claudeSettingsPath(env), paths, port: () => port })).isSetUp;
}

interface Readiness {
  ready: boolean;
  problem: Problem | null;
}

/**
 * What the running proxy says of itself (`/readyz`); it may have to ask GitHub first. Null if it said nothing in time.
 */
export function readinessOf(proxy: RunningProxy, timeoutMs = 20_000): Promise<Readiness | null> {
  return new Promise((resolve) => {
    const request = get(`${proxy.baseUrl}/readyz`, { timeout: timeoutMs, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('error', () => resolve(null));
      response.on('end', () => resolve(readReadiness(response.statusCode ?? 0, body)));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(null));
  });
}

function readReadiness(status: number, body: string): Readiness | null {
  if (status === 200) return { ready: true, problem: null };
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null) return null;
    const text =
      'reason' in value && typeof value.reason === 'string'
        ? frontSentence(value.reason)
        : t('The proxy answered {status}.', { status: String(status) });
    const remedy = 'remedy' in value && typeof value.remedy === 'string' ? frontSentence(value.remedy) : '';
    const code = 'code' in value && typeof value.code === 'string' ? value.code : 'not-ready';
    return { ready: false, problem: { code, text, remedy } };
  } catch {
    return null;
  }
}
