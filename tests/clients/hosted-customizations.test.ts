import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { client, type McpServer, ndJsonStream } from '@agentclientprotocol/sdk/unstable';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Customization } from '../../app/api/calls/customizations.ts';
import type { AppEvent } from '../../app/api/events.ts';
import type { Added } from '../../app/api/session-surroundings.ts';
import { webReadable, webWritable } from '../../app/sessions/agents/stdio.ts';
import { until } from '../soon.ts';
import { Started } from '../started.ts';
import { claudeBinary } from './claude.ts';
import { claudeOf } from './hosted-agent.ts';
import { HostedFront, text } from './hosted-front.ts';

/** What a person adds for a session or a folder, as the real Claude Code takes it up. */
let front: HostedFront;
/** State of each by its name, as events told it, in order. */
const told: string[][] = [];
beforeEach(async () => {
  front = await HostedFront.start(claudeOf);
  told.length = 0;
  front.app.listen((event: AppEvent) => {
    if (event.event !== 'session-customizations') return;
    told.push(event.now.customizations.map(({ name, state }) => `${name} ${state}`));
  });
});
afterEach(() => front.close());

const described = (name: string) => `---\nname: ${name}\ndescription: About ${name}\n---\nWords of ${name}.\n`;

/** A plugin with one of each kind; its server has the tool `echo`. */
function furnishPlugin(folder: string, name: string): void {
  front.write(
    `${folder}/.claude-plugin/plugin.json`,
    JSON.stringify({ name, version: '1.0.0', description: 'A demo' }),
  );
  front.write(`${folder}/commands/shout.md`, described('shout'));
  front.write(`${folder}/agents/tester.md`, described('tester'));
  front.write(`${folder}/skills/greet/SKILL.md`, described('greet'));
}

async function begun() {
  const { app, project } = front;
  const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
  return id;
}

async function say(session: string, words: string): Promise<void> {
  const { turnId } = await front.app.sendMessage({ session, prompt: text(words) });
  expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
}

/** Names in the lists of what is in force that are of plugins or were added. */
async function theirs(session: string) {
  const { inForce } = await front.app.sessionInForce(session);
  type Named = readonly { name: string; origin: { kind: string } }[];
  const lists: (Named | undefined)[] = [inForce?.commands, inForce?.agents, inForce?.skills, inForce?.servers];
  const all = lists.flatMap((list) => list ?? []);
  return [...new Set(all.flatMap(({ name, origin }) => (/plugin|added/.test(origin.kind) ? [name] : [])))].sort();
}

const one = async (session: string): Promise<Customization> => {
  const [first] = (await front.app.customizations(session)).customizations;
  if (first === undefined) throw new Error('Nothing was added.');
  return first;
};

const addFolder = (session: string, path: string, trust: boolean, scope: 'session' | 'folder' = 'session') =>
  front.app.addCustomization({ session, scope, added: { kind: 'folder', path }, trust });

