import { expect, it } from 'vitest';
import { sparseEnvironment } from '../../../../app/sessions/agents/sparse-environment.ts';

it('hands on what each system needs, and no secret', () => {
  const environment = { PATH: '/bin', SystemRoot: 'C:\\Windows', JUMPSEAT_GITHUB_TOKEN: 'x', ANTHROPIC_API_KEY: 'y' };
  const names = (platform: NodeJS.Platform) => Object.keys(sparseEnvironment(environment, platform)).sort();
  const everywhere = ['NO_PROXY', 'PATH', 'no_proxy'];
  expect((['linux', 'darwin', 'win32'] as const).map(names)).toEqual([
    ...[everywhere, everywhere, [...everywhere, 'SystemRoot'].sort()],
  ]);
});
