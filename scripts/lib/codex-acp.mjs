import { join } from 'node:path';
import { cachedPackage } from './package-cache.mjs';

/** What leads Codex in hosted sessions (Apache-2.0; 0.4 MB to fetch), as the product fetches it. */
export const version = '2.6.0';
const integrity = 'sha512-/PBsd0H6URy4bhXhAeXqwb7RqctbXfNceRihAh6nDmn5HJ873uzoHvHxF45YmeWfgOKKRrNRLZjYsket2a7EsQ==';

/** @returns {Promise<string>} the module, for tests/clients */
export async function ensureCodexAcp() {
  const folder = await cachedPackage(
    { name: '@agentclientprotocol/codex-acp', version, integrity },
    `codex-acp ${version}`,
  );
  return join(folder, 'dist', 'index.js');
}