describe('a plugin that a person adds', () => {
  it('is used from the next message on, is told while it loads, and is gone with the message after it is off', async () => {
    const { app, home, project } = front;
    furnishPlugin('plugins/demo', 'demo');
    const path = join(home, 'plugins/demo');
    const id = await begun();
    await say(id, 'count to 2');
    expect(await theirs(id)).toEqual([]);

    const added: Added = { kind: 'folder', path };
    expect(await app.pluginOffer(added)).toMatchObject({
      ...{ name: 'demo', version: '1.0.0', isTrusted: false, why: null },
      holds: { skills: ['greet'], commands: ['shout'], agents: ['tester'], runs: [] },
    });
    await expect(addFolder(id, path, false)).rejects.toThrow('isn’t trusted');
    expect((await app.sessionOffers(id)).areCommandsCurrent).toBe(true);
    await addFolder(id, path, true);
    expect(await one(id)).toMatchObject({ name: 'demo', state: 'next', path, folder: null, isOn: true });
    expect(await theirs(id)).toEqual([]);
    // Its commands are not offered yet, and none is unknown: the next message may have one.
    const offered = async () =>
      (await app.sessionOffers(id)).commands.flatMap(({ name, isComing }) =>
        name.startsWith('demo:') ? [`${name}${isComing === true ? ', next' : ''}`] : [],
      );
    expect((await app.sessionOffers(id)).areCommandsCurrent).toBe(false);
    expect(await offered()).toEqual(['demo:shout, next', 'demo:greet, next']);

    await say(id, 'count to 3');
    expect(await theirs(id)).toEqual(['demo:greet', 'demo:shout', 'demo:tester']);
    await until(() => told.some((now) => now.includes('demo loaded')));
    expect(told.map(String)).toEqual(['demo next', 'demo loading', 'demo loaded']);
    expect((await offered()).sort()).toEqual(['demo:greet', 'demo:shout']);
    await say(id, '/demo:shout');
    expect(JSON.stringify(front.events)).toContain('demo:shout');
    expect((await app.sessionInForce(id)).inForce?.plugins).toEqual([]);

    const { id: customization } = await one(id);
    await app.switchCustomization({ session: id, customization, on: false });
    await say(id, 'count to 4');
    expect(await theirs(id)).toEqual([]);
    expect(await one(id)).toMatchObject({ isOn: false, state: 'off' });
    // Another session in the folder never had it, and nothing is in the folder.
    const other = await begun();
    expect((await app.customizations(other)).customizations).toEqual([]);
    expect(readdirSync(project)).toEqual([]);

    // Switched on, and with a further skill by then: its files are read anew.
    await app.switchCustomization({ session: id, customization, on: true });
    await say(id, 'count to 5');
    front.write('plugins/demo/skills/later/SKILL.md', described('later'));
    await say(id, 'count to 6');
    expect(await theirs(id)).toContain('demo:later');
    expect(await app.removeCustomization({ session: id, customization })).toBe(true);
    await say(id, 'count to 7');
    expect(await theirs(id)).toEqual([]);
  });

  it('for a folder counts in every session there, and can be off in one', async () => {
    const { app, home } = front;
    front.write('bare/skills/hello/SKILL.md', described('hello'));
    front.write('dotted/.claude/commands/inner.md', described('inner'));
    const id = await begun();
    await addFolder(id, join(home, 'bare'), true, 'folder');
    await addFolder(id, join(home, 'dotted'), true, 'folder');
    const other = await begun();
    const [first] = (await app.customizations(other)).customizations;
    await app.switchCustomization({ session: other, customization: first?.id ?? '', on: false });
    for (const session of [id, other]) await say(session, 'count to 2');
    expect(await theirs(id)).toEqual(['.claude:inner', 'bare:hello']);
    expect(await theirs(other)).toEqual(['.claude:inner']);
  });

  it('that is broken or gone harms no session, and says what is wrong', async () => {
    const { app, home } = front;
    furnishPlugin('plugins/demo', 'demo');
    furnishPlugin('plugins/other', 'other');
    const id = await begun();
    for (const name of ['demo', 'other']) await addFolder(id, join(home, 'plugins', name), true);
    await say(id, 'count to 2');
    front.write('plugins/demo/.claude-plugin/plugin.json', '{"name":');
    rmSync(join(home, 'plugins/other'), { recursive: true });
    await say(id, 'count to 3');
    expect(await theirs(id)).toEqual([]);
    const { customizations } = await app.customizations(id);
    expect(customizations).toMatchObject([
      { name: 'demo', state: 'not-loaded', why: { code: 'broken', detail: expect.stringContaining('plugin.json') } },
      { name: 'other', state: 'not-loaded', why: { code: 'gone' } },
    ]);
    // Said in the conversation, once.
    await say(id, 'count to 4');
    expect(front.ofKind('note').map(({ event }) => event)).toMatchObject([
      { code: 'not-loaded', name: 'demo', isPart: false, why: { code: 'broken' } },
      { code: 'not-loaded', name: 'other', isPart: false, why: { code: 'gone' } },
    ]);
    front.write('empty/readme.txt', 'Nothing.');
    expect((await app.pluginOffer({ kind: 'folder', path: join(home, 'empty') })).why).toMatchObject({ code: 'empty' });
  });

  it('runs nothing where it, or the session’s folder if it runs programs, is not trusted', async () => {
    const { app, home, project } = front;
    furnishPlugin('plugins/demo', 'demo');
    const hook = { hooks: [{ type: 'command', command: `touch '${join(home, 'hook-ran')}'` }] };
    front.write('plugins/demo/hooks/hooks.json', JSON.stringify({ hooks: { UserPromptSubmit: [hook] } }));
    const path = join(home, 'plugins/demo');
    const id = await begun();
    expect((await app.pluginOffer({ kind: 'folder', path })).holds.runs).toEqual([
      { kind: 'hook', name: 'UserPromptSubmit', command: hook.hooks[0]?.command },
    ]);
    await addFolder(id, path, true);
    await say(id, 'count to 2');
    expect(await one(id)).toMatchObject({ state: 'not-loaded', why: { code: 'runs-here' } });
    expect([await theirs(id), existsSync(join(home, 'hook-ran'))]).toEqual([[], false]);

    await app.trustFolder(project);
    await say(id, 'count to 3');
    expect((await theirs(id)).length).toBe(3);
    await until(() => existsSync(join(home, 'hook-ran')));

    rmSync(join(home, 'hook-ran'));
    await app.distrustFolder(path);
    expect(await one(id)).toMatchObject({ state: 'not-loaded', why: { code: 'untrusted' } });
    await say(id, 'count to 4');
    expect([await theirs(id), existsSync(join(home, 'hook-ran'))]).toEqual([[], false]);
  });
});

