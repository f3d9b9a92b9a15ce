import { PassThrough, Writable } from 'node:stream';
import { utilityProcess } from 'electron';
import type { AgentLauncher, AgentProcess } from '../app/sessions/agents/launch.ts';

/**
 * The process of an agent as a utility process: a packed Electron runs nothing else as Node. It has no stdin, so what
 * is meant for it goes over its port, a chunk a message, and `null` at the end.
 */
export const launchUtility: AgentLauncher = ({ file, env }) => {
  const child = utilityProcess.fork(file, [], { env: { ...env }, stdio: 'pipe', serviceName: 'Jumpseat agent' });
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
  child.once('spawn', () => {
    pid = child.pid ?? null;
  });
  const exited = new Promise<Awaited<AgentProcess['exited']>>((resolve) => {
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
    kill: () => {
      if (pid !== null) process.kill(pid, 'SIGKILL');
    },
  };
};
