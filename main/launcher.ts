import { PassThrough, Writable } from 'node:stream';
import { utilityProcess } from 'electron';
import { endTree, type LaunchedProcess, type Launcher } from '../app/processes/launch.ts';

/**
 * A program of ours as a utility process: a packed Electron runs nothing else as Node. It has no stdin, so what
 * is meant for it goes over its port, a chunk a message, and `null` at the end.
 */
export const launchUtility: Launcher = ({ file, env }) => {
  const child = utilityProcess.fork(file, [], { env: { ...env }, stdio: 'pipe', serviceName: 'Jumpseat helper' });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('The utility process has no output.');
  const stdin = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      child.postMessage(chunk);
      done();
    },
    final: (done) => {
      child.postMessage(null);
      done();
    },
  });
  let pid: number | null = null;
  let isUnwanted = false;
  const kill = (): void => {
    isUnwanted = true;
    if (pid !== null) endTree(pid, false);
  };
  child.once('spawn', () => {
    pid = child.pid ?? null;
    if (isUnwanted) kill();
  });
  const exited = new Promise<Awaited<LaunchedProcess['exited']>>((resolve) => {
    child.once('exit', (code) => {
      pid = null;
      resolve({ code, signal: null, error: null });
    });
  });
  return {
    get pid() {
      return pid;
    },
    stdin,
    stdout: stdout.pipe(new PassThrough()),
    stderr: stderr.pipe(new PassThrough()),
    exited,
    kill,
  };
};
