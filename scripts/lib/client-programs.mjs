import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cachedPackage } from './package-cache.mjs';

/*
 * Programs of others that the tests drive, and what the registry says their packages are: Claude Code, Codex, what
 * leads both in hosted sessions, and the clients that are set up.
 */

const claudeCodeVersion = '2.1.328';
const claudeCodeBuilds = {
  'linux-x64': 'sha512-KuzL+dBHgDCFTHJxwW+xuBJdVKfBsesGx2BBcTOG9sYDGoAD7b1hUV8rsTS4xjoJsB2SmeGraGjBiFuhrYuC9w==',
  'linux-arm64': 'sha512-zeWsClzx/rli8q6RsngKisu5BnuZ41J7Htp0qgsdZomaJCINiksf+mewQ/gyaylKajBZCoE9Z8R+OkLMjIkJig==',
  'linux-x64-musl': 'sha512-JiYOp70eNGo+NQGwfPOyzupUf4rVjXd2cXpyF1elbp97mR22tagM7qlCQ/8jGrKSce82/ZKkyXQo39IsQjnNLQ==',
  'linux-arm64-musl': 'sha512-7WgJJKqF3+ZHug9afhVfiEouUME1Y4dApnwqXDK0N06ipIyTPmE7Mqi53FfmUZI7In651SI4ZN7A14xGoe3M2w==',
  'darwin-x64': 'sha512-SuFIh/OGu/qCCAw9aGldbpcu1OZMozDjZVZGfM6T8Cek+40Lg2fOpB9NHKi71nPHOznjn01xLuZ2HuZboodn6A==',
  'darwin-arm64': 'sha512-BIKLsj2MTaXfWJBE+Wr5ismdpTD0Oju5VmSix8ybBpe4rthXnrrhfMI8iikRQ4Qln5rlcpJyKjVf6CgrZdQASw==',
  'win32-x64': 'sha512-mnO+OWOHAOE8ESMvVwwuyup79cdNgJ9zVJBJ4cn5o6iPUAl5padlYEfnPR1Pjlpy17UOUyMmo4hgBXg6PAs/xA==',
  'win32-arm64': 'sha512-yQUZOl8TzR8POwOede1j/fAkZNOmgf9p2CJ/cZGD7JW5YCLQkyRE9o8yaMJXzi1u+mSchYGFPbNZ+mIjWPZWAQ==',
};

/**
 * The real Claude Code, for tests/clients.
 * @returns {Promise<{ path: string } | { reason: string }>} its executable, or why there is none for this machine
 */
export async function ensureClaudeCode() {
  const system = `${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`;
  const integrity = claudeCodeBuilds[system];
  if (!integrity) return { reason: `there is no Claude Code ${claudeCodeVersion} for ${system}` };
  const folder = await cachedPackage(
    { name: `@anthropic-ai/claude-code-${system}`, version: claudeCodeVersion, integrity },
    `Claude Code ${claudeCodeVersion}`,
  );
  return { path: join(folder, process.platform === 'win32' ? 'claude.exe' : 'claude') };
}

const isMusl = () =>
  process.platform === 'linux' && existsSync('/lib') && readdirSync('/lib').some((file) => file.startsWith('ld-musl-'));

/**
 * Anthropic's Agent SDK of that Claude Code (Anthropic's terms; 1 MB to fetch): its module alone, without a Claude Code
 * of its own.
 */
export const agentSdkVersion = '0.3.328';

/** @returns {Promise<string>} the module, for tests/clients */
export async function ensureAgentSdk() {
  const wanted = {
    ...{ name: '@anthropic-ai/claude-agent-sdk', version: agentSdkVersion },
    integrity: 'sha512-YcOWlpXVm7etPjPVrvSJEfynDksMiG11zvEybSBnk1EVWji6rSjU75HbbhJ8XPEB2ECEwRRP597Udu6IWMtsDw==',
  };
  return join(await cachedPackage(wanted, `the Agent SDK ${agentSdkVersion}`), 'sdk.mjs');
}

/**
 * The Codex that the tests drive (Apache-2.0; 170 MB to fetch, 300 MB on disk), and what the registry says its packages
 * are. `target` is what OpenAI calls the system.
 */
const codexVersion = '0.169.0';
const codexBuilds = {
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
  const build = codexBuilds[system];
  if (!build) return { reason: `there is no Codex ${codexVersion} for ${system}` };
  const program = `vendor/${build.target}/bin/${process.platform === 'win32' ? 'codex.exe' : 'codex'}`;
  const folder = await cachedPackage(
    { name: '@openai/codex', version: `${codexVersion}-${system}`, integrity: build.integrity, files: [program] },
    `Codex ${codexVersion}`,
  );
  return { path: join(folder, program) };
}

/**
 * What leads Codex in hosted sessions (Apache-2.0; 0.4 MB to fetch), as the product fetches it.
 * @returns {Promise<string>} the module, for tests/clients
 */
export async function ensureCodexAcp() {
  const wanted = {
    ...{ name: '@agentclientprotocol/codex-acp', version: '2.6.0' },
    integrity: 'sha512-/PBsd0H6URy4bhXhAeXqwb7RqctbXfNceRihAh6nDmn5HJ873uzoHvHxF45YmeWfgOKKRrNRLZjYsket2a7EsQ==',
  };
  return join(await cachedPackage(wanted, `codex-acp ${wanted.version}`), 'dist', 'index.js');
}

/**
 * What else the tests set up and drive, as their makers publish it for this system (opencode MIT; Cline, Continue and
 * Goose Apache-2.0; 220 MB to fetch).
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
