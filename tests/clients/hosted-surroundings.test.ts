import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../soon.ts';
import { Started } from '../started.ts';
import { claudeBinary } from './claude.ts';
import { claudeOf } from './hosted-agent.ts';
import { HostedFront, text } from './hosted-front.ts';
import { markedProcesses } from './marked-processes.ts';

/** What is around a session of the real Claude Code: what it may use, and what is in force in it. */
let front: HostedFront;
beforeEach(async () => {
  front = await HostedFront.start(claudeOf);
});
afterEach(() => front.close());

/** Parts of the person's own settings, and of a folder's. */
function furnish(): void {
  const described = (name: string) => `---\nname: ${name}\ndescription: About ${name}\n---\nWords.\n`;
  front.write('.claude/skills/greet/SKILL.md', described('greet'));
  front.write('.claude/agents/reviewer.md', described('reviewer'));
  front.write('.claude/CLAUDE.md', 'Be brief.');
  front.write(
    'project/.claude/commands/deploy.md',
    '---\ndescription: Deploys\nargument-hint: <where>\n---\nDeploy $1.\n',
  );
  front.write('project/CLAUDE.md', 'Use tabs.');
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] };
  front.write('project/.claude/settings.json', JSON.stringify({ hooks }));
  front.write('project/.mcp.json', JSON.stringify({ mcpServers: { broken: { command: 'false', args: [] } } }));
}

async function begun() {
  const { app, project } = front;
  const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
  const { turnId } = await app.sendMessage({ session: id, prompt: text('count to 3') });
  await front.ended(turnId);
  return id;
}

