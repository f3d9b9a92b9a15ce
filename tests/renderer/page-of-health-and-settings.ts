import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { memorySecrets, movableSecrets } from '../../app/adapters/movable-secrets.ts';
import { type Secrets, SecretsError } from '../../app/ports.ts';
import { fakeGithubToken } from '../../app/simulator/stage.ts';
import { launchForShortPages } from '../chromium.ts';
import { isSound as isSoundAtAnyWidth } from './pages-of.ts';
import { type BuiltDashboard, buildDashboard, type Shown, type ShowOptions, show } from './usage-models-page.ts';

/** Secrets as on a desktop: a keychain, and other stores to move to. Signed out without a token. */
export function desktopSecrets(token: string | null = fakeGithubToken): Secrets {
  return movableSecrets(named('keychain', memorySecrets(token === null ? {} : { 'github-token': token })), (storage) =>
    named(storage, memorySecrets()),
  );
}

/** A machine without a keychain. */
export function noKeychain(): Secrets {
  const refuse = () => Promise.reject(new SecretsError('There is no keychain here.', 'Set one up.'));
  const broken: Secrets = {
    storage: 'keychain',
    status: async () => ({ kind: 'unavailable', reason: 'There is no keychain here.', remedy: 'Set one up.' }),
    get: refuse,
    set: refuse,
    delete: refuse,
  };
  return movableSecrets(broken, (storage) => (storage === 'keychain' ? broken : named(storage, memorySecrets())));
}

/** A keychain that is there and keeps no token. */
export function fullKeychain(): Secrets {
  const full: Secrets = {
    ...named('keychain', memorySecrets()),
    set: () => Promise.reject(new SecretsError('The keychain is full.', 'Make room in it.')),
  };
  return movableSecrets(full, (storage) => (storage === 'keychain' ? full : named(storage, memorySecrets())));
}

function named(storage: Secrets['storage'], secrets: Secrets): Secrets {
  return {
    storage,
    status: () => secrets.status(),
    get: (name) => secrets.get(name),
    set: (name, value) => secrets.set(name, value),
    delete: (name) => secrets.delete(name),
  };
}

/** One browser and one build for a file of tests, and everything put away again. */
export class Pages {
  readonly #open: Shown[] = [];
  readonly #homes: string[] = [];
  #dashboard: BuiltDashboard | null = null;
  #browser: Browser | null = null;

  async start(): Promise<void> {
    [this.#dashboard, this.#browser] = await Promise.all([buildDashboard(), launchForShortPages()]);
  }

  /** A page of the app; `claude` is what Claude Code's settings hold before, `path` where its programs are. */
  async at(
    place: string,
    options: Partial<Omit<ShowOptions, 'place'>> & { secrets?: Secrets; claude?: string; path?: string } = {},
  ): Promise<
    Shown & { home: string; claudeFile: string; claudeSettings: () => string; settings: () => Record<string, unknown> }
  > {
    if (this.#browser === null || this.#dashboard === null) throw new Error('There is no browser yet.');
    const { secrets = desktopSecrets(), claude, path = '', ...rest } = options;
    const home = mkdtempSync(join(tmpdir(), 'jumpseat-claude-'));
    this.#homes.push(home);
    const file = join(home, '.claude', 'settings.json');
    mkdirSync(join(home, '.claude'));
    if (claude !== undefined) writeFileSync(file, claude);
    const shown = await show({
      dashboard: this.#dashboard.folder,
      browser: this.#browser,
      place,
      ...rest,
      stack: {
        secrets,
        ...rest.stack,
        app: {
          environment: { HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude'), SHELL: '/bin/fish', PATH: path },
          ...rest.stack?.app,
        },
      },
    });
    this.#open.push(shown);
    return {
      ...shown,
      home,
      claudeFile: file,
      claudeSettings: () => readFileSync(file, 'utf8'),
      settings: () => JSON.parse(readFileSync(join(shown.stack.home, 'settings.json'), 'utf8')),
    };
  }

  async closeAll(): Promise<void> {
    for (const shown of this.#open.splice(0)) await shown.close();
    for (const home of this.#homes.splice(0)) rmSync(home, { recursive: true, force: true });
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    this.#dashboard?.remove();
  }
}

/** The same, and nothing has to be scrolled sideways. */
export async function isSound(shown: Pick<Shown, 'page' | 'complaints'>): Promise<void> {
  await isSoundAtAnyWidth(shown);
  expect(await shown.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
}
