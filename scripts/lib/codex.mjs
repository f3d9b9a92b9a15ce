import { join } from 'node:path';
import { cachedPackage } from './package-cache.mjs';

/**
 * The Codex that the tests drive (Apache-2.0; 170 MB to fetch, 300 MB on disk), and what the registry says its packages
 * are. `target` is what OpenAI calls the system.
 */
export const version = '0.169.0';
const builds = {
  'linux-x64': {
    target: 'x86_64-unknown-linux-musl',
    integrity: 'sha512-o05NyAOCDygSPRo1yinzxvkRSdmsZyBD9E7mbpmjRanSfM8lypqWtQgEo4XfNkwhuCR2aFu8mlGOsQGFXVbVww==',
  },
  'linux-arm64': {
    target: 'aarch64-unknown-linux-musl',
    integrity: 'sha512-NZ/DaQUpcQmxmqee7Z9uC1rzw3GhSbooawcaTe1LN5Yk+WlinUKGdTXJgClRT/9ogQEEM9TWxYzvxPfj5G/xFg==',
  },
  'darwin-x64': {
    target: 'x86_64-apple-darwin',
    integrity: 'sha512-K1FKSsSLl9v3z5TeagBQXyQRDBIGB5Jncy5dxsRxwT3aaTqN3AI8VrCfoxBxKMOOU9O2QX1vg7WkBwNVth/s9A==',
  },
  'darwin-arm64': {
    target: 'aarch64-apple-darwin',
    integrity: 'sha512-5WsWFBbVP78D+6FvNo1MMVxLPZdmcoQlqVJFrF4qx/TmvneLnMQKtLyXkUo54XOTDfoYKpNouTJ/F7gTVA8FnQ==',
  },
  'win32-x64': {
    target: 'x86_64-pc-windows-msvc',
    integrity: 'sha512-nC+McFU8xRNL9tk3IhxcKdhcyOElwF/HhPO+gzSQCY7yjh3XdzSajX+MYWcHUVHWRHajfwn3/WgJYJK2wS+XWg==',
  },
  'win32-arm64': {
    target: 'aarch64-pc-windows-msvc',
    integrity: 'sha512-nTN9SpkacGohq60+I80R3t0R8Mhbnlt3OVYNahgAv1Gu77KFwhPc0vz9Ou/DAGDtYhKVWA/jiYXJXnlzkwb/JA==',
  },
};

/**
 * The real Codex, for tests/clients: its program alone, without the sandbox and the voice that come along.
 * @returns {Promise<{ path: string } | { reason: string }>} its executable, or why there is none for this machine
 */
export async function ensureCodex() {
  const system = `${process.platform}-${process.arch}`;
  const build = builds[system];
  if (!build) return { reason: `there is no Codex ${version} for ${system}` };
  const program = `vendor/${build.target}/bin/${process.platform === 'win32' ? 'codex.exe' : 'codex'}`;
  const folder = await cachedPackage(
    { name: '@openai/codex', version: `${version}-${system}`, integrity: build.integrity, files: [program] },
    `Codex ${version}`,
  );
  return { path: join(folder, program) };
}
