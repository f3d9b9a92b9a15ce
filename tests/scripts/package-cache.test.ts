import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { script } from './script.ts';

interface PackageCache {
  cachedArchive(wanted: { url: string; archive: string; integrity: string }, title: string): Promise<string>;
  cachedPackage(
    wanted: { name: string; version: string; integrity: string; files?: string[] },
    title: string,
  ): Promise<string>;
}

const { cachedArchive, cachedPackage } = await script<PackageCache>('package-cache');

/** A registry that holds one package, served the way npm asks for it. */
describe('the package cache', () => {
  let folder: string;
  let registry: Server;
  let archive: Buffer;
  let downloads: number;

  const integrityOf = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const kept = () => readdirSync(join(folder, 'cache', 'jumpseat', 'packages'));

  beforeEach(async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    folder = mkdtempSync(join(tmpdir(), 'jumpseat-cache-'));
    mkdirSync(join(folder, 'package', 'bin'), { recursive: true });
    writeFileSync(join(folder, 'package', 'package.json'), '{"name":"@some/tool","version":"1.2.3"}');
    writeFileSync(join(folder, 'package', 'bin', 'tool'), '#!/bin/sh\n', { mode: 0o755 });
    execFileSync('tar', ['-czf', 'tool.tgz', 'package'], { cwd: folder });
    archive = readFileSync(join(folder, 'tool.tgz'));
    downloads = 0;
    registry = createServer((request, response) => {
      const base = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
      if (/\.(?:tgz|tar\.gz)$/.test(request.url ?? '')) {
        downloads += 1;
        response.end(archive);
      } else if (decodeURIComponent(request.url ?? '') === '/@some/tool') {
        const dist = { tarball: `${base}/@some/tool/-/tool-1.2.3.tgz`, integrity: integrityOf(archive) };
        const version = { name: '@some/tool', version: '1.2.3', dist };
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({ name: '@some/tool', 'dist-tags': { latest: '1.2.3' }, versions: { '1.2.3': version } }),
        );
      } else {
        response.statusCode = 404;
        response.end('{}');
      }
    });
    await once(registry.listen(0, '127.0.0.1'), 'listening');
    vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
    vi.stubEnv('npm_config_cache', join(folder, 'npm'));
    vi.stubEnv('npm_config_registry', `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`);
    vi.stubEnv('npm_config_fetch_retries', '0');
  });

  afterEach(async () => {
    registry.close();
    registry.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });

  const wanted = () => ({ name: '@some/tool', version: '1.2.3', integrity: integrityOf(archive) });

  it('fetches from the registry that npm is configured with, and keeps files and modes', async () => {
    const path = await cachedPackage(wanted(), 'a tool');
    expect(path).toBe(join(folder, 'cache', 'jumpseat', 'packages', 'some-tool-1.2.3'));
    expect(readdirSync(path, { recursive: true }).sort()).toEqual(['bin', join('bin', 'tool'), 'package.json']);
    expect(statSync(join(path, 'bin', 'tool')).mode & 0o100).toBe(0o100);
    expect(kept()).toEqual(['some-tool-1.2.3']);
  });

  it('unpacks only what is named, where something is', async () => {
    const path = await cachedPackage({ ...wanted(), files: ['bin/tool'] }, 'a tool');
    expect(readdirSync(path, { recursive: true }).sort()).toEqual(['bin', join('bin', 'tool')]);
  });

  it('fetches once, for two at the same time and for those that come later', async () => {
    const paths = await Promise.all([cachedPackage(wanted(), 'a tool'), cachedPackage(wanted(), 'a tool')]);
    expect(paths[0]).toBe(paths[1]);
    registry.close();
    expect(await cachedPackage(wanted(), 'a tool')).toBe(paths[0]);
    expect(downloads).toBe(1);
  });

  it('keeps nothing whose integrity is not the one written down', async () => {
    const other = { ...wanted(), integrity: integrityOf(Buffer.from('something else')) };
    await expect(cachedPackage(other, 'a tool')).rejects.toThrow('@some/tool@1.2.3 is not the file that was chosen');
    expect(kept()).toEqual([]);
  });

  it('keeps an archive of an address of its own, if its bytes are those that were chosen', async () => {
    const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/tool-1.2.3.tar.gz`;
    const wanted = { url, archive: 'tool-1.2.3.tar.gz' };
    const other = { ...wanted, integrity: integrityOf(Buffer.from('something else')) };
    await expect(cachedArchive(other, 'a tool')).rejects.toThrow('tool-1.2.3.tar.gz is not the file that was chosen');
    const lost = { ...wanted, url: `${url}.gone`, integrity: integrityOf(archive) };
    await expect(cachedArchive(lost, 'a tool')).rejects.toThrow(`${url}.gone can’t be fetched: status 404.`);
    expect(kept()).toEqual([]);
    const path = await cachedArchive({ ...wanted, integrity: integrityOf(archive) }, 'a tool');
    expect(readdirSync(path, { recursive: true }).sort()).toEqual(['bin', join('bin', 'tool'), 'package.json']);
    expect(kept()).toEqual(['tool-1.2.3']);
  });

  it('says what npm said when it cannot be fetched, and keeps nothing', async () => {
    await expect(cachedPackage({ ...wanted(), version: '9.9.9' }, 'a tool')).rejects.toThrow(
      /could not fetch @some\/tool@9\.9\.9/,
    );
    expect(kept()).toEqual([]);
  });
});
