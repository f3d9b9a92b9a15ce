import { once } from 'node:events';
import { cpSync, existsSync, linkSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentSdkVersion, ensureAgentSdk, ensureClaudeCode } from '../lib/client-programs.mjs';
import { Stop, say } from '../lib/progress.mjs';
import { inProject, manifest } from '../lib/project.mjs';
import { quiet } from '../lib/run.mjs';

/** Who uses the bare system. */
export const user = 'person';

export async function ask(system, command) {
  const version = await system.must(`${command} --version`, { user });
  if (version.trim() !== manifest().version) throw new Stop(`jumpseat --version printed ${version}`);
  const { output } = await system.run(`${command} doctor`, { user });
  if (!output.includes('Not signed in.')) throw new Stop(`jumpseat doctor printed:\n${output}`);
  const begun = performance.now();
  const rounds = 10;
  await system.must(`for i in $(seq ${rounds}); do ${command} --version; done`, { user });
  say(`--version: ${Math.round((performance.now() - begun) / rounds)} ms`);
}

/** Ends in order when its stdin does, and deletes its folder. */
export async function demo(system, command) {
  const claude = await giveClaude(system);
  const child = system.start(
    `PATH=/tmp/jumpseat:$PATH ${command} demo --json --port 0 & read -r stop; kill $!; wait $!`,
    { user },
  );
  const ended = once(child, 'exit');
  try {
    const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
    const { baseUrl, authToken } = JSON.parse(value ?? '{}');
    const answer = await fetch(`${baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${authToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'claude-sonnet-4.6',
        max_tokens: 50,
        messages: [{ role: 'user', content: 'hello' }],
      }),
      signal: AbortSignal.timeout(20_000),
    });
    const { type } = await answer.json();
    if (type !== 'message') throw new Stop(`The demo answered with ${answer.status} ${type}.`);
    if (claude === null) await prompt(system, command);
    else say(`No prompt of an editor: ${claude}.`);
  } finally {
    child.stdin.end();
    await ended;
  }
}

/** The Claude Code of this machine, as a person would have one. @returns why there is none */
async function giveClaude(system) {
  const claude = await ensureClaudeCode();
  if ('reason' in claude) return claude.reason;
  const place = join(system.folder, 'tmp', 'jumpseat', 'claude');
  if (existsSync(place)) return null;
  mkdirSync(dirname(place), { recursive: true });
  try {
    linkSync(claude.path, place);
  } catch {
    cpSync(claude.path, place);
  }
  cpSync(dirname(await ensureAgentSdk()), join(system.folder, 'tmp', 'jumpseat', 'sdk'), { recursive: true });
  return null;
}

/** An editor that starts `jumpseat acp` beside the demo, and sends one prompt. */
async function prompt(system, command) {
  const home = (await system.must('ls -d /tmp/jumpseat-demo-*', { user })).trim();
  const sdk = `${home}/cache/packages/anthropic-ai-claude-agent-sdk/${agentSdkVersion}`;
  await system.must(`mkdir -p $(dirname ${sdk}) && cp -r /tmp/jumpseat/sdk ${sdk}`, { user });
  const env = { JUMPSEAT_HOME: home };
  const child = system.start(`${command} acp`, { user, env });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  let id = 0;
  const call = async (method, params) => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value, done } = await Promise.race([lines.next(), sleep(60_000, { done: true }, { ref: false })]);
      if (done) throw new Stop(`${method} got no answer from jumpseat acp. ${said}`);
      const frame = JSON.parse(value);
      if (frame.id !== id || frame.method !== undefined) continue;
      if (frame.error) throw new Stop(`${method}: ${JSON.stringify(frame.error)}`);
      return frame.result;
    }
  };
  try {
    await call('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await call('session/new', { cwd: `/home/${user}`, mcpServers: [] });
    // A real program gets one more try, as in the tests; and tests that run beside this end agents of others.
    for (let left = 3; ; left -= 1) {
      const sent = call('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'hello' }] });
      const end = await sent.then(
        ({ stopReason }) => stopReason,
        ({ message }) => message,
      );
      if (end === 'end_turn') return;
      if (left === 1) throw new Stop(`The prompt ended with ${end}.`);
      say(`Once more: the prompt ended with ${end}.`);
    }
  } finally {
    await system.end(child);
  }
}

/**
 * `jumpseat` alone is the tray app: it starts. Then its own program, which a debugger of pages may look into: in its
 * window something is clicked. Its sandbox's helper runs, or the kernel's user namespaces do.
 */
export async function tray(system, { command, program, display, node }) {
  const env = { DISPLAY: display, JUMPSEAT_PORT: '0' };
  if (command !== null) await startsByItsCommand(system, command, env);
  await whileRunning(system, `${program} --remote-debugging-port=0`, env, async (child, said) => {
    for (let tries = 0; tries < 60 && child.exitCode === null; tries++) {
      const [, port] = /ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said()) ?? [];
      if (port !== undefined) {
        const { code, output } = await quiet(node, [inProject('scripts', 'packing', 'click.mjs'), port]);
        if (code !== 0) throw new Stop(output.trim());
        return true;
      }
      await sleep(500);
    }
    return false;
  });
}

function startsByItsCommand(system, command, env) {
  return whileRunning(system, command, env, async (child) => {
    for (let tries = 0; tries < 60 && child.exitCode === null; tries++) {
      const { output } = await system.run(`${command} status`, { user });
      if (/^Proxy +http:\/\/127\.0\.0\.1:\d+ /m.test(output)) return true;
      await sleep(500);
    }
    return false;
  });
}

async function whileRunning(system, line, env, work) {
  const child = system.start(line, { user, env });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  try {
    if (!(await work(child, () => said)))
      throw new Stop(`The tray app did not start:\n${said.trim().split('\n').slice(-15).join('\n')}`);
  } finally {
    await system.end(child);
  }
}
