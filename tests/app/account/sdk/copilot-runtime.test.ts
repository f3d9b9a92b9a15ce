import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CopilotRuntime } from '../../../../app/account/sdk/copilot-runtime.ts';
import { licensePackage, runtimePackage, systemName } from '../../../../app/account/sdk/runtime-package.ts';
import { RuntimeProcess } from '../../../../app/account/sdk/runtime-process.ts';
import { nodeDialer } from '../../../../app/adapters/dialer.ts';
import { installedFolder, type Package } from '../../../../app/packages/package.ts';
import { temporaryFolder } from '../../adapters/folder.ts';
import { pack } from '../../packages/packed.ts';
import { FakeServer } from '../fake-server.ts';
import { played } from './played.ts';

const credential = { kind: 'token', token: 'gho_canaryOfTheTest000000000000000001', host: null } as const;
const dialer = nodeDialer({ env: {} });
let registry: FakeServer;
let cache: string;

beforeEach(async () => {
  registry = await FakeServer.start({});
  cache = temporaryFolder();
});
afterEach(() => registry.stop());

/** A runtime whose package holds the program that plays it. */
async function offered() {
  const { runtimePath, dependencies, noted } = played();
  const program = readFileSync(runtimePath, 'utf8');
  const { bytes, wanted } = await pack({ 'package/package.json': '{}', 'package/bin/copilot-runtime': program });
  const license = await pack({ 'package/package.json': '{}', 'package/LICENSE.md': 'GitHub’s words' });
  const give = (path: string, packed: Buffer) => {
    registry.routes[path] = (_request, _before, response) => {
      response.end(packed);
      return undefined;
    };
  };
  give('GET /@octo/tool/-/tool-1.2.3.tgz', bytes);
  give('GET /@octo/license/-/license-1.2.3.tgz', license.bytes);
  const runtime = new CopilotRuntime({
    ...dependencies,
    dialer,
    environment: { npm_config_registry: registry.url.href },
    paths: { cache },
    userHome: temporaryFolder(),
    runtime: { package: wanted, program: join('bin', 'copilot-runtime') },
    license: { ...license.wanted, name: '@octo/license' },
  });
  return { runtime, wanted, place: installedFolder(join(cache, 'packages'), wanted), noted };
}

describe('GitHub’s runtime on this machine', () => {
  it('is missing until it was fetched, and then answers', async () => {
    const { runtime, wanted, place } = await offered();
    expect(runtime.package).toEqual(wanted);
    expect(await runtime.installed()).toBeNull();
    expect(await runtime.ask(credential)).toMatchObject({ ok: false, failure: { kind: 'missing' } });
    const seen: number[] = [];
    await runtime.fetch(undefined, ({ received }) => seen.push(received));
    expect(seen.at(-1)).toBe(wanted.bytes);
    expect(await runtime.installed()).toBe(place);
    expect(readFileSync(join(place, 'LICENSE.md'), 'utf8')).toBe('GitHub’s words');
    expect(await runtime.ask(credential)).toMatchObject({ ok: true, endpoint: { login: 'octo-one' } });
    expect(await runtime.auto(credential.token)).toEqual({ ok: true, session: null });
  });

  it('is asked for one account after the other, whose notes it would otherwise mix up', async () => {
    const { runtime } = await offered();
    await runtime.fetch();
    const asked: unknown[] = [];
    const { call } = RuntimeProcess.prototype;
    const watched = vi.spyOn(RuntimeProcess.prototype, 'call').mockImplementation(function (
      this: RuntimeProcess,
      ...given
    ) {
      if (asked.at(-1) !== this) asked.push(this);
      return call.apply(this, given);
    });
    onTestFinished(() => watched.mockRestore());
    const leaving = new AbortController();
    const all = [runtime.ask(credential), runtime.auto(credential.token), runtime.ask(credential)];
    const left = runtime.ask(credential, leaving.signal);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    expect((await Promise.all(all)).map(({ ok }) => ok)).toEqual([true, true, true]);
    expect([asked.length, new Set(asked).size]).toEqual([3, 3]);
  });

  it('is not started when it is not what was fetched, and is again once it was fetched anew', async () => {
    const { runtime, place } = await offered();
    await runtime.fetch();
    const program = join(place, 'bin', 'copilot-runtime');
    writeFileSync(program, `${readFileSync(program, 'utf8')}// changed`);
    const altered = {
      ok: false,
      failure: { kind: 'altered', message: expect.stringContaining('bin/copilot-runtime') },
    };
    expect(await runtime.ask(credential)).toMatchObject(altered);
    expect(await runtime.installed()).toBeNull();
    await runtime.fetch();
    expect(await runtime.installed()).toBe(place);
    expect(await runtime.ask(credential)).toMatchObject({ ok: true });
  });

  it('is fetched anew without being told where a part of it is gone', async () => {
    const { runtime, place } = await offered();
    await runtime.fetch();
    rmSync(join(place, 'bin', 'copilot-runtime'));
    expect(await runtime.ask(credential)).toMatchObject({ ok: false, failure: { kind: 'missing' } });
    await runtime.fetch();
    expect(await runtime.ask(credential)).toMatchObject({ ok: true });
  });

  it('is not offered for every system', async () => {
    expect(systemName('linux', 'x64', true)).toBe('linuxmusl-x64');
    expect(systemName('darwin', 'arm64', false)).toBe('darwin-arm64');
    expect(runtimePackage('sunos-sparc')).toBeNull();
    const linux = runtimePackage('linux-x64');
    expect(linux?.program).toBe(join('prebuilds', 'linux-x64', 'copilot-runtime'));
  });

  it('has an integrity for its packed file, its programs and its licence', () => {
    const packages = ['linux-x64', 'linuxmusl-x64'].map((system) => runtimePackage(system)?.package);
    for (const one of [...packages, licensePackage] as Package[]) {
      for (const integrity of [one.integrity, ...Object.values(one.programs)]) {
        expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/u);
      }
    }
    expect(packages.map((one) => Object.keys(one?.programs ?? {}).length)).toEqual([2, 2]);
  });
});
