import { join } from 'node:path';
import { cachedPackage } from './package-cache.mjs';

/**
 * Anthropic's Agent SDK of the Claude Code that the tests drive (Anthropic's terms; 1 MB to fetch): its module alone,
 * without a Claude Code of its own.
 */
export const version = '0.3.328';
const integrity = 'sha512-YcOWlpXVm7etPjPVrvSJEfynDksMiG11zvEybSBnk1EVWji6rSjU75HbbhJ8XPEB2ECEwRRP597Udu6IWMtsDw==';

/** @returns {Promise<string>} the module, for tests/clients */
export async function ensureAgentSdk() {
  const folder = await cachedPackage(
    { name: '@anthropic-ai/claude-agent-sdk', version, integrity },
    `the Agent SDK ${version}`,
  );
  return join(folder, 'sdk.mjs');
}
