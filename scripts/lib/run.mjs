import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, delimiter } from 'node:path';
import { root } from './project.mjs';

/** A terminal sends SIGINT and SIGHUP to the whole group, the child among them: passed on, it would get them twice. */
const passedOn = () => (process.stdin.isTTY ? ['SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP']);
const leftToTheChild = ['SIGINT', 'SIGHUP'];
const ignore = () => {};

/**
 * Runs a program in the foreground with our stdin, stdout and stderr, passes signals on to it and waits for it, so that
 * nothing is left running. Resolves with its exit code (128 + number when a signal ended it).
 */
export function foreground(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    const forward = (signal) => child.kill(signal);
    const signals = passedOn();
    for (const signal of signals) process.on(signal, forward);
    for (const signal of leftToTheChild) process.on(signal, ignore);
    const watch = whenNpmIsGone(() => forward('SIGTERM'));
    const done = () => {
      clearInterval(watch);
      for (const signal of signals) process.off(signal, forward);
      for (const signal of leftToTheChild) process.off(signal, ignore);
    };
    child.once('error', (error) => {
      done();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      done();
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** From util-linux; BusyBox's program of this name can't do it. */
const setpriv = '/usr/bin/setpriv';

/**
 * Runs a program in place of this one, which has nothing left to do: a second Node beside the product would keep its
 * memory, and wake the processor, for as long as the product runs. Where Node can't do that (before 22.15, on Windows),
 * or nobody would tell it that npm is gone, in the foreground.
 */
export function inOurPlace(command, args, options = {}) {
  const { cwd = root, env = process.env } = options;
  const place = placeOf([command, ...args]);
  if (place === null || isOrphan()) return foreground(command, args, options);
  process.chdir(cwd);
  return process.execve(place[0], place, env);
}

function placeOf(program) {
  if (process.execve === undefined || process.platform === 'win32') return null;
  // There the shell between npm and us is replaced by us.
  if (!isUnderNpm() || process.platform === 'darwin') return program;
  if (!existsSync(setpriv) || basename(realpathSync(setpriv)) === 'busybox') return null;
  return [setpriv, '--pdeathsig', 'TERM', ...program];
}

const isUnderNpm = () => Boolean(process.env.npm_lifecycle_event);

/** Before anything was built, in which time npm may be told to stop. */
const parentAtStart = process.ppid;
const isOrphan = () => process.ppid !== parentAtStart;

/** Looks at the parent wake the processor for as long as the proxy runs. */
const parentLookMs = 2000;

/**
 * npm ends the shell between itself and us when it is told to stop, and that shell passes it on to no process: a lost
 * parent is our only sign. Started without npm, we may well outlive the shell that started us.
 */
function whenNpmIsGone(stop) {
  if (!isUnderNpm() || process.platform === 'win32') return undefined;
  const watch = setInterval(() => {
    if (!isOrphan()) return;
    clearInterval(watch);
    stop();
  }, parentLookMs);
  return watch;
}

/**
 * Runs a program quietly. Resolves with its exit code and everything it printed; never rejects for a bad exit code.
 * @returns {Promise<{ code: number, stdout: string, output: string }>} `output`: stdout and stderr as they came
 */
export function quiet(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const stdout = [];
    const output = [];
    child.stdout.on('data', (chunk) => {
      stdout.push(chunk);
      output.push(chunk);
    });
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code: code ?? 1, stdout: Buffer.concat(stdout).toString(), output: Buffer.concat(output).toString() }),
    );
  });
}

/**
 * Runs npm quietly, on the Node that is installed on the machine: node_modules, and the Node in it, may be replaced
 * meanwhile.
 */
export function npm(args, options = {}) {
  const env = { ...process.env, npm_config_loglevel: 'error' };
  for (const name of Object.keys(env)) {
    if (name.toUpperCase() !== 'PATH') continue;
    env[name] = env[name]
      .split(delimiter)
      .filter((folder) => !/node_modules[\\/]\.bin$/.test(folder))
      .join(delimiter);
  }
  const windows = process.platform === 'win32';
  // npm.cmd runs in a shell, which would split a path at its spaces.
  return windows
    ? quiet(
        'npm.cmd',
        args.map((arg) => `"${arg}"`),
        { env, shell: true, ...options },
      )
    : quiet('npm', args, { env, ...options });
}