describe('what is in force in a session of the real Claude Code', () => {
  it('E23 is the person’s, and of a folder that is trusted the folder’s too, each with where it is from', async () => {
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

describe('a folder above the one of a session', () => {
  const described = (name: string) => `---\nname: ${name}\ndescription: About ${name}\n---\nWords.\n`;
  /** All that Claude Code would read or run in a folder. */
  const furnishFolder = (folder: string, name: string): void => {
    const touch = { command: 'sh', args: ['-c', `touch '${join(front.home, `${name}-ran`)}'`] };
    front.write(`${folder}/.mcp.json`, JSON.stringify({ mcpServers: { [`${name}-server`]: touch } }));
    for (const file of ['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', '.claude/rules/rule.md']) {
      front.write(`${folder}/${file}`, `Words of ${name}.`);
    }
    front.write(`${folder}/.claude/skills/${name}-skill/SKILL.md`, described(`${name}-skill`));
    front.write(`${folder}/.claude/agents/${name}-agent.md`, described(`${name}-agent`));
    front.write(`${folder}/.claude/commands/${name}-command.md`, described(`${name}-command`));
  };

  it('gives nothing to a session whose own folder is trusted, until it is trusted too', async () => {
    const { app, home } = front;
    furnishFolder('out (1)', 'outer');
    furnishFolder('out (1)/mine', 'own');
    front.write('.claude/CLAUDE.md', 'Be brief.');
    const cwd = join(home, 'out (1)', 'mine');
    const inForce = async () => {
      const { id } = await app.newSession({ cwd, agent: 'claude', title: null, choices: {} });
      const { turnId } = await app.sendMessage({ session: id, prompt: text('count to 3') });
      expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
      const { inForce: found } = await app.sessionInForce(id);
      const lists: ({ name: string }[] | undefined)[] = [found?.servers, found?.skills, found?.commands, found?.agents];
      const all = lists.flatMap((list) => list ?? []).map(({ name }) => name);
      const names = new Set(all.filter((name) => /^(own|outer)-/.test(name)));
      return { names: [...names].sort(), memory: found?.memory.map(({ path }) => relative(home, path)).sort() };
    };
    const memoryOf = (folder: string) =>
      ['.claude/CLAUDE.md', '.claude/rules/rule.md', 'CLAUDE.local.md', 'CLAUDE.md'].map((file) => `${folder}/${file}`);
    const namesOf = (name: string) => ['agent', 'command', 'server', 'skill'].map((part) => `${name}-${part}`);
    const ran = () => readdirSync(home).filter((name) => name.endsWith('-ran'));

    await app.trustFolder(cwd);
    expect((await app.folder(cwd)).gives).toContain('.mcp.json');
    expect(await inForce()).toEqual({
      names: namesOf('own'),
      memory: ['.claude/CLAUDE.md', ...memoryOf('out (1)/mine')],
    });
    expect(ran()).toEqual(['own-ran']);

    await app.trustFolder(join(home, 'out (1)'));
    expect(await inForce()).toEqual({
      names: [...namesOf('outer'), ...namesOf('own')],
      memory: ['.claude/CLAUDE.md', ...memoryOf('out (1)'), ...memoryOf('out (1)/mine')].sort(),
    });
    expect(ran()).toEqual(['outer-ran', 'own-ran']);
  });
});

describe('a further folder of a session whose own folder is trusted', () => {
  const described = (name: string, more: string) =>
    `---\nname: ${name}\ndescription: About ${name}\nallowed-tools: Bash(touch:*)\n${more}---\nWords.\n!\`touch ${name}-ran\`\n`;
  const hook = 'hooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: touch hook-ran\n';

  it('E30 gives its files alone, until it is trusted: then its commands, skills and agents too', async () => {
    const { app, home, project } = front;
    const further = join(home, 'further');
    front.write('further/.claude/commands/given.md', described('given', ''));
    front.write('further/.claude/skills/known/SKILL.md', described('known', hook));
    front.write('further/.claude/agents/scout.md', described('scout', ''));
    front.write('further/a.txt', 'a file');
    await app.trustFolder(project);
    const choices = { directories: [further], mode: 'acceptEdits' };
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices });
    const run = async (words: string) => {
      const { turnId } = await app.sendMessage({ session: id, prompt: text(words) });
      expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
    };
    const theirs = async () => {
      const { inForce } = await app.sessionInForce(id);
      const names = [...(inForce?.commands ?? []), ...(inForce?.agents ?? [])].map(({ name }) => name);
      return names.filter((name) => ['given', 'known', 'scout'].includes(name)).sort();
    };
    const read = `use: Read ${JSON.stringify({ file_path: join(further, 'a.txt') })}`;
    await run(read);
    // Claude Code reads the person's settings anew, while those that it was started with are no longer on disk.
    front.write('.claude/settings.json', JSON.stringify({ permissions: { allow: ['Bash(true)'] } }));
    await run(read);
    await run(`use: Write ${JSON.stringify({ file_path: join(further, 'b.txt'), content: 'new' })}`);
    expect(readFileSync(join(further, 'b.txt'), 'utf8')).toBe('new');
    expect(await theirs()).toEqual([]);
    for (const words of ['/given', '/known', 'use: Skill {"skill":"known"}']) await run(words);
    expect(readdirSync(project)).toEqual([]);
    expect(front.ofKind('question')).toEqual([]);

    await app.trustFolder(further);
    await app.unloadSession(id);
    await run('/given');
    expect(await theirs()).toEqual(['given', 'known', 'scout']);
    expect(readdirSync(project)).toEqual(['given-ran']);
  });
});

describe('a plugin of the person', () => {
  it('E23 is in force until it is switched off for a session, which restarts without it, and back on', async () => {
    const { app, home, project } = front;
    const plugin = { name: 'demo', version: '1.0.0', description: 'A demo' };
    front.write('market/demo/.claude-plugin/plugin.json', JSON.stringify(plugin));
    front.write('market/demo/commands/shout.md', '---\ndescription: Shouts\n---\nShout.\n');
    const market = { name: 'market', owner: { name: 'Ada' }, plugins: [{ name: 'demo', source: './demo' }] };
    front.write('market/.claude-plugin/marketplace.json', JSON.stringify(market));
    for (const command of [
      ['marketplace', 'add', join(home, 'market')],
      ['install', 'demo@market'],
    ]) {
      const env = { PATH: process.env.PATH, HOME: home };
      const added = await new Started(claudeBinary, ['plugin', ...command], { cwd: home, env }).ended();
      expect([added.code, added.err]).toEqual([0, '']);
    }
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const seen = async (words: string) => {
      const { turnId } = await app.sendMessage({ session: id, prompt: text(words) });
      expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
      const { inForce } = await app.sessionInForce(id);
      const hasCommand = inForce?.commands.some(({ name }) => name === 'demo:shout');
      return { hasCommand, plugins: inForce?.plugins.map(({ id, isOn }) => [id, isOn]) };
    };
    const started = () => markedProcesses(home).find(({ args }) => /bin\/claude/.test(args))?.pid;
    expect(await seen('count to 2')).toEqual({ hasCommand: true, plugins: [['demo@market', true]] });
    const before = started();
    await app.chooseForSession({ session: id, choices: { pluginsOff: ['demo@market'] } });
    expect(started()).toBe(before);
    expect(await seen('count to 3')).toEqual({ hasCommand: false, plugins: [['demo@market', false]] });
    expect(started()).not.toBe(before);
    await app.chooseForSession({ session: id, choices: { pluginsOff: [] } });
    expect(await seen('count to 4')).toEqual({ hasCommand: true, plugins: [['demo@market', true]] });
  });
});

describe('Jumpseat’s own search in a session of the real Claude Code', () => {
  it('is used as a tool of it, in the session’s name, and its key is on no command line', async () => {
    const { app, project } = front;
    // All tools are in the first request then, where no model would look for them.
    front.write('.claude/settings.json', JSON.stringify({ env: { ENABLE_TOOL_SEARCH: 'false' } }));
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

  it('E24 is ended alone where it is a subagent: the turn goes on without it', async () => {
    const { app, project } = front;
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const { turnId } = await app.sendMessage({ session: id, prompt: text('subagent: run: touch made') });
    const { id: asked, child } = await front.question(0);
    await app.stopTask({ session: id, task: child ?? '' });
    expect(await front.ended(turnId)).toMatchObject({ state: 'done', problem: null });
    expect(front.ofKind('answered').map(({ event }) => event)).toMatchObject([{ id: asked, by: 'withdrawn' }]);
    expect(readdirSync(project)).toEqual([]);
    expect(await app.session(id)).toMatchObject({ tasks: [], questions: 0 });
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

describe('never asking, with the real Claude Code', () => {
  const isRoot = process.getuid?.() === 0;
  const begin = async () =>
    (await front.app.newSession({ cwd: front.project, agent: 'claude', title: null, choices: {} })).id;
  const run = async (session: string, words: string) => {
    const { turnId } = await front.app.sendMessage({ session, prompt: text(words) });
    return front.ended(turnId);
  };

  it.skipIf(isRoot)('runs what would be asked, until another mode is chosen, and in no fork', async () => {
    const { app } = front;
    const id = await begin();
    await run(id, 'count to 3');
    await app.neverAsk(id);
    expect(await app.session(id)).toMatchObject({ mode: { wanted: 'bypassPermissions', applied: 'default' } });
    expect(await run(id, 'run: touch one')).toMatchObject({ state: 'done' });
    expect(await app.session(id)).toMatchObject({
      mode: { wanted: 'bypassPermissions', applied: 'bypassPermissions' },
    });
    await app.unloadSession(id);
    expect(await run(id, 'run: touch two')).toMatchObject({ state: 'done' });
    expect(front.ofKind('question')).toEqual([]);
    expect(readdirSync(front.project).sort()).toEqual(['one', 'two']);
    const [last] = (await app.sessionTurns({ session: id, before: null, limit: 1 })).map((turn) => turn.id);
    const fork = await app.forkSession({ session: id, turn: last ?? '' });
    const asking = run(fork.id, 'run: touch three');
    await app.answerQuestion({ session: fork.id, question: (await front.question(0)).id, answer: { answer: 'deny' } });
    await asking;
    await app.chooseForSession({ session: id, choices: { mode: 'default' } });
    const again = run(id, 'run: touch four');
    await app.answerQuestion({ session: id, question: (await front.question(1)).id, answer: { answer: 'deny' } });
    await again;
    expect(readdirSync(front.project).sort()).toEqual(['one', 'two']);
  });

  it.skipIf(isRoot)('is not in force where the person’s settings forbid it, which is said', async () => {
    const permissions = { disableBypassPermissionsMode: 'disable' };
    front.write('.claude/settings.json', JSON.stringify({ permissions }));
    const id = await begin();
    await front.app.neverAsk(id);
    const turn = run(id, 'run: touch one');
    const { id: question } = await front.question(0);
    await front.app.answerQuestion({ session: id, question, answer: { answer: 'deny' } });
    await turn;
    expect(front.ofKind('note').map(({ event }) => event)).toContainEqual({
      ...{ code: 'mode-refused', wanted: 'bypassPermissions', applied: 'default' },
    });
  });

  it('A12.53 is no answer to a plan, whose tool is searched first: one request of the person’s', async () => {
    const { app, project } = front;
    const choices = { mode: 'plan' };
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices });
    const turn = run(id, 'step: plan: First this, then that.');
    const { id: question, request } = await front.question(0);
    const options = (request.options as { optionId: string }[]).map(({ optionId }) => optionId);
    expect(options).toContain('exit-plan-default');
    expect(options.filter((option) => /bypass|clear/.test(option))).toEqual([]);
    await app.answerQuestion({ session: id, question, answer: { answer: 'allow', optionId: 'exit-plan-default' } });
    expect(await turn).toMatchObject({ state: 'done' });
    expect(await app.session(id)).toMatchObject({ mode: { applied: 'default' } });
    const reasons = [...front.rows.values()]
      .filter(({ requestClass, outcome }) => requestClass === 'main' && outcome === 'done')
      .map(({ initiator, reason }) => [initiator, reason?.sentence]);
    expect(reasons).toEqual([
      ['user', expect.stringMatching(/^(new )?prompt/)],
      ['agent', 'results of ToolSearch'],
      ['agent', 'results of ExitPlanMode'],
    ]);
    expect(front.ofKind('note')).toEqual([]);
  });

  it.runIf(isRoot)('is refused to root, and the session asks on', async () => {
    const { app } = front;
    const id = await begin();
    await expect(app.neverAsk(id)).rejects.toMatchObject({
      message: 'Claude Code never runs without asking as root.',
    });
    const turn = run(id, 'run: touch one');
    await app.answerQuestion({ session: id, question: (await front.question(0)).id, answer: { answer: 'deny' } });
    expect(await turn).toMatchObject({ state: 'done' });
    const { modes } = await app.sessionOffers(id);
    expect(modes.find(({ asksNothing }) => asksNothing)).toMatchObject({ refusal: 'root' });
  });
});
