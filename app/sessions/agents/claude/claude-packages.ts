import type { Package } from '../../../packages/package.ts';
import type { Build } from '../program-copies.ts';

/** Older versions of Claude Code send no hints about who asked, which the initiator needs. */
export const oldestClaude = '2.1.273';

/** For a kind of system: the packed file as the registry has it, the program as the Agent SDK's manifest has it. */
interface PinnedBuild {
  integrity: string;
  bytes: number;
  program: string;
}

/** Version fetched if the person has none. Anthropic's, with Anthropic's terms beside it. */
const version = '2.1.328';

const builds: Readonly<Record<string, PinnedBuild>> = {
  'linux-x64': {
    integrity: 'sha512-KuzL+dBHgDCFTHJxwW+xuBJdVKfBsesGx2BBcTOG9sYDGoAD7b1hUV8rsTS4xjoJsB2SmeGraGjBiFuhrYuC9w==',
    bytes: 172_342_166,
    program: 'sha256-qYLTgDC5fnUISK3Sy7LfbZpw1VRKIsqbIWo0m6JYZeg=',
  },
  'linux-arm64': {
    integrity: 'sha512-zeWsClzx/rli8q6RsngKisu5BnuZ41J7Htp0qgsdZomaJCINiksf+mewQ/gyaylKajBZCoE9Z8R+OkLMjIkJig==',
    bytes: 173_142_244,
    program: 'sha256-MH+LraJ7N9t1U/rHXoYATj2/9akx/8YRtU/nEM4etSE=',
  },
  'linux-x64-musl': {
    integrity: 'sha512-JiYOp70eNGo+NQGwfPOyzupUf4rVjXd2cXpyF1elbp97mR22tagM7qlCQ/8jGrKSce82/ZKkyXQo39IsQjnNLQ==',
    bytes: 164_571_630,
    program: 'sha256-ZB7xliK0hbU3lJHxDFxg66zlN3XxzHANzgOz10K7tXo=',
  },
  'linux-arm64-musl': {
    integrity: 'sha512-7WgJJKqF3+ZHug9afhVfiEouUME1Y4dApnwqXDK0N06ipIyTPmE7Mqi53FfmUZI7In651SI4ZN7A14xGoe3M2w==',
    bytes: 164_893_926,
    program: 'sha256-s5OlqNaexo5471TKkI8oL4kjaiNktSmJi2ZnVWd7Dc8=',
  },
  'darwin-x64': {
    integrity: 'sha512-SuFIh/OGu/qCCAw9aGldbpcu1OZMozDjZVZGfM6T8Cek+40Lg2fOpB9NHKi71nPHOznjn01xLuZ2HuZboodn6A==',
    bytes: 167_501_953,
    program: 'sha256-v0ClVVwB5q/mwCj74Hgvk1gPTwg1/V0TAi4DnsdlB+E=',
  },
  'darwin-arm64': {
    integrity: 'sha512-BIKLsj2MTaXfWJBE+Wr5ismdpTD0Oju5VmSix8ybBpe4rthXnrrhfMI8iikRQ4Qln5rlcpJyKjVf6CgrZdQASw==',
    bytes: 160_768_296,
    program: 'sha256-6FVHGQ74zZgwM7phsXGUBFpv6gADXaNJ7+q+2GutrMk=',
  },
  'win32-x64': {
    integrity: 'sha512-mnO+OWOHAOE8ESMvVwwuyup79cdNgJ9zVJBJ4cn5o6iPUAl5padlYEfnPR1Pjlpy17UOUyMmo4hgBXg6PAs/xA==',
    bytes: 175_210_862,
    program: 'sha256-VR1XNWe0bOeKuhsgvrIKwklPX4rf/RtB39JpqW4dmDk=',
  },
  'win32-arm64': {
    integrity: 'sha512-yQUZOl8TzR8POwOede1j/fAkZNOmgf9p2CJ/cZGD7JW5YCLQkyRE9o8yaMJXzi1u+mSchYGFPbNZ+mIjWPZWAQ==',
    bytes: 169_212_630,
    program: 'sha256-VdAManUOaiongY6edbu5UZjDs9wty6SG7AiXFne7O0Q=',
  },
};

/**
 * What earlier releases fetched, newest first: a new pin moves the one above to here. A copy of one of these goes on
 * being used after an update of Jumpseat until the person fetches the newer one.
 */
const former: readonly { version: string; builds: typeof builds }[] = [];

/** Module of the Agent SDK. */
export const sdkModule = 'sdk.mjs';

/** The Agent SDK's module, which runs Claude Code, without a Claude Code of its own. */
export const agentSdk: Package = {
  name: '@anthropic-ai/claude-agent-sdk',
  version: '0.3.328',
  integrity: 'sha512-YcOWlpXVm7etPjPVrvSJEfynDksMiG11zvEybSBnk1EVWji6rSjU75HbbhJ8XPEB2ECEwRRP597Udu6IWMtsDw==',
  bytes: 1_591_713,
  programs: {
    [sdkModule]: 'sha512-v4uAzIeJ3+LxojJ7x0/VodXpyIS6jqI85I/xg+IHo9pDcJ/a2IF++sTLIf3lds6KrrRJRakj24YtqBsx7PEBzA==',
  },
};

/** What Jumpseat was built for, then what earlier releases were. Null if there is none for this system. */
export function claudePins(system: string): readonly [Build, ...Build[]] | null {
  const program = system.startsWith('win32') ? 'claude.exe' : 'claude';
  const name = `@anthropic-ai/claude-code-${system}`;
  const pins = [{ version, builds }, ...former].flatMap((pin) => {
    const build = pin.builds[system];
    if (build === undefined) return [];
    const { integrity, bytes } = build;
    return [
      { package: { name, version: pin.version, integrity, bytes, programs: { [program]: build.program } }, program },
    ];
  });
  const [newest, ...others] = pins;
  return newest === undefined ? null : [newest, ...others];
}

/** `linux-x64-musl`, as Anthropic names systems. */
export function claudeSystem(platform: NodeJS.Platform, arch: string, isMusl: boolean): string {
  return `${platform}-${arch}${platform === 'linux' && isMusl ? '-musl' : ''}`;
}
