import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../soon.ts';
import { claudeOf } from './hosted-agent.ts';
import { HostedFront, text } from './hosted-front.ts';
import { markedProcesses } from './marked-processes.ts';

/** What is around a session of the real Claude Code: what it may use, and what is in force in it. */
let front: HostedFront;
beforeEach(async () => {
  front = await HostedFront.start(claudeOf);
});
afterEach(() => front.close());

function write(path: string, content: string): void {
  const file = join(front.home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Parts of the person's own settings, and of a folder's. */
function furnish(): void {
  const described = (name: string) => `---\nname: ${name}\ndescription: About ${name}\n---\nWords.\n`;
  write('.claude/skills/greet/SKILL.md', described('greet'));
  write('.claude/agents/reviewer.md', described('reviewer'));
  write('.claude/CLAUDE.md', 'Be brief.');
  write('project/.claude/commands/deploy.md', '---\ndescription: Deploys\nargument-hint: <where>\n---\nDeploy $1.\n');
  write('project/CLAUDE.md', 'Use tabs.');
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] };
  write('project/.claude/settings.json', JSON.stringify({ hooks }));
  write('project/.mcp.json', JSON.stringify({ mcpServers: { broken: { command: 'false', args: [] } } }));
}

async function begun() {
  const { app, project } = front;
  const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
  const { turnId } = await app.sendMessage({ session: id, prompt: text('count to 3') });
  await front.ended(turnId);
  return id;
}

describe('what is in force in a session of the real Claude Code', () => {
  it('is the person’s, and of a folder that is trusted the folder’s too, each with where it is from (case 23)', async () => {
    furnish();
    const { app, project } = front;
    const untrusted = await app.sessionInForce(await begun());
    const names = (list: readonly { name: string }[] | undefined) => list?.map(({ name }) => name);
    expect(untrusted.inForce?.skills.find(({ name }) => name === 'greet')).toMatchObject({
      ...{
        description: 'About greet',
        origin: { kind: 'user', path: join(front.home, '.claude/skills/greet/SKILL.md') },
      },
    });
    expect(untrusted.inForce?.hooks).toEqual([]);
    expect(names(untrusted.inForce?.commands)).not.toContain('deploy');
    expect(names(untrusted.inForce?.servers)).toEqual(['jumpseat']);
    expect(untrusted.inForce?.memory.map(({ path }) => path)).toEqual([join(front.home, '.claude/CLAUDE.md')]);

    await app.trustFolder(project);
    const id = await begun();
    const { inForce, why } = await app.sessionInForce(id);
    expect(why).toBeNull();
    expect(inForce?.commands.find(({ name }) => name === 'deploy')).toMatchObject({
      ...{ description: 'Deploys', hint: '<where>', isSkill: false, origin: { kind: 'project' } },
    });
    expect(inForce?.agents.find(({ name }) => name === 'reviewer')).toMatchObject({ origin: { kind: 'user' } });
    expect(inForce?.agents.find(({ name }) => name === 'Explore')).toMatchObject({ origin: { kind: 'agent' } });
    expect(inForce?.hooks).toMatchObject([
      { event: 'PreToolUse', matcher: 'Bash', command: 'true', origin: { kind: 'project' } },
    ]);
    expect(inForce?.memory.map(({ path }) => path)).toContain(join(project, 'CLAUDE.md'));
    const servers = new Map(inForce?.servers.map((server) => [server.name, server]));
    expect(servers.get('broken')).toMatchObject({ state: 'failed', origin: { kind: 'project' } });
    expect(servers.get('jumpseat')).toMatchObject({
      ...{ state: 'connected', tools: ['web_search', 'web_fetch'], origin: { kind: 'jumpseat' } },
    });
    expect(inForce?.models.find(({ id: model }) => model === 'opus')).toMatchObject({ model: 'claude-opus-4.8' });
    expect(inForce?.context?.total).toBeGreaterThan(0);
    // Nothing was counted at a model for that.
    expect([...front.rows.values()].filter(({ path }) => path?.includes('count_tokens'))).toEqual([]);

    const { commands, areCommandsCurrent, modes } = await app.sessionOffers(id);
    expect(areCommandsCurrent).toBe(true);
    expect(names(commands)).toEqual(expect.arrayContaining(['compact', 'deploy', 'greet']));
    expect(names(commands)).not.toContain('clear');
    expect(modes.find(({ id: mode }) => mode === 'plan')).toMatchObject({ refusal: null });
    await app.unloadSession(id);
    expect(await app.sessionInForce(id)).toEqual({ inForce: null, why: 'no-process' });
    expect(await app.sessionOffers(id)).toMatchObject({ commands, areCommandsCurrent: false });
  });
});

describe('Jumpseat’s own search in a session of the real Claude Code', () => {
  it('is used as a tool of it, in the session’s name, and its key is on no command line', async () => {
    const { app, project } = front;
    // All tools are in the first request then, where no model would look for them.
    write('.claude/settings.json', JSON.stringify({ env: { ENABLE_TOOL_SEARCH: 'false' } }));
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const prompt = text('use: mcp__jumpseat__web_search {"query":"latest node"}');
    const { turnId } = await app.sendMessage({ session: id, prompt });
    const asked = await front.question(0);
    expect(asked.request).toMatchObject({ toolCall: { name: 'mcp__jumpseat__web_search' } });
    const running = markedProcesses(front.home).map(({ args, environment }) => `${args}${environment}`);
    expect(running.length).toBeGreaterThan(0);
    expect(running.filter((line) => line.includes('jss_'))).toEqual([]);
    await app.answerQuestion({ session: id, question: asked.id, answer: { answer: 'allow' } });
    expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
    const searched = await until(() => [...front.rows.values()].find(({ reason }) => reason?.rule === 'own-prompt'));
    expect([searched.client, searched.initiator]).toEqual([id, 'user']);
    expect(JSON.stringify(front.events)).toContain('docs.example');
    const [turn] = await app.sessionTurns({ session: id, before: null, limit: 1 });
    expect(turn?.requestIds).toContain(searched.id);
  });

  it('is not there where searching is off', async () => {
    await front.app.changePreferences({ search: { engines: ['off'] } });
    const { inForce } = await front.app.sessionInForce(await begun());
    expect(inForce?.servers).toEqual([]);
  });
});

describe('work beside a turn of the real Claude Code', () => {
  it('is told while it runs, and ended alone, by its id', async () => {
    const { app, project } = front;
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const input = { command: 'sleep 300', run_in_background: true };
    const { turnId } = await app.sendMessage({ session: id, prompt: text(`use: Bash ${JSON.stringify(input)}`) });
    const [task] = await until(async () => {
      const { tasks } = await app.session(id);
      return tasks.length > 0 ? tasks : null;
    });
    expect(task).toMatchObject({ kind: 'command' });
    await app.stopTask({ session: id, task: task?.id ?? '' });
    await until(async () => (await app.session(id)).tasks.length === 0);
    expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
  });

  it('is compacted on request, with its summary on record', async () => {
    const id = await begun();
    const { turnId } = await front.app.compactSession(id);
    expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
    const kinds = front
      .ofKind('update')
      .filter((event) => event.turnId === turnId)
      .map(({ event }) => (event as { update: { sessionUpdate: string } }).update.sessionUpdate);
    expect(kinds).toContain('compaction_update');
    const [turn] = await front.app.sessionTurns({ session: id, before: null, limit: 1 });
    expect(turn?.cost.user).toBe(0);
  });
});
