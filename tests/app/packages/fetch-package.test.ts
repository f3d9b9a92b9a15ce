import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeDialer } from '../../../app/adapters/dialer.ts';
import { fetchPackage } from '../../../app/packages/fetch-package.ts';
import { alteredProgram, type FetchProgress, installedPackage, type Package } from '../../../app/packages/package.ts';
import type { Dialer } from '../../../app/ports.ts';
import { freePort } from '../../free-port.ts';
import { FakeServer, type Route } from '../account/fake-server.ts';
import { temporaryFolder } from '../adapters/folder.ts';
import { files, integrityOf, pack } from './packed.ts';

const path = 'GET /@octo/tool/-/tool-1.2.3.tgz';
let dialer: Dialer;
let registry: FakeServer;
let folder: string;

beforeEach(async () => {
  dialer = nodeDialer({ env: {} });
  registry = await FakeServer.start({});
  folder = join(temporaryFolder(), 'packages');
});
afterEach(async () => {
  dialer.close();
  await registry.stop();
});

function gives(bytes: Buffer): Route {
  return (_request, _before, response) => {
    response.setHeader('content-length', bytes.length).end(bytes);
    return undefined;
  };
}

const fetched = (wanted: Package, more: Partial<Parameters<typeof fetchPackage>[1]> = {}) =>
  fetchPackage(wanted, { folder, registry: registry.url, dialer, ...more });

/** Every file below the folder of all packages. */
const kept = () => (existsSync(folder) ? readdirSync(folder, { recursive: true }).sort() : []);
const nothing = ['octo-tool'];

