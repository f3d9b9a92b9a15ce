import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeDialer } from '../../../../app/adapters/dialer.ts';
import type { SigningKey } from '../../../../app/packages/newest-version.ts';
import type { Package } from '../../../../app/packages/package.ts';
import type { Dialer } from '../../../../app/ports.ts';
import { Fetched } from '../../../../app/sessions/agents/fetched.ts';
import { type Build, ProgramCopies } from '../../../../app/sessions/agents/program-copies.ts';
import { FakeServer } from '../../account/fake-server.ts';
import { temporaryFolder } from '../../adapters/folder.ts';
import { pack } from '../../packages/packed.ts';
import { signer } from '../../packages/signing.ts';

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

/** A version as the registry holds it, ready to be pinned. */
async function published(version: string): Promise<Build> {
  const { bytes, wanted } = await pack({
    'package/package.json': `{"name":"@octo/tool","version":"${version}"}`,
    'package/bin/tool': `#!/bin/sh\necho ${version}\n`,
  });
  const whole = (head: boolean) => (_request: unknown, _before: number, response: ServerResponse) => {
    response.setHeader('content-length', bytes.length).end(head ? undefined : bytes);
    return undefined;
  };
  registry.routes[`GET /@octo/tool/-/tool-${version}.tgz`] = whole(false);
  registry.routes[`HEAD /@octo/tool/-/tool-${version}.tgz`] = whole(true);
  return { package: { ...wanted, version }, program: 'bin/tool' };
}

interface Reported {
  name?: string;
  integrity?: string;
  signatures?: readonly { keyid: string; sig: string }[];
}

/** What the registry says its newest version is. */
function newest({ package: { name, version, integrity } }: Build, reported: Reported = {}): void {
  const signatures = npm.signatures(name, version, integrity);
  const dist = { integrity, signatures, ...reported };
  registry.routes['GET /@octo%2ftool/latest'] = () => ({ body: { name: reported.name ?? name, version, dist } });
}

class Here {
  readonly tried: string[] = [];
  refusal: string | null = null;
  readonly fetched = new Fetched({
    ...{ dialer, paths: { cache: home }, environment: { npm_config_registry: registry.url.href }, userHome: home },
  });
  readonly #keys: readonly SigningKey[];
  constructor(keys: readonly SigningKey[] = [npm.key]) {
    this.#keys = keys;
  }

