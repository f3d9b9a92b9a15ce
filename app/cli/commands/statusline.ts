import { read } from 'node:fs';
import { isatty } from 'node:tty';
import { pathsOf } from '../../adapters/paths.ts';
import type { StatusLine } from '../../api/state.ts';
import { otherServiceSwitches, pointsAtOurselves } from '../../claude-code/leading-variables.ts';
import { askAsReader, callPath, readLock, whoAnswers } from '../../server/who-answers.ts';
import { type LineWords, statusLine, usualFormat } from '../line-format.ts';

/*
 * `jumpseat statusline`: Claude Code starts it after each answer and waits for its line. Nothing but what is imported
 * here is loaded for it: zod and commander alone would take longer than all of it.
 */

interface StatusLineOptions {
  format?: string | undefined;
  /** The person's own command, whose output is shown as well. */
  with?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The fields of Claude Code's input that are used here. */
interface FromClaudeCode {
  /** Its conversation. */
  session: string | null;
  words: LineWords;
}

/** The line, behind what the person's own command prints. Never rejects. */
export async function lineFor(given: Promise<string>, options: StatusLineOptions, env: Environment): Promise<string> {
  // It proves itself while the input comes.
  const owner = findOwner(env);
  const input = await given;
  const theirs = !options.with?.trim() ? '' : outputOf(options.with, input);
  const sent = readInput(input);
  const { known, problem } = await askJumpseat(await owner, sent?.session ?? null, env);
  const why = sent === null ? 'Claude Code sent nothing that can be read' : problem;
  const words: LineWords = {
    ...sent?.words,
    ...withoutNulls({ credits: known?.credits, today: known?.today, left: known?.left, limits: known?.limits }),
    jumpseat: why === null ? 'Jumpseat' : `Jumpseat: ${why}`,
  };
  const isColored = !env.NO_COLOR && env.TERM !== 'dumb';
  const red = (text: string): string => (isColored ? `\u001b[31m${text}\u001b[39m` : text);
  const line = statusLine(options.format || usualFormat, words, why, red);
  const before = (await theirs).trimEnd();
  if (before === '') return line;
  // A colour of theirs ends with what they print.
  const ended = before.includes('\u001b') ? `${before}\u001b[0m` : before;
  return `${ended}${before.includes('\n') ? '\n' : ' · '}${line}`;
}

/** Null if it is no JSON object. */
function readInput(text: string): FromClaudeCode | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value) || Array.isArray(value)) return null;
  const { session_id: session, model, context_window: context } = value;
  const name = isObject(model) ? (textIn(model.display_name) ?? textIn(model.id)) : null;
  const used = isObject(context) ? context.used_percentage : null;
  return {
    session: textIn(session),
    words: withoutNulls({
      model: name,
      context: typeof used === 'number' && used >= 0 ? `${Math.round(used)}% context` : null,
    }),
  };
}

const longestText = 200;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, longestText) : null;

function withoutNulls(words: Record<string, string | null | undefined>): LineWords {
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value));
}

const lockMs = 1_000;
const answerMs = 2_000;

type Owner = { port: number; secret: string } | 'off' | 'silent';

async function findOwner(env: Environment): Promise<Owner> {
  const owner = readLock(pathsOf(env).lock);
  if (owner?.secret === undefined) return 'off';
  const { port, secret } = owner;
  const found = await whoAnswers({ port, secret }, lockMs);
  return found === 'jumpseat' ? { port, secret } : found === 'silence' ? 'silent' : 'off';
}

/** `problem`: why requests of this Claude Code don't go through Jumpseat, or wouldn't work; null: they would. */
async function askJumpseat(
  owner: Owner,
  session: string | null,
  env: Environment,
): Promise<{ known: StatusLine | null; problem: string | null }> {
  if (owner === 'off') return { known: null, problem: 'The proxy is off' };
  if (owner === 'silent') return { known: null, problem: 'It doesn’t answer' };
  const { port, secret } = owner;
  const known = await askAsReader(port, secret, `${callPath}statusLine`, JSON.stringify([session]), answerMs).then(
    readAnswer,
    () => null,
  );
  const problem = elsewhere(env, port) ?? known?.problem?.replace(/\.$/, '') ?? null;
  return { known, problem };
}

