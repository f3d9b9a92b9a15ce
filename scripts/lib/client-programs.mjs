import { join } from 'node:path';
import { cachedPackage } from './package-cache.mjs';

/**
 * Programs of others that the tests set up and drive, besides Claude Code and Codex, as their makers publish them for
 * this system (opencode MIT; Cline, Continue and Goose Apache-2.0; 220 MB to fetch).
 */
const programs = {
  opencode: {
    system: 'linux-x64',
    program: 'bin/opencode',
    package: {
      ...{ name: 'opencode-linux-x64-baseline', version: '1.18.33' },
      integrity: 'sha512-1KQGBiiDDeL/VHHbHkOvvFo8Jr97WT5+C1tear+p7IcDTnXgVHXqIjU4O4jM4mHQzykTP2i884FCnW5LDa+zCA==',
    },
  },
  cline: {
    system: 'linux-x64',
    program: 'bin/cline',
    package: {
      ...{ name: '@cline/cli-linux-x64', version: '3.0.65' },
      integrity: 'sha512-YRDt0eNj/XEMB7DeMeOeE92jQFf7DyKGCysStxrk+mIKdO0GVPugDG4yxsmKtBouBnaRVteW3NwYEnSq2kah8A==',
    },
  },
  continue: {
    system: null,
    program: 'dist/cn.js',
    package: {
      ...{ name: '@continuedev/cli', version: '1.5.47' },
      integrity: 'sha512-gtpewV3RoIOD9dyTtKIBi1SY0VOHRu3Ehe7C/mmnswm+j34MPyrcQhQaWj/m+jdfGO4fNIKdrgGIlLso1ULDFw==',
    },
  },
  // The program that @aaif/goose-sdk starts, by Goose's makers.
  goose: {
    system: 'linux-x64',
    program: 'bin/goose',
    package: {
      ...{ name: '@aaif/goose-binary-linux-x64', version: '1.52.0' },
      integrity: 'sha512-2aPCG0HuLUI1cafcez1s1nLlTsNMx7AHWnmAOS/6S9xqmcvY+oXsQA5SUHin1Sf5uphK6pcOCLmgygJ6YQIDaQ==',
    },
  },
};

/** The executables by the names that `jumpseat setup` takes, as far as there are any for this system. */
export async function ensureClientPrograms() {
  const found = {};
  for (const [name, { system, program, package: wanted }] of Object.entries(programs)) {
    if (system !== null && system !== `${process.platform}-${process.arch}`) continue;
    found[name] = join(await cachedPackage(wanted, `${name} ${wanted.version}`), program);
  }
  return found;
}
