import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cachedPackage } from './package-cache.mjs';

/** The Claude Code that the tests drive, and what the registry says its packages are. */
export const version = '2.1.328';
const integrities = {
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
  const integrity = integrities[system];
  if (!integrity) return { reason: `there is no Claude Code ${version} for ${system}` };
  const folder = await cachedPackage(
    { name: `@anthropic-ai/claude-code-${system}`, version, integrity },
    `Claude Code ${version}`,
  );
  return { path: join(folder, process.platform === 'win32' ? 'claude.exe' : 'claude') };
}

const isMusl = () =>
  process.platform === 'linux' && existsSync('/lib') && readdirSync('/lib').some((file) => file.startsWith('ld-musl-'));
