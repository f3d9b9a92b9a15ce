import type { Package } from '../../../packages/package.ts';

/** The adapter of the Agent Client Protocol's keepers (Apache-2.0), in one file. */
export const codexAcp: Package = {
  name: '@agentclientprotocol/codex-acp',
  version: '2.6.0',
  integrity: 'sha512-/PBsd0H6URy4bhXhAeXqwb7RqctbXfNceRihAh6nDmn5HJ873uzoHvHxF45YmeWfgOKKRrNRLZjYsket2a7EsQ==',
  bytes: 407_881,
  programs: {
    'dist/index.js': 'sha512-3h+EX8TAtBOFaJRPKz2wbQRFE9lK+oQhL2YJweP8whYcFHUfzIN1SFkHwJhYJBEaaFaYDxdZFsxBHtPgK2x1AA==',
  },
};

/** Older ones don't know what the adapter asks of them. */
export const oldestCodex = '0.166.0';

/** Codex itself (Apache-2.0). Only what was fetched and looked at is here: elsewhere a person installs it. */
const builds: Readonly<Record<string, { package: Package; program: string }>> = {
  'linux-x64': {
    package: {
      name: '@openai/codex',
      version: '0.169.0-linux-x64',
      integrity: 'sha512-o05NyAOCDygSPRo1yinzxvkRSdmsZyBD9E7mbpmjRanSfM8lypqWtQgEo4XfNkwhuCR2aFu8mlGOsQGFXVbVww==',
      bytes: 167_001_509,
      programs: {
        'vendor/x86_64-unknown-linux-musl/bin/codex':
          'sha512-BxvBf9IPWwSQxYsl5twSH89GG1DS2JI3lJ55w8GIsYw5H2sACdefKemM2c+euc2FddaT5GbCpTMC5EQBjvKoZA==',
      },
    },
    program: 'vendor/x86_64-unknown-linux-musl/bin/codex',
  },
};

/** Null: there is none for this system. The same program runs with either C library. */
export function codexPackage(platform: NodeJS.Platform, arch: string): { package: Package; program: string } | null {
  return builds[`${platform}-${arch}`] ?? null;
}