  /** A Jumpseat that was built for these. */
  built(...pins: [Build, ...Build[]]): ProgramCopies {
    return new ProgramCopies({
      ...{ pins, oldest: '1.0.0', fetched: this.fetched, keys: this.#keys, leader: async () => [] },
      records: join(home, 'signed'),
      tryProgram: async (file, version) => {
        this.tried.push(`${version}: ${readFileSync(file, 'utf8').trim().split('\n').at(-1)}`);
        if (this.refusal !== null) throw new Error(this.refusal);
      },
    });
  }

  inUse = async (copies: ProgramCopies) => (await copies.inUse())?.package.version ?? null;
}

const kept = (): string[] => {
  const folder = join(home, 'packages', 'octo-tool');
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

describe('a copy that an earlier Jumpseat fetched', () => {
  it('is used until the person fetches the one that this Jumpseat was built for', async () => {
    const [old, now] = [await published('1.2.3'), await published('1.2.4')];
    const here = new Here();
    await here.fetched.fetch([old.package], {});
    const copies = here.built(now, old);
    expect(await here.inUse(copies)).toBe('1.2.3');
    expect(await copies.newer()).toEqual({ version: '1.2.4', bytes: now.package.bytes });
    const asked = registry.seen.length;
    await copies.update({});
    expect(registry.seen.slice(asked).map(({ url }) => url)).toEqual(['/@octo/tool/-/tool-1.2.4.tgz']);
    expect([await here.inUse(copies), await copies.newer(), kept()]).toEqual(['1.2.4', null, ['1.2.3', '1.2.4']]);
    await copies.tidy();
    expect(kept()).toEqual(['1.2.4']);
    expect(here.tried).toEqual([]);
  });

  it('is used on where the newer one can’t be fetched, and where that is cancelled', async () => {
    const [old, now] = [await published('1.2.3'), await published('1.2.4')];
    const here = new Here();
    await here.fetched.fetch([old.package], {});
    const copies = here.built({ ...now, package: { ...now.package, integrity: 'sha512-other' } }, old);
    await expect(copies.update({})).rejects.toMatchObject({ kind: 'altered' });
    const abort = new AbortController();
    const onProgress = (): void => abort.abort(new Error('cancelled'));
    await expect(copies.update({ signal: abort.signal, onProgress })).rejects.toThrow('cancelled');
    await copies.tidy();
    expect([await here.inUse(copies), kept()]).toEqual(['1.2.3', ['1.2.3']]);
  });

  it('is not used where this Jumpseat knows nothing of it, or it is too old', async () => {
    const [unknown, now] = [await published('1.2.3'), await published('1.2.4')];
    const ancient = await published('0.9.0');
    const here = new Here();
    await here.fetched.fetch([unknown.package], {});
    await here.fetched.fetch([ancient.package], { keepOthers: true });
    const copies = here.built(now, ancient);
    expect([await here.inUse(copies), await copies.newer()]).toEqual([null, null]);
  });
});

describe('a version that Jumpseat was not built for', () => {
  async function built(keys?: readonly SigningKey[]) {
    const [pinned, newer] = [await published('1.2.4'), await published('1.3.0')];
    const here = new Here(keys);
    await here.fetched.fetch([pinned.package], {});
    return { here, copies: here.built(pinned), newer, pinned };
  }

  it('is found where a person asks, tried before it is used, and known again by its signature', async () => {
    const { here, copies, newer, pinned } = await built();
    newest(newer);
    const asked = registry.seen.length;
    expect(await copies.newer()).toBeNull();
    expect(registry.seen).toHaveLength(asked);
    expect(await copies.look()).toEqual({ version: '1.3.0', isNewer: true });
    expect(await copies.newer()).toEqual({ version: '1.3.0', bytes: newer.package.bytes });
    expect(await here.inUse(copies)).toBe('1.2.4');
    await copies.update({});
    expect(here.tried).toEqual(['1.3.0: echo 1.3.0']);
    expect(await here.inUse(copies)).toBe('1.3.0');
    await copies.tidy();
    expect(kept()).toEqual(['1.3.0']);
    // The next start knows it by its record.
    const again = here.built(pinned);
    const build = await again.inUse();
    expect(await here.fetched.program(build!.package, 'bin/tool')).toBe(
      join(home, 'packages/octo-tool/1.3.0/bin/tool'),
    );
    const fresh = new Here();
    appendFileSync(join(home, 'packages/octo-tool/1.3.0/bin/tool'), 'echo more\n');
    await expect(fresh.fetched.program(build!.package, 'bin/tool')).rejects.toThrow('isn’t what was fetched');
    expect(await new Here([]).inUse(new Here([]).built(pinned))).toBeNull();
  });

  it('is not used where its record was changed', async () => {
    const { here, copies, newer } = await built();
    newest(newer);
    await copies.look();
    await copies.update({});
    const record = join(home, 'signed/octo-tool/1.3.0.json');
    const { integrity } = JSON.parse(readFileSync(record, 'utf8')) as Package;
    writeFileSync(record, readFileSync(record, 'utf8').replace(integrity, `sha512-${'A'.repeat(86)}==`));
    expect(await here.inUse(copies)).toBe('1.2.4');
  });

  it('is not run where all in its folder was changed, a hash of the program beside it included', async () => {
    const { copies, newer, pinned } = await built();
    newest(newer);
    await copies.look();
    await copies.update({});
    const place = join(home, 'packages/octo-tool/1.3.0');
    const known = readdirSync(home, { recursive: true, withFileTypes: true }).filter(({ name }) =>
      /\.json$/.test(name),
    );
    const records = known.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
    const record = JSON.parse(records.find((text) => text.includes('"signatures"')) ?? '{}') as Package;
    const changed = '#!/bin/sh\necho another program\n';
    writeFileSync(join(place, 'bin/tool'), changed);
    const programs = { 'bin/tool': `sha256-${createHash('sha256').update(changed).digest('base64')}` };
    writeFileSync(join(place, '.jumpseat-signed.json'), JSON.stringify({ ...record, programs }));
    const fresh = new Here();
    const build = await fresh.built(pinned).inUse();
    await expect(fresh.fetched.program(build!.package, 'bin/tool')).rejects.toThrow('isn’t what was fetched');
  });

  it('that sessions can’t be led with is thrown away, and the one before it stays', async () => {
    const { here, copies, newer } = await built();
    newest(newer);
    here.refusal = 'it printed nothing for --version.';
    await copies.look();
    await expect(copies.update({})).rejects.toMatchObject({
      kind: 'unusable',
      message: '@octo/tool 1.3.0 was fetched and can’t lead sessions here: it printed nothing for --version.',
    });
    expect([await here.inUse(copies), kept()]).toEqual(['1.2.4', ['1.2.4']]);
  });

  it('is fetched with the bytes that were signed, and no others', async () => {
    const { here, copies, newer } = await built();
    const integrity = `sha512-${'B'.repeat(86)}==`;
    newest(newer, { integrity, signatures: npm.signatures('@octo/tool', '1.3.0', integrity) });
    await copies.look();
    await expect(copies.update({})).rejects.toMatchObject({ kind: 'altered' });
    expect([await here.inUse(copies), here.tried, kept()]).toEqual(['1.2.4', [], ['1.2.4']]);
  });

  it.each<[string, (newer: Build) => Reported, string]>([
    ['the registry gives no signatures', () => ({ signatures: [] }), 'sends no signatures'],
    [
      'its key is unknown',
      ({ package: { name, version, integrity } }) => ({
        signatures: signer('SHA256:stranger').signatures(name, version, integrity),
      }),
      'with a key that this Jumpseat doesn’t know',
    ],
    ['its integrity is another', () => ({ integrity: `sha512-${'A'.repeat(86)}==` }), 'is not of this file'],
    [
      'the signature is of another package',
      ({ package: { version, integrity } }) => ({ signatures: npm.signatures('@octo/other', version, integrity) }),
      'is not of this file',
    ],
  ])('is not fetched where %s', async (_why, reported, words) => {
    const { here, copies, newer } = await built();
    const signatures = npm.signatures('@octo/tool', '1.3.0', newer.package.integrity);
    newest(newer, { signatures, ...reported(newer) });
    await expect(copies.look()).rejects.toMatchObject({ kind: 'unsigned', message: expect.stringContaining(words) });
    const asked = registry.seen.length;
    await copies.update({});
    expect([registry.seen.length, await here.inUse(copies), await copies.newer()]).toEqual([asked, '1.2.4', null]);
  });

  it('is not fetched where its key has expired', async () => {
    const expired = signer(npm.key.keyid, '2020-01-01T00:00:00.000Z');
    const { copies, newer } = await built([expired.key]);
    const { name, version, integrity } = newer.package;
    newest(newer, { signatures: expired.signatures(name, version, integrity) });
    await expect(copies.look()).rejects.toMatchObject({ message: expect.stringContaining('has expired') });
  });

  it('of another name is not read, and an older one is not taken, signed or not', async () => {
    const { copies, newer } = await built();
    newest(newer, { name: '@octo/other' });
    await expect(copies.look()).rejects.toMatchObject({ kind: 'refused' });
    newest(await published('1.2.0'), { signatures: [] });
    expect(await copies.look()).toEqual({ version: '1.2.4', isNewer: false });
    expect(await copies.newer()).toBeNull();
  });
});