/** Null for that of another version. */
function readAnswer(answer: unknown): StatusLine | null {
  if (!isObject(answer) || answer.ok !== true || !isObject(answer.value)) return null;
  const { problem, credits, today, left, limits } = answer.value;
  return {
    ...{ problem: textIn(problem), credits: textIn(credits), today: textIn(today), left: textIn(left) },
    limits: textIn(limits),
  };
}

/** Claude Code gives the command its own variables, those of its settings too. */
function elsewhere(env: Environment, port: number): string | null {
  const way = otherServiceSwitches.find((name) => env[name] && env[name] !== '0');
  if (way !== undefined) return `Requests go elsewhere, by ${way}`;
  const address = env.ANTHROPIC_BASE_URL ?? '';
  if (pointsAtOurselves(address, port)) return null;
  if (address === '') return 'Requests go to Anthropic: ANTHROPIC_BASE_URL isn’t set';
  return `Requests go to ${URL.canParse(address) ? new URL(address).host : 'another address'}`;
}

const theirMs = 2_000;
const mostOutput = 100_000;

/** Output of the person's own command for the same input, up to its time limit. */
async function outputOf(command: string, input: string): Promise<string> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    // On Windows Claude Code starts its commands with Git's bash.
    const shell = process.platform === 'win32' ? 'bash' : true;
    const child = spawn(command, { shell, stdio: ['pipe', 'pipe', 'ignore'] });
    let output = '';
    const done = (): void => {
      clearTimeout(timer);
      resolve(output);
    };
    // What the shell started may hold its output open for longer.
    const timer = setTimeout(() => {
      child.kill();
      done();
    }, theirMs);
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      if (output.length < mostOutput) output += text;
    });
    child.stdin.on('error', () => undefined);
    child.on('error', done);
    child.on('close', done);
    child.stdin.end(input);
  });
}

const inputMs = 1_000;
const mostInput = 4_000_000;

/** All of standard input; empty from a terminal, and what came where it isn't ended. */
export function readStandardInput(): Promise<string> {
  if (isatty(0)) return Promise.resolve('');
  const parts: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const done = (): void => resolve(Buffer.concat(parts).toString('utf8'));
  setTimeout(done, inputMs).unref();
  // Not `process.stdin`: that is a stream to be set up, which takes longer than the reading.
  const next = (length: number): void => {
    read(0, Buffer.alloc(65_536), 0, 65_536, null, (error, count, part) => {
      if (error?.code === 'EAGAIN') setTimeout(next, 5, length);
      else if (error !== null || count === 0 || length > mostInput) done();
      else {
        parts.push(part.subarray(0, count));
        next(length + count);
      }
    });
  };
  next(0);
  return promise;
}

/**
 * The command without the rest of the program. False: these are other arguments than its own, of which the program says
 * what is wrong.
 */
export async function runAlone(args: readonly string[]): Promise<boolean> {
  const options = readOptions(args);
  if (options === null) return false;
  const line = await lineFor(readStandardInput(), options, process.env);
  process.stdout.on('error', () => process.exit(0));
  process.stdout.write(`${line}\n`, () => process.exit(0));
  return true;
}

/** Null if there is anything but the two options with their values. */
function readOptions(args: readonly string[]): StatusLineOptions | null {
  const options: StatusLineOptions = {};
  for (let at = 0; at < args.length; at += 2) {
    const [name, value] = [args[at], args[at + 1]];
    if (value === undefined || (name !== '--format' && name !== '--with')) return null;
    options[name === '--format' ? 'format' : 'with'] = value;
  }
  return options;
}
