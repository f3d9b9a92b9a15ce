import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStack } from '../app/stack.ts';
import { claudeOf } from './hosted-agent.ts';

/**
 * A Jumpseat with the real Claude Code, to be killed at any moment: one session that writes file after file, whose
 * edits are undone and made again. Each line on stdout is something that a front was told.
 */
const { home, session }: { home: string; session: string } = JSON.parse(process.env.KILLS ?? '');
const person = join(home, 'person');
const project = join(person, 'project');
mkdirSync(project, { recursive: true });
const say = (line: Record<string, unknown>): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

const stack = await startStack({
  home,
  app: { agents: [claudeOf({ home: person })], environment: { CLAUDE_CONFIG_DIR: join(person, '.claude') } },
});
const { app } = stack;
const ended = new Map<string, () => void>();
app.listen((event) => {
  if (event.event !== 'session-event') return;
  const { kind, turnId, event: what } = event.entry;
  if (kind === 'turn-started') say({ reported: 'started', turnId });
  if (kind !== 'turn-ended') return;
  say({ reported: 'ended', turnId, state: (what as { state: string }).state });
  ended.get(turnId ?? '')?.();
});
// What a Jumpseat before this one left: nothing goes on by itself.
const known = await app.sessionTurns({ session, before: null, limit: 500 }).catch(() => []);
const queue = known.length === 0 ? [] : (await app.session(session)).queue;
say({ ready: true, turns: known.map(({ id, state }) => ({ id, state })), queue: queue.map(({ id }) => id) });

if (known.length === 0) await app.newSession({ id: session, cwd: project, agent: 'claude', title: null, choices: {} });
await app.chooseForSession({ session, choices: { mode: 'acceptEdits' } });
for (;;) {
  const id = randomUUID();
  const over = new Promise<void>((resolve) => ended.set(id, resolve));
  const file = join(project, `${id}.txt`);
  const content = `${id}\n`.repeat(400);
  const prompt = [{ type: 'text', text: `use: Write ${JSON.stringify({ file_path: file, content })}` }];
  const isAccepted = await app.sendMessage({ session, prompt, id }).then(
    () => true,
    () => false,
  );
  if (!isAccepted) {
    await sleep(20);
    continue;
  }
  say({ reported: 'accepted', id });
  // A turn that fails makes those behind it wait for the person's word.
  const waiting = setInterval(() => void app.sendQueued(session).catch(() => undefined), 200);
  await over;
  clearInterval(waiting);
  for (const call of ['undoChanges', 'redoChanges', 'undoChanges', 'redoChanges'] as const) {
    await app[call]({ session, turn: id, paths: null });
  }
}
