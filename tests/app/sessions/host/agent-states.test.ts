import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../../app/adapters/clock.ts';
import { nodeDialer } from '../../../../app/adapters/dialer.ts';
import type { AgentState } from '../../../../app/api/sessions.ts';
import type { Package } from '../../../../app/packages/package.ts';
import type { Dialer } from '../../../../app/ports.ts';
import type { AgentDescription } from '../../../../app/sessions/agents/agent.ts';
import { AgentPrograms, readChoice } from '../../../../app/sessions/agents/agent-programs.ts';
import { Fetched } from '../../../../app/sessions/agents/fetched.ts';
import { AgentStates } from '../../../../app/sessions/host/agent-states.ts';
import { until } from '../../../soon.ts';
import { FakeServer } from '../../account/fake-server.ts';
import { temporaryFolder } from '../../adapters/folder.ts';
import { pack } from '../../packages/packed.ts';

const path = 'GET /@octo/tool/-/tool-1.2.3.tgz';
let dialer: Dialer;
let registry: FakeServer;
let home: string;
beforeEach(async () => {
  dialer = nodeDialer({ env: {} });
  registry = await FakeServer.start({});
  home = temporaryFolder();
});
afterEach(async () => {
  dialer.close();
  await registry.stop();
});

/** Claude Code and what leads it as one small package, from a registry that a test gives the bytes to. */
class Here {
  choice: string | null = null;
  readonly reported: AgentState[] = [];
  readonly states: AgentStates;
  readonly bytes: Buffer;
  /** The answer of the registry, once it was asked; half of the bytes are written. */
  answer: ServerResponse | null = null;

  constructor({ bytes, wanted }: { bytes: Buffer; wanted: Package }) {
    this.bytes = bytes;
    registry.routes[path] = (_request, _before, response) => {
      this.answer = response;
      response.setHeader('content-length', bytes.length).write(bytes.subarray(0, bytes.length >> 1));
      return undefined;
    };
    const environment = { PATH: `${home}:/usr/bin:/bin`, npm_config_registry: registry.url.href };
    const fetched = new Fetched({ dialer, paths: { cache: join(home, 'cache') }, environment, userHome: home });
    const programs = new AgentPrograms(
      {
        ...{ title: 'Claude Code', command: 'claude', oldest: '2.1.273' },
        build: { package: wanted, program: 'bin/tool' },
        leader: { package: wanted, module: 'bin/tool', missing: 'The leader isn’t here.' },
      },
      { environment, platform: 'linux', fetched, choice: () => readChoice(this.choice) },
    );
    const never = () => Promise.reject(new Error('This one is never started.'));
    const agent: AgentDescription = {
      ...{ name: 'claude', title: 'Claude Code', modes: [], respectsTrust: [] },
      mcp: { http: false, sse: false, acp: false },
      models: async () => [],
      availability: () => programs.availability(),
      sources: () => programs.sources(),
      refuseFile: (file) => programs.refuseFile(file),
      removeCopy: () => fetched.remove(wanted),
      // The two are one package here.
      fetch: (options) => fetched.fetch([wanted], options),
      ...{ connect: never, prepare: never },
    };
    this.states = new AgentStates({
      ...{ agents: [agent], clock: nodeClock(), tell: (state) => this.reported.push(state) },
      keepChoice: async (choice) => {
        this.choice = choice;
      },
    });
  }

  async state(): Promise<AgentState> {
    const [state] = await this.states.all();
    if (state === undefined) throw new Error('There is no agent.');
    return state;
  }
}

function installs(name: string, said: string): string {
  const file = join(home, name);
  writeFileSync(file, `#!/bin/sh\necho '${said}'\n`);
  chmodSync(file, 0o755);
  return file;
}

/** What lies in the folder of packages, but for empty folders. */
const kept = (): string[] => {
  const folder = join(home, 'cache', 'packages');
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => /[/\\]/.test(name))
    : [];
};