describe('a plugin of a marketplace that Claude Code knows', () => {
  it('is on for a session though it is off elsewhere, with nothing downloaded and no settings changed', async () => {
    const { app, home } = front;
    furnishPlugin('market/demo', 'demo');
    furnishPlugin('market/fresh', 'fresh');
    const github = { source: 'github', repo: 'nobody/nothing' };
    const plugins = [
      { name: 'demo', source: './demo' },
      { name: 'fresh', source: './fresh' },
      { name: 'far', source: github },
    ];
    const market = { name: 'market', owner: { name: 'Ada' }, plugins };
    front.write('market/.claude-plugin/marketplace.json', JSON.stringify(market));
    for (const command of [
      ['marketplace', 'add', join(home, 'market')],
      ['install', 'demo@market'],
      ['disable', 'demo@market'],
    ]) {
      const env = { PATH: process.env.PATH, HOME: home };
      expect((await new Started(claudeBinary, ['plugin', ...command], { cwd: home, env }).ended()).code).toBe(0);
    }
    expect(await app.knownPlugins()).toMatchObject([
      { id: 'demo@market', isInstalled: true, isOnEverywhere: false, path: join(home, 'market/demo') },
      { id: 'far@market', isInstalled: false, path: null },
      { id: 'fresh@market', isInstalled: false, path: join(home, 'market/fresh') },
    ]);
    const id = await begun();
    const add = (plugin: string) =>
      app.addCustomization({ session: id, scope: 'session', added: { kind: 'plugin', id: plugin }, trust: true });
    await expect(add('far@market')).rejects.toThrow('aren’t on this machine');
    await add('demo@market');
    await add('fresh@market');
    await say(id, 'count to 2');
    expect(await theirs(id)).toEqual(
      ['demo', 'fresh'].flatMap((name) => ['greet', 'shout', 'tester'].map((part) => `${name}:${part}`)).sort(),
    );
    const states = async () => (await app.customizations(id)).customizations.map(({ state }) => state);
    await until(async () => (await states()).every((state) => state === 'loaded'));
    const [demo] = (await app.customizations(id)).customizations;
    await app.switchCustomization({ session: id, customization: demo?.id ?? '', on: false });
    await say(id, 'count to 3');
    expect((await theirs(id)).filter((name) => name.startsWith('demo'))).toEqual([]);
  });
});

