import type { Problem } from '../api/problem.ts';
import type { Settings } from '../settings/settings.ts';

/** A token from outside is one for VS Code's way: the settings' way would otherwise be left without a word. */
export function wayFromOutside(githubToken: string | null, { admission }: Pick<Settings, 'admission'>): Problem[] {
  if (!githubToken || admission === 'vscode') return [];
  return [
    {
      code: 'way-from-outside',
      text: 'JUMPSEAT_GITHUB_TOKEN signs in as VS Code; settings.json says that requests go through GitHub’s Copilot SDK.',
      mend: 'Unset it, or set admission to vscode.',
    },
  ];
}