describe('a package that is fetched', () => {
  it('is unpacked whole, with its programs executable, for this user alone', async () => {
    const { bytes, wanted } = await pack();
    registry.routes[path] = gives(bytes);
    const seen: FetchProgress[] = [];
    const place = await fetched(wanted, { onProgress: (progress) => seen.push({ ...progress }) });
    expect(place).toBe(join(folder, 'octo-tool', '1.2.3'));
    for (const [name, text] of Object.entries(files)) {
      expect(readFileSync(join(place, name.replace('package/', '')), 'utf8')).toBe(text);
    }
    expect(statSync(join(place, 'bin/tool')).mode & 0o777).toBe(0o755);
    expect(statSync(join(place, 'README.md')).mode & 0o777).toBe(0o644);
    expect(statSync(join(folder, 'octo-tool')).mode & 0o777).toBe(0o700);
    expect(kept().filter((name) => String(name).includes('.part-'))).toEqual([]);
    expect(seen.at(-1)).toEqual({ received: bytes.length, total: bytes.length });
    expect(await installedPackage(folder, wanted)).toBe(place);
    expect(await alteredProgram(place, wanted)).toBeNull();
  });

  it('is asked for without a secret, and once', async () => {
    const { bytes, wanted } = await pack();
    registry.routes[path] = gives(bytes);
    await fetched(wanted);
    await fetched(wanted);
    expect(registry.seen).toHaveLength(1);
    expect(Object.keys(registry.seen[0]?.headers ?? {}).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
  });

  it('takes the place of other versions and of what a killed process left, not of what another fetches now', async () => {
    const { bytes, wanted } = await pack();
    registry.routes[path] = gives(bytes);
    for (const name of ['1.2.2', '.part-old', '.part-new'])
      mkdirSync(join(folder, 'octo-tool', name), { recursive: true });
    const longAgo = new Date(Date.now() - 48 * 60 * 60_000);
    utimesSync(join(folder, 'octo-tool', '.part-old'), longAgo, longAgo);
    await fetched(wanted);
    expect(readdirSync(join(folder, 'octo-tool')).sort()).toEqual(['.part-new', '1.2.3']);
  });

  it('is fetched anew where a program is missing, and where it is asked for again', async () => {
    const { bytes, wanted } = await pack();
    registry.routes[path] = gives(bytes);
    mkdirSync(join(folder, 'octo-tool', '1.2.3'), { recursive: true });
    writeFileSync(join(folder, 'octo-tool', '1.2.3', 'package.json'), '{}');
    expect(await installedPackage(folder, wanted)).toBeNull();
    const place = await fetched(wanted);
    writeFileSync(join(place, 'bin/tool'), '#!/bin/sh\necho changed\n');
    expect(await alteredProgram(place, wanted)).toBe('bin/tool');
    await fetched(wanted, { again: true });
    expect(await alteredProgram(place, wanted)).toBeNull();
    expect(readdirSync(join(folder, 'octo-tool'))).toEqual(['1.2.3']);
  });

  it('is fetched anew by several processes at once where it is damaged', async () => {
    const { bytes, wanted } = await pack();
    registry.routes[path] = gives(bytes);
    const place = await fetched(wanted);
    writeFileSync(join(place, 'bin/tool'), 'damaged');
    const several = 8;
    const all = Promise.withResolvers<void>();
    let ready = 0;
    // Each has its own ready, and all put it in place in the same moment.
    const look = (): Promise<void> => {
      ready += 1;
      if (ready === several) all.resolve();
      return all.promise;
    };
    const places = Array.from({ length: several }, () => fetched(wanted, { again: true, look }));
    expect(new Set(await Promise.all(places))).toEqual(new Set([place]));
    expect(await alteredProgram(place, wanted)).toBeNull();
    expect(readdirSync(join(folder, 'octo-tool'))).toEqual(['1.2.3']);
  });

  it('is followed to another address, but not from https to http', async () => {
    const { bytes, wanted } = await pack();
    registry.routes[path] = () => ({ status: 302, headers: { location: '/blobs/1?sig=x' }, body: '' });
    registry.routes['GET /blobs/1?sig=x'] = gives(bytes);
    await fetched(wanted);
    registry.routes[path] = () => ({ status: 302, headers: { location: 'http://files.example/tool.tgz' }, body: '' });
    await expect(fetched(wanted, { again: true })).rejects.toMatchObject({ kind: 'refused' });
    registry.routes[path] = () => ({ status: 302, headers: { location: registry.url.href + path.slice(5) }, body: '' });
    await expect(fetched(wanted, { again: true })).rejects.toMatchObject({ kind: 'refused' });
    expect(await installedPackage(folder, wanted)).not.toBeNull();
  });
});

describe('a package that cannot be fetched leaves nothing and says why', () => {
  it('when its bytes are others, fewer or more', async () => {
    const { bytes, wanted } = await pack();
    const other = Buffer.from(bytes);
    other[20] = (other[20] ?? 0) ^ 1;
    for (const wrong of [other, bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.alloc(1)])]) {
      registry.routes[path] = gives(wrong);
      const failure = await fetched(wanted).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        name: 'PackageError',
        kind: 'altered',
        remedy: expect.stringContaining('registry'),
      });
      expect(String(failure)).toContain(`${registry.url.host} sent a wrong file for @octo/tool 1.2.3`);
      expect(kept()).toEqual(nothing);
    }
  });

  it.each([
    [404, 'doesn’t have @octo/tool 1.2.3'],
    [401, 'without a sign-in'],
    [503, 'answered with an error (status 503)'],
  ])('when the registry answers %i', async (status, words) => {
    const { wanted } = await pack();
    registry.routes[path] = () => ({ status, body: 'secret words of a proxy' });
    const failure = await fetched(wanted).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'refused', message: expect.stringContaining(words) });
    expect(kept()).toEqual(nothing);
  });

  it('when the connection breaks off, and when there is none', async () => {
    const { bytes, wanted } = await pack();
    registry.routes[path] = (_request, _before, response) => {
      response.setHeader('content-length', bytes.length);
      response.write(bytes.subarray(0, 100), () => response.destroy());
      return undefined;
    };
    await expect(fetched(wanted)).rejects.toMatchObject({
      kind: 'network',
      message: expect.stringContaining('broke off'),
    });
    expect(kept()).toEqual(nothing);
    const nobody = new URL(`http://127.0.0.1:${await freePort()}`);
    await expect(fetched(wanted, { registry: nobody })).rejects.toMatchObject({ kind: 'network' });
    expect(kept()).toEqual(nothing);
  });

  it('when it is stopped half-way', async () => {
    const { bytes, wanted } = await pack();
    registry.routes[path] = (_request, _before, response) => {
      response.setHeader('content-length', bytes.length);
      response.write(bytes.subarray(0, 100));
      return undefined;
    };
    const stop = new AbortController();
    const reason = new Error('stopped by hand');
    const under = fetched(wanted, { signal: stop.signal, onProgress: () => stop.abort(reason) });
    await expect(under).rejects.toBe(reason);
    expect(kept()).toEqual(nothing);
  });

  it('when the folder cannot be written', async () => {
    const { bytes, wanted } = await pack();
    registry.routes[path] = gives(bytes);
    writeFileSync(folder, 'a file');
    await expect(fetched(wanted)).rejects.toMatchObject({ kind: 'disk', message: expect.stringContaining(folder) });
  });

  it.runIf(process.platform === 'linux')('when the disk is full', async () => {
    const { bytes, wanted } = await pack();
    registry.routes[path] = (_request, _before, response) => {
      // By then the file's folder is there: the file becomes one that is always full.
      const [part] = readdirSync(join(folder, 'octo-tool'));
      symlinkSync('/dev/full', join(folder, 'octo-tool', String(part), 'packed.tgz'));
      response.setHeader('content-length', bytes.length).end(bytes);
      return undefined;
    };
    const failure = await fetched(wanted).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'disk', remedy: expect.stringMatching(/^Free 1 MB/u) });
    expect(String(failure)).toContain('no room left');
    expect(kept()).toEqual(nothing);
  });

  it.each([
    ['a path above it', { name: 'package/../../outside', size: 1 }, 'leads out of it'],
    ['an absolute path', { name: '/outside', size: 1 }, 'leads out of it'],
    ['a path of Windows', { name: 'package/C:\\outside', size: 1 }, 'leads out of it'],
    ['a file beside its folder', { name: 'outside', size: 1 }, 'beside its folder'],
    ['a link', { name: 'package/link', size: 0, type: 'symlink', linkname: '/etc/passwd' }, 'holds a symlink'],
    ['a hard link', { name: 'package/link', size: 0, type: 'link', linkname: 'package/bin/tool' }, 'holds a link'],
    ['a device', { name: 'package/null', size: 0, type: 'character-device' }, 'holds a character-device'],
  ] as const)('when it holds %s', async (_what, header, words) => {
    const { bytes, wanted } = await pack(files, [{ header, ...(header.size ? { body: 'x' } : {}) }]);
    registry.routes[path] = gives(bytes);
    await expect(fetched(wanted)).rejects.toMatchObject({ kind: 'altered', message: expect.stringContaining(words) });
    expect(kept()).toEqual(nothing);
    expect(existsSync(join(folder, '..', 'outside'))).toBe(false);
  });

  it('when it is no archive', async () => {
    const bytes = Buffer.from('not packed');
    registry.routes[path] = gives(bytes);
    const { wanted } = await pack();
    const other = { ...wanted, bytes: bytes.length, integrity: integrityOf(bytes) };
    await expect(fetched(other)).rejects.toMatchObject({ kind: 'altered' });
    expect(kept()).toEqual(nothing);
  });
});
