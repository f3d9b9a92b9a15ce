import { wayOf } from '../account/credential.ts';
import type { Problem } from '../api/call.ts';
import { t } from '../language/translate.ts';
import type { Settings } from '../settings/settings.ts';

/** A token from outside signs in as VS Code, whatever the settings say of the account in use: that is named. */
export function wayFromOutside(
  githubToken: string | null,
  { admission, accounts, accountInUse }: Pick<Settings, 'admission' | 'accounts' | 'accountInUse'>,
): Problem[] {
  const credential = accounts.find(({ id }) => id === accountInUse)?.signIn?.credential;
  const way = credential == null ? admission : wayOf(credential);
  if (!githubToken || way === 'vscode') return [];
  return [
    {
      code: 'way-from-outside',
      text: t('JUMPSEAT_GITHUB_TOKEN signs in as VS Code; settings.json is set to GitHub’s Copilot SDK.'),
      remedy: t('Unset it to go through the SDK, or choose the sign-in as VS Code in the settings.'),
    },
  ];
}