describe.skipIf(process.platform === 'win32')('the program of an agent', () => {
  it('is fetched with its progress told to every front, and chosen once it is here', async () => {
    const here = new Here(await pack());
    expect(await here.state()).toMatchObject({
      ...{ isAvailable: false, fetching: null, failure: null },
      sources: { chosen: null, own: null, copy: { version: '1.2.3', isHere: false }, oldest: '2.1.273' },
    });
    const chosen = here.states.choose('claude', 'fetched');
    const { received } = await until(
      () => here.reported.find(({ fetching }) => (fetching?.received ?? 0) > 0)?.fetching,
      () => here.reported,
    );
    expect(received).toBe(here.bytes.length >> 1);
    expect((await here.state()).fetching).toEqual({ from: 'fetched', received, total: here.bytes.length });
    expect(here.choice).toBeNull();
    await expect(here.states.fetch('claude')).rejects.toMatchObject({ code: 'fetching' });
    here.answer?.end(here.bytes.subarray(here.bytes.length >> 1));
    await chosen;
    expect(here.choice).toBe('fetched');
    await until(
      () => here.reported.at(-1)?.isAvailable === true && here.reported.at(-1)?.sources?.chosen === 'fetched',
    );
    expect(here.reported.at(-1)).toMatchObject({ from: 'fetched', version: '1.2.3', fetching: null, failure: null });
    await here.states.removeCopy('claude');
    expect(kept()).toEqual([]);
    expect(await here.state()).toMatchObject({
      isAvailable: false,
      sources: { chosen: 'fetched', copy: { isHere: false } },
    });
  });

  it('is left as it was where the fetch is cancelled, and nothing of it is kept', async () => {
    const here = new Here(await pack());
    const chosen = here.states.choose('claude', 'fetched').catch((error: unknown) => error);
    await until(() => (here.reported.at(-1)?.fetching?.received ?? 0) > 0);
    here.states.stopFetching('claude');
    expect(await chosen).toMatchObject({ code: 'cancelled' });
    expect(here.choice).toBeNull();
    expect(await here.state()).toMatchObject({ isAvailable: false, fetching: null, failure: null });
    expect(kept()).toEqual([]);
    await until(() => here.answer?.destroyed === true);
  });

  it('says why it was not fetched, until the next fetch', async () => {
    const { bytes, wanted } = await pack();
    const here = new Here({ bytes, wanted });
    registry.routes[path] = (_request, _before, response) => {
      response.setHeader('content-length', bytes.length).end(Buffer.alloc(bytes.length));
      return undefined;
    };
    await expect(here.states.choose('claude', 'fetched')).rejects.toMatchObject({ kind: 'altered' });
    expect((await here.state()).failure).toMatchObject({ code: 'fetch-altered' });
    delete registry.routes[path];
    await expect(here.states.choose('claude', 'fetched')).rejects.toMatchObject({ kind: 'refused' });
    expect((await here.state()).failure).toMatchObject({
      code: 'fetch-refused',
      text: expect.stringContaining('doesn’t have @octo/tool 1.2.3'),
    });
  });

  it('is the person’s own where they choose it, and not one that is too old', async () => {
    const here = new Here(await pack());
    registry.routes[path] = (_request, _before, response) => {
      response.setHeader('content-length', here.bytes.length).end(here.bytes);
      return undefined;
    };
    await expect(here.states.choose('claude', 'own')).rejects.toMatchObject({
      message: 'Claude Code isn’t on the PATH.',
    });
    const own = installs('claude', '2.0.14 (Claude Code)');
    expect((await here.state()).sources?.own).toEqual({ path: own, version: '2.0.14', problem: 'too-old' });
    await expect(here.states.choose('claude', 'own')).rejects.toMatchObject({ code: 'not-possible' });
    installs('claude', '2.1.400 (Claude Code)');
    await until(async () => (await here.state()).sources?.own?.problem === null);
    await here.states.choose('claude', 'own');
    expect(await here.state()).toMatchObject({ isAvailable: true, from: 'own', version: '2.1.400', path: own });
    await here.states.choose('claude', 'fetched');
    expect(await here.state()).toMatchObject({ isAvailable: true, from: 'fetched', version: '1.2.3' });
  });

  it('is a file of the person’s where it says that it is Claude Code', async () => {
    const here = new Here(await pack());
    registry.routes[path] = (_request, _before, response) => {
      response.setHeader('content-length', here.bytes.length).end(here.bytes);
      return undefined;
    };
    await expect(here.states.chooseFile('claude', installs('other', 'octo 2.1.400'))).rejects.toMatchObject({
      code: 'not-the-program',
      message: 'octo 2.1.400',
    });
    await expect(here.states.chooseFile('claude', installs('old', '2.0.1 (Claude Code)'))).rejects.toMatchObject({
      code: 'too-old',
    });
    const file = installs('mine', '2.1.300 (Claude Code)');
    await here.states.chooseFile('claude', file);
    expect(await here.state()).toMatchObject({
      ...{ isAvailable: true, from: 'file', version: '2.1.300', path: file },
      sources: { chosen: 'file', file: { path: file, version: '2.1.300', problem: null } },
    });
    here.choice = join(home, 'gone');
    expect((await here.state()).problem).toMatchObject({ text: `Claude Code was not found at ${home}/gone.` });
  });
});