describe('a server for MCP that a person adds', () => {
  it('offers its tools from the next message on, until it is removed; one that fails says so', async () => {
    const { app, project } = front;
    await app.trustFolder(project);
    front.write('.claude/settings.json', JSON.stringify({ env: { ENABLE_TOOL_SEARCH: 'false' } }));
    const id = await begun();
    const add = (name: string, command: string, args: string[]) =>
      app.addCustomization({
        ...{ session: id, scope: 'session', trust: false },
        added: { kind: 'command', name, command, args },
      });
    await add('forms', process.execPath, [join(import.meta.dirname, 'asking-server.mjs')]);
    await add('bad', 'false', []);
    await expect(add('jumpseat', 'true', [])).rejects.toThrow('called');
    await say(id, 'count to 2');
    const { inForce } = await app.sessionInForce(id);
    const forms = inForce?.servers.find(({ name }) => name === 'forms');
    expect(forms).toMatchObject({ state: 'connected', origin: { kind: 'added' } });
    expect(forms?.tools.length).toBeGreaterThan(0);
    const settled = async () => {
      const now = (await app.customizations(id)).customizations;
      return now.every(({ state }) => state === 'loaded' || state === 'not-loaded') ? now : null;
    };
    const customizations = await until(settled);
    expect(customizations).toMatchObject([
      { name: 'forms', state: 'loaded', why: null },
      { name: 'bad', state: 'not-loaded', why: { code: 'refused', detail: 'failed' } },
    ]);
    for (const { id: customization } of customizations) await app.removeCustomization({ session: id, customization });
    await say(id, 'count to 3');
    expect((await app.sessionInForce(id)).inForce?.servers.map(({ name }) => name)).toEqual(['jumpseat']);
  });
});

describe('an editor over ACP', () => {
  it('is told the commands of what a person adds for its folder, and keeps its own server', async () => {
    const { app, home, project } = front;
    furnishPlugin('plugins/demo', 'demo');
    const [there, back] = [new PassThrough(), new PassThrough()];
    const served = app.serveEditor('claude', { input: there, output: back });
    const offered: string[][] = [];
    const editor = client({ name: 'editor' })
      .onNotification('session/update', ({ params: { update } }) => {
        if (update.sessionUpdate === 'available_commands_update')
          offered.push(update.availableCommands.map(({ name }) => name).filter((name) => name.startsWith('demo:')));
      })
      .connect(ndJsonStream(webWritable(there), webReadable(back)));
    await editor.agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const asking = join(import.meta.dirname, 'asking-server.mjs');
    const own = { name: 'forms', command: process.execPath, env: [] };
    const mcpServers: McpServer[] = [{ ...own, args: [asking] }];
    const { sessionId } = await editor.agent.request('session/new', { cwd: project, mcpServers });
    const prompt = (text: string) =>
      editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    await prompt('count to 2');
    await addFolder(sessionId, join(home, 'plugins/demo'), true, 'folder');
    await prompt('count to 3');
    await until(() => offered.at(-1)?.length === 2);
    expect(offered[0]).toEqual([]);
    expect(offered.at(-1)?.sort()).toEqual(['demo:greet', 'demo:shout']);
    const servers = (await app.sessionInForce(sessionId)).inForce?.servers;
    expect(servers?.find(({ name }) => name === 'forms')).toMatchObject({ origin: { kind: 'front' } });
    await app.trustFolder(project);
    await app.addCustomization({
      ...{ session: sessionId, scope: 'folder', trust: false },
      added: { kind: 'command', name: 'added', command: own.command, args: [asking] },
    });
    await prompt('count to 3');
    const both = (await app.sessionInForce(sessionId)).inForce?.servers;
    expect(both?.map(({ name, state, origin }) => [name, state, origin.kind]).sort()).toEqual([
      ['added', 'connected', 'added'],
      ['forms', 'connected', 'front'],
      ['jumpseat', 'connected', 'jumpseat'],
    ]);
    const { id: customization } = await one(sessionId);
    await app.switchCustomization({ session: sessionId, customization, on: false });
    await prompt('count to 4');
    await until(() => offered.at(-1)?.length === 0);
    there.end();
    await served;
  });
});
