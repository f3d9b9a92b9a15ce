import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { t } from '../language/translate.ts';
import { type Secrets, SecretsError, type SecretsStatus } from '../ports.ts';
import { outOfLogs } from './redact.ts';

/** What of keytar is used here. */
export interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

interface KeychainOptions {
  /** Loads the native library. Absent: keytar, with the first call. */
  load?: () => Promise<Keychain>;
  /** How long one call may take, in ms. A locked keychain may be asking the person. */
  patienceMs?: number;
  platform?: NodeJS.Platform;
}

const service = 'Jumpseat';

/**
 * The system's keychain: Keychain on macOS, Credential Manager on Windows, the Secret Service on Linux. The library is
 * native and may be unable to load; a machine may have no keychain; a keychain may be locked and ask. Each of these
 * problems has its own remedy. No call waits longer than `patienceMs`.
 *
 * One call at a time: each that waits for a locked keychain holds one of the process's few threads for files and names
 * of hosts, and four of them would bring all of it to a standstill.
 */
export function keychainSecrets(options: KeychainOptions = {}): Secrets {
  const { load = loadKeytar, patienceMs = 5_000, platform = process.platform } = options;
  let loading: Promise<Keychain> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** What is no longer waited for when its turn comes is not asked. */
  const inTurn = async <Answer>(work: () => Promise<Answer>, isLate: () => boolean): Promise<Answer> => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    try {
      await before;
      if (isLate()) throw new TimeoutError();
      return await work();
    } finally {
      resolve();
    }
  };

  const ask = async <Answer>(
    question: (keychain: Keychain) => Promise<Answer>,
    until = deadline(patienceMs),
  ): Promise<Answer> => {
    try {
      loading ??= load();
      // A failed load is tried again with the next call: the library may have been installed meanwhile.
      loading.catch(() => {
        loading = null;
      });
      const keychain = loading;
      const answered = inTurn(async () => question(await keychain), until.isPassed);
      return await Promise.race([answered, until.passed]);
    } catch (error) {
      throw new KeychainError(explain(error, platform));
    } finally {
      until.cancel();
    }
  };

  return outOfLogs({
    storage: 'keychain',

    async status() {
      try {
        await ask(probe);
        return { kind: 'available' };
      } catch (error) {
        return error instanceof KeychainError ? error.status : explain(error, platform);
      }
    },

    get: (name) =>
      ask(async (keychain) => {
        const value = await keychain.getPassword(service, name);
        if (value === null) await probe(keychain);
        return value;
      }),

    set: (name, value) => ask((keychain) => keychain.setPassword(service, name, value)),

    delete: (name) =>
      ask(async (keychain) => {
        if (!(await keychain.deletePassword(service, name))) await probe(keychain);
      }),
  });
}

/**
 * Puts a throw-away entry in and takes it out again. Only writing tells the truth: a locked keyring of the Secret
 * Service answers that it has no such entry, and that must not look like being signed out.
 */
async function probe(keychain: Keychain): Promise<void> {
  const account = `probe-${process.pid}-${randomUUID()}`;
  await keychain.setPassword(service, account, 'probe');
  const found = await keychain.getPassword(service, account);
  await keychain.deletePassword(service, account);
  if (found !== 'probe') throw new ForgetfulError();
}

type Trouble = Exclude<SecretsStatus, { kind: 'available' }>;

/** Says the same as the status of that moment would. */
class KeychainError extends SecretsError {
  readonly status: Trouble;
  constructor(status: Trouble) {
    super(status.reason, status.remedy);
    this.status = status;
  }
}

class TimeoutError extends Error {}
class ForgetfulError extends Error {}

async function loadKeytar(): Promise<Keychain> {
  const keytar = await import('keytar');
  if (process.platform === 'linux' && !hasSessionBus(process.env)) throw new Error('There’s no D-Bus of this session.');
  return keytar.default;
}

/**
 * Without a bus, the library starts one with `dbus-launch` if there is a display (ssh -X, su). That bus has no
 * keychain, outlives the command, and can keep it from ending.
 */
function hasSessionBus({ DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: folder }: NodeJS.ProcessEnv): boolean {
  // Chromium writes “disabled:” if there is no bus.
  if (address) return !/^(?:autolaunch|disabled):/.test(address);
  return Boolean(folder) && existsSync(join(folder ?? '', 'bus'));
}

interface Deadline {
  passed: Promise<never>;
  isPassed(): boolean;
  cancel(): void;
}

function deadline(ms: number): Deadline {
  let timer: NodeJS.Timeout | undefined;
  let isPassed = false;
  const passed = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isPassed = true;
      reject(new TimeoutError());
    }, ms);
  });
  return { passed, isPassed: () => isPassed, cancel: () => clearTimeout(timer) };
}

/**
 * What a failure means for a person, and how a keychain is had. What to use instead of one is for each front to offer.
 * The library's own words are matched, because it gives no codes; they hold no secret, and are shown only where nothing
 * matches.
 */
export function explain(error: unknown, platform: NodeJS.Platform): Trouble {
  const words = error instanceof Error ? error.message : String(error);
  if (error instanceof TimeoutError) {
    return {
      kind: 'locked',
      reason: t('The keychain didn’t answer in time. It may be waiting for its password.'),
      remedy: t('Unlock the keychain, then try again.'),
    };
  }
  if (error instanceof ForgetfulError) {
    return {
      kind: 'unavailable',
      reason: t('The keychain doesn’t store entries.'),
      remedy: t('Set up a keychain that stores entries.'),
    };
  }
  if (/native addon|cannot find (module|package)|err_dlopen_failed|cannot open shared object/i.test(words)) {
    return platform === 'linux'
      ? {
          kind: 'unavailable',
          reason: t('The keychain library can’t be loaded: libsecret is missing.'),
          remedy: t('Install it: sudo apt install libsecret-1-0 (Debian, Ubuntu).'),
        }
      : {
          kind: 'unavailable',
          reason: t('The keychain library can’t be loaded.'),
          remedy: t('Install Jumpseat again.'),
        };
  }
  if (/locked|dismissed|interaction is not allowed|passphrase you entered|canceled by the user/i.test(words)) {
    return { kind: 'locked', reason: t('The keychain is locked.'), remedy: t('Unlock it, then try again.') };
  }
  if (
    /d-?bus|org\.freedesktop|could not connect|object does not exist|no such (interface|object)|connection is closed/i.test(
      words,
    )
  ) {
    return {
      kind: 'unavailable',
      reason: t('There’s no keychain service in this session.'),
      remedy: t(
        'To have a keychain: sudo apt install gnome-keyring (Debian, Ubuntu), then log in to the desktop again.',
      ),
    };
  }
  return { kind: 'unavailable', reason: t('The keychain failed: {words}.', { words }), remedy: t('Try again.') };
}
