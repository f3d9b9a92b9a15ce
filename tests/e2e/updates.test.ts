import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import http, { type IncomingMessage, type Server } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuthority } from '../app/adapters/certificate.ts';
import { connectProxy } from '../app/adapters/proxies.ts';
import { until } from '../soon.ts';
import { Desktop } from './desktop.ts';
import { holds } from './page-holds.ts';
import { electronPath, TrayProgram } from './tray-program.ts';

const project = join(import.meta.dirname, '..', '..');

/** The real electron-updater in an app that takes itself for an installed AppImage, and a host of this test. */
describe.skipIf(electronPath === undefined)('updates of an installed build', () => {
  let folder: string;
  let desktop: Desktop;
  let host: Server;
  let asked: IncomingMessage[];
  let program: TrayProgram | null;
  /** What the host calls its newest version, and the file itself. */
  const newest = '#!/bin/sh\nprintf "%s" "$JUMPSEAT_HOME" > "$HOME/started"\n';
  let said: { version: string; sha512: string };
  let address: string;
  let isCut: boolean;

  beforeEach(async () => {
    program = null;
    asked = [];
    isCut = false;
    said = { version: '9.9.9', sha512: createHash('sha512').update(newest).digest('base64') };
    host = http.createServer((incoming, response) => {
      asked.push(incoming);
      const path = new URL(incoming.url ?? '', 'http://host').pathname;
      if (path === '/latest-linux.yml') response.end(releaseFile());
      else if (path.endsWith('.AppImage') && isCut) {
        response.writeHead(200, { 'content-length': newest.length });
        response.write(newest.slice(0, 10), () => incoming.socket.destroy());
      } else if (path.endsWith('.AppImage')) response.end(newest);
      else response.writeHead(404).end();
    });
    host.listen(0, '127.0.0.1');
    await once(host, 'listening');
    address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    folder = mkdtempSync(join(tmpdir(), 'jumpseat-installed-'));
    desktop = await Desktop.start();
  });
  afterEach(async () => {
    await program?.close();
    await desktop.close();
    host.closeAllConnections();
    host.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const releaseFile = () =>
    [
      `version: ${said.version}`,
      'files:',
      `  - url: Jumpseat-${said.version}.AppImage`,
      `    sha512: ${said.sha512}`,
      `    size: ${newest.length}`,
      `path: Jumpseat-${said.version}.AppImage`,
      `sha512: ${said.sha512}`,
      "releaseDate: '2026-11-20T00:00:00.000Z'",
      '',
    ].join('\n');

  /** Electron under another name, which makes it an installed app, with the built product in its resources. */
  function install(config: string | null): string {
    const electron = electronPath ?? '';
    for (const name of readdirSync(dirname(electron))) {
      if (name === basename(electron) || name === 'resources') continue;
      symlinkSync(join(dirname(electron), name), join(folder, name));
    }
    const executable = join(folder, 'jumpseat');
    try {
      linkSync(electron, executable);
    } catch {
      copyFileSync(electron, executable);
    }
    const app = join(folder, 'resources', 'app');
    mkdirSync(app, { recursive: true });
    for (const name of ['dist', 'resources']) symlinkSync(join(project, name), join(app, name));
    const { name, main, type } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    writeFileSync(join(app, 'package.json'), JSON.stringify({ name, main, type, version: '1.0.0' }));
    if (config !== null) writeFileSync(join(folder, 'resources', 'app-update.yml'), config);
    writeFileSync(join(folder, 'Jumpseat.AppImage'), 'the old one');
    return executable;
  }

  async function start(config: string | null, env: Record<string, string> = {}): Promise<Page> {
    program = await TrayProgram.start({
      desktop,
      executable: install(config),
      env: { JUMPSEAT_SECRETS: 'memory', APPIMAGE: join(folder, 'Jumpseat.AppImage'), ...env },
    });
    return program.window();
  }
  const configured = () => `provider: generic\nurl: ${address}\nupdaterCacheDirName: jumpseat-updater\n`;

  it('are fetched, checked and offered, and a restart brings them', async () => {
    const page = await start(configured());
    expect(await page.evaluate('jumpseat.updateState()')).toEqual({
      ok: true,
      value: { kind: 'idle', checkedAt: null },
    });
    await page.evaluate(
      'void (window.heard = [], jumpseat.listen((event) => event.update && heard.push(event.update)))',
    );
    await page.evaluate('jumpseat.checkForUpdates()');
    await holds(page, 'heard.at(-1)?.kind === "ready"');
    expect(await page.evaluate('[heard[0], heard.at(-1)]')).toEqual([
      { kind: 'checking' },
      { kind: 'ready', version: '9.9.9' },
    ]);
    expect(new Set(asked.map(({ headers }) => headers['x-user-staging-id']))).toEqual(new Set(['none']));

    const processes = program?.processes();
    await page.evaluate('void jumpseat.restartToUpdate()').catch(() => undefined);
    await program?.gone(processes);
    expect(existsSync(join(program?.home ?? '', 'lock'))).toBe(false);
    expect(await until(() => existsSync(join(desktop.home, 'started')) && 'started')).toBe('started');
    expect(readFileSync(join(folder, 'Jumpseat.AppImage'), 'utf8')).toBe(newest);
  });

  it('whose bytes are not what was announced, or not all of them, are thrown away', async () => {
    said.sha512 = createHash('sha512').update('something else').digest('base64');
    const page = await start(configured());
    const failed = {
      kind: 'failed',
      text: 'Looking for a new version failed.',
      remedy: 'It is tried again later. The log says why.',
    };
    const checked = async () => {
      await page.evaluate('jumpseat.checkForUpdates()');
      return until(async () => {
        const { value } = await page.evaluate<{ value: { kind: string } }>('jumpseat.updateState()');
        return value.kind !== 'checking' && value.kind !== 'loading' && value;
      });
    };
    expect(await checked()).toEqual(failed);
    // The right ones, as far as they came.
    said.sha512 = createHash('sha512').update(newest).digest('base64');
    isCut = true;
    expect(await checked()).toEqual(failed);
    await page.evaluate('jumpseat.restartToUpdate()');
    expect(readFileSync(join(folder, 'Jumpseat.AppImage'), 'utf8')).toBe('the old one');
  });

  it('come by the PAC script and the certificates that the person named', async () => {
    const authority = createAuthority();
    const hosts = new Map<string, number>();
    const servers: Server[] = [];
    for (const name of ['updates.test', 'files.test']) {
      const server = https.createServer(authority.issue(name), (incoming, response) => {
        asked.push(incoming);
        // As on GitHub, whose releases lie on another host.
        if (incoming.url?.startsWith('/latest-linux.yml')) response.end(releaseFile());
        else if (name === 'updates.test')
          response.writeHead(302, { location: `https://files.test${incoming.url}` }).end();
        else response.end(newest);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      hosts.set(`${name}:443`, (server.address() as AddressInfo).port);
      servers.push(server);
    }
    const proxy = await connectProxy({ ports: hosts });
    try {
      writeFileSync(join(folder, 'company.pem'), authority.certificate);
      writeFileSync(join(folder, 'own.pac'), `FindProxyForURL = () => 'PROXY 127.0.0.1:${proxy.port}'`);
      const page = await start(
        'provider: generic\nurl: https://updates.test\nupdaterCacheDirName: jumpseat-updater\n',
        {
          JUMPSEAT_PROXY_SCRIPT: join(folder, 'own.pac'),
          JUMPSEAT_CA_FILE: join(folder, 'company.pem'),
        },
      );
      await page.evaluate('jumpseat.checkForUpdates()');
      const state = await until(async () => {
        const { value } = await page.evaluate<{ value: { kind: string } }>('jumpseat.updateState()');
        return value.kind !== 'checking' && value.kind !== 'loading' && value;
      });
      expect(state, program?.log).toEqual({ kind: 'ready', version: '9.9.9' });
      const targets = ['updates.test:443', 'files.test:443'];
      expect(proxy.asked.map(({ target }) => target)).toEqual(expect.arrayContaining(targets));
      expect(new Set(asked.map(({ headers }) => headers['x-user-staging-id']))).toEqual(new Set(['none']));
    } finally {
      proxy.close();
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    }
  });

  it('that are older are none', async () => {
    said.version = '0.9.0';
    const page = await start(configured());
    expect(await page.evaluate('jumpseat.checkForUpdates()')).toMatchObject({ ok: true, value: { kind: 'idle' } });
  });

  it('do not exist for a build without a host: it asks none, and says so', async () => {
    const page = await start(null);
    const off = { ok: true, value: { kind: 'off', reason: 'This build has no host to get updates from.' } };
    expect(await page.evaluate('jumpseat.checkForUpdates()')).toEqual(off);
    expect(await page.evaluate('jumpseat.updateState()')).toEqual(off);
    expect(asked).toEqual([]);
  });
});
