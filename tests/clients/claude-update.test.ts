import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeClock } from '../../app/adapters/clock.ts';
import { nodeDialer } from '../../app/adapters/dialer.ts';
import { installedFolder } from '../../app/packages/package.ts';
import type { Dialer } from '../../app/ports.ts';
import { launchChild } from '../../app/processes/launch.ts';
import type { AgentDescription, AgentHandlers } from '../../app/sessions/agents/agent.ts';
import { claudeAgent } from '../../app/sessions/agents/claude/claude.ts';
import { agentSdk } from '../../app/sessions/agents/claude/claude-packages.ts';
import { Fetched } from '../../app/sessions/agents/fetched.ts';
import type { Build } from '../../app/sessions/agents/program-copies.ts';
import { FakeServer } from '../app/account/fake-server.ts';
import { temporaryFolder } from '../app/adapters/folder.ts';
import { integrityOf } from '../app/packages/packed.ts';
import { signer } from '../app/packages/signing.ts';
import { until } from '../soon.ts';
import { claudeBinary } from './claude.ts';

const name = '@octo/claude';
const npm = signer();
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

async function published(version: string, program: Buffer): Promise<Build> {
  const bytes = gzipSync(
    Buffer.from(
      await packTar([
        { header: { name: 'package/package.json', size: 2 }, body: '{}' },
        { header: { name: 'package/claude', size: program.length, mode: 0o755 }, body: program },
      ]),
    ),
    { level: 1 },
  );
  for (const method of ['GET', 'HEAD']) {
    registry.routes[`${method} /${name}/-/claude-${version}.tgz`] = (_request, _before, response) => {
      response.setHeader('content-length', bytes.length).end(method === 'GET' ? bytes : undefined);
      return undefined;
    };
  }
  const integrity = integrityOf(bytes);
  const dist = { integrity, signatures: npm.signatures(name, version, integrity) };
  registry.routes['GET /@octo%2fclaude/latest'] = () => ({ body: { name, version, dist } });
  const programs = { claude: integrityOf(program) };
  return { package: { name, version, integrity, bytes: bytes.length, programs }, program: 'claude' };
}

/** Claude Code as the tests have it, a version that Jumpseat was built for being this one. */
async function agentOf(pin: Build): Promise<AgentDescription> {
  const environment = { PATH: '/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8', npm_config_registry: registry.url.href };
  const fetched = new Fetched({ dialer, paths: { cache: home }, environment, userHome: home });
  const sdk = installedFolder(join(home, 'packages'), agentSdk);
  mkdirSync(dirname(sdk), { recursive: true });
  cpSync(dirname(process.env.JUMPSEAT_TEST_AGENT_SDK ?? ''), sdk, { recursive: true });
  await fetched.fetch([pin.package], {});
  return claudeAgent({
    ...{ environment, platform: process.platform, system: 'none', fetched, clock: nodeClock(), version: '0.0.0' },
    ...{ log: { write: () => undefined }, paths: { home: join(home, 'jumpseat') }, launcher: launchChild },
    entryFile: join(import.meta.dirname, '../../dist/agents/claude.js'),
    ...{ isRoot: process.getuid?.() === 0, web: { search: () => false, fetchPreflight: () => false } },
    ...{ models: async () => ({ opus: null, sonnet: null, haiku: null }), offered: async () => [] },
    ...{ pins: [pin], signingKeys: [npm.key], choice: () => ({ from: 'fetched' }), ownsPackages: () => true },
  });
}

const silent: AgentHandlers = {
  update: () => undefined,
  requestPermission: async () => ({ outcome: { outcome: 'cancelled' } }),
  createElicitation: async () => ({ action: 'cancel' }),
  extension: () => undefined,
};

const versionsHere = (): string[] => readdirSync(join(home, 'packages/octo-claude')).sort();
const script = (...lines: string[]): Buffer => Buffer.from(['#!/bin/sh', ...lines, ''].join('\n'));

it('the real Claude Code, signed and not known to this Jumpseat, is used once a session began in it', async () => {
  const agent = await agentOf(await published('2.1.300', script('echo "2.1.300 (Claude Code)"')));
  const real = readFileSync(claudeBinary);
  await published('2.1.328', real);
  expect(await agent.updates?.look({})).toEqual({ version: '2.1.328', isNewer: true });
  expect(await agent.availability()).toMatchObject({ available: true, version: '2.1.300' });
  const connection = await agent.connect(silent, {});
  await agent.updates?.fetch({});
  expect(await agent.availability()).toMatchObject({ available: true, version: '2.1.328', from: 'fetched' });
  await agent.tidy?.();
  // A process of sessions that runs starts its sessions with the older one.
  expect(versionsHere()).toEqual(['2.1.300', '2.1.328']);
  await connection.stop();
  await until(() => versionsHere().length === 1);
  expect(versionsHere()).toEqual(['2.1.328']);
  // Nothing of the trial is among the person's own.
  expect(readdirSync(home).sort()).toEqual(['jumpseat', 'packages']);
  expect(readdirSync(join(home, 'jumpseat'), { recursive: true }).sort()).toEqual([
    'signed',
    'signed/octo-claude',
    'signed/octo-claude/2.1.328.json',
  ]);
});

it('one that names its version and speaks otherwise than the adapter is thrown away with a sentence', async () => {
  const agent = await agentOf(await published('2.1.300', script('echo "2.1.300 (Claude Code)"')));
  const mute = script('case "$1" in --version) echo "2.1.999 (Claude Code)";; *) echo what; exit 3;; esac');
  await published('2.1.999', mute);
  await agent.updates?.look({});
  await expect(agent.updates?.fetch({})).rejects.toMatchObject({
    kind: 'unusable',
    message: expect.stringContaining(`${name} 2.1.999 was fetched and can’t lead sessions here: `),
  });
  const lying = script('echo "2.1.5 (Claude Code)"');
  await published('2.1.998', lying);
  await agent.updates?.look({});
  await expect(agent.updates?.fetch({})).rejects.toThrow('it printed “2.1.5 (Claude Code)” for --version.');
  expect(await agent.availability()).toMatchObject({ available: true, version: '2.1.300' });
  expect(versionsHere()).toEqual(['2.1.300']);
});
