import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Package } from '../../packages/package.ts';

/** GitHub's runtime for one kind of system, as the registry has it. */
export interface RuntimePackage {
  package: Package;
  /** The program that is started, inside of the package. */
  program: string;
}

const version = '1.0.14';

/**
 * The runtime packages of GitHub's Copilot SDK, with the runtime 1.0.85. Only those that were fetched and looked at are
 * here: the registry's word alone is not taken for a file that was not looked at. `@github/copilot-sdk` names six more
 * of this version (darwin, win32 and linux-arm64, linuxmusl-arm64): each is added with the integrity of the
 * package and of its two programs.
 */
const packages: readonly Package[] = [
  {
    name: '@github/copilot-sdk-linux-x64',
    version,
    integrity: 'sha512-1wlAVTK1z7ovAez0tixr+f77TnjB3fqKobamu1pG7FYyCTwQuyU4p1aWNXF9j/u1d7rxSY1n9cAxrtEAUkizbg==',
    bytes: 46_892_059,
    programs: {
      'prebuilds/linux-x64/copilot-runtime':
        'sha512-GBlMweZkaZAVOfpatH1+z6X2ghZcprfZiPRrR8hXGwbmRq7X3m7OqjBbnwlL6Rj3FvdzuaSXi9dIoJudYkdrXA==',
      'prebuilds/linux-x64/runtime.node':
        'sha512-/yEYtAZP0575jf+TVfjJ7Kk9/hwkWZfJEmiGZ7rjAgKAlUHb+YPyGBCQLMuu9rZu7sViypMCsaHNvPUkbp6CJA==',
    },
  },
  {
    name: '@github/copilot-sdk-linuxmusl-x64',
    version,
    integrity: 'sha512-tNNeJl53hXEkqeGudNAsHQk9OrSUbt2EdPhtugcQxscabaEFutd7KwQH6jmvvYW7Sifgl59ySWTd4ok/9I94kg==',
    bytes: 52_072_698,
    programs: {
      'prebuilds/linuxmusl-x64/copilot-runtime':
        'sha512-NPhZ0R5RcmPqyj1GQb9bNreS60syaI4Zao98QoveKlhAByfJ+Rk087SfkDu2f8hPMGDzkE9NxoNsBwjp9TVsFQ==',
      'prebuilds/linuxmusl-x64/runtime.node':
        'sha512-629qPRvDL6qjee/eZfEohQx6tzc2gJwiT4qrV31cAREVOMuEL0DVqGTI/hLxUMosQPpXiQxJoQbzRfz9umdyWQ==',
    },
  },
];

/**
 * The runtime is built from GitHub's Copilot CLI, whose terms want their text to lie beside it; the runtime's own
 * package brings none. This package of the CLI holds the text and a loader that is not started.
 */
export const licensePackage: Package = {
  name: '@github/copilot',
  version: '1.0.102',
  integrity: 'sha512-mv6cTWMhMILxg5ZDgqJ6UsnpPuySCPWOPbZVaO8lL0dpmjY3VD9ZhJr6DFcG7fhUXZv6OmvLdcRCa5MJ6hBI+Q==',
  bytes: 5433,
  programs: {
    'LICENSE.md': 'sha512-31cWwhxQG3WF4/dB4IADCZlkxTkkb3EOVFkzyVjT3KUJOLboW0l55c6CGhiKYFKaeD1WySkd5Bmhvk6TcpwFQA==',
  },
};

/** linux, linuxmusl, darwin or win32, and the processor: `linux-x64`. */
export function systemName(platform: NodeJS.Platform, arch: string, isMusl: boolean): string {
  return `${platform}${platform === 'linux' && isMusl ? 'musl' : ''}-${arch}`;
}

/** Null if it is not offered for this system yet. */
export function runtimePackage(system: string): RuntimePackage | null {
  const found = packages.find(({ name }) => name === `@github/copilot-sdk-${system}`);
  if (found === undefined) return null;
  const program = `copilot-runtime${system.startsWith('win32') ? '.exe' : ''}`;
  return { package: found, program: join('prebuilds', system, program) };
}

/** Whether this process runs with musl's C library, as on Alpine. */
export function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return readFileSync('/proc/self/maps', 'latin1').includes('/ld-musl-');
  } catch {
    return false;
  }
}
