import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter } from 'node:path';
import { root } from './project.mjs';

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the foreground with our stdin, stdout and stderr, passes signals on to it and waits for it, so that
 * nothing is left running. Resolves with its exit code (128 + number when a signal ended it).
 */
export function foreground(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    const forward = (signal) => child.kill(signal);
    for (const signal of passedOn) process.on(signal, forward);
    const done = () => {
      for (const signal of passedOn) process.off(signal, forward);
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

/** Runs npm quietly, on the Node that is installed on the machine: node_modules, and the Node in it, may be replaced meanwhile. */
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
