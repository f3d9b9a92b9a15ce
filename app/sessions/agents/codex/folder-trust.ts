import { registerHooks } from 'node:module';

/** Variable of the process of a Codex session: `trusted` or `untrusted`. */
export const trustVariable = 'JUMPSEAT_CODEX_TRUST';

const always = 'trust_level: "trusted"';

/**
 * codex-acp tells Codex that every folder of a session is trusted, so that programs which a repository names would be
 * started unasked. What it tells is put in while it is loaded; the file is the one whose integrity we know. Throws
 * where it says so elsewhere, or no more.
 */
export function withTrust(source: string, isTrusted: boolean): string {
  const parts = source.split(always);
  if (parts.length !== 2) throw new Error('codex-acp has changed: its text about a folder’s trust is unknown.');
  return isTrusted ? source : parts.join('trust_level: "untrusted"');
}

/** Loads the module of this address with the trust from now on. */
export function loadWithTrust(address: string, isTrusted: boolean): void {
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      if (url !== address || loaded.source == null) return loaded;
      const { source } = loaded;
      const text = typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString('utf8');
      return { ...loaded, source: withTrust(text, isTrusted) };
    },
  });
}
