import { sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { AccountError } from './account-error.ts';

/**
 * Why settings.json leaves open as whom requests of an account go out, so that none may. Null if it is known.
 * @param account.isInUseKnown the account in use is the one that the settings name
 */
export function whyUnknown(
  account: { isFirst: boolean; isInUseKnown: boolean },
  { settings, isFixed }: { settings: Pick<SettingsStore, 'current' | 'isUnusable'>; isFixed: boolean },
): AccountError | null {
  const { lostAccounts } = settings.current();
  if (lostAccounts !== null)
    return new AccountError(
      'broken',
      lostAccounts === 'settings.json'
        ? t('settings.json was damaged, so it isn’t known which account to use. Nothing is sent.')
        : t(
            'settings.json was damaged, so it isn’t known which account to use. Nothing is sent. The damaged file is {file}.',
            { file: lostAccounts },
          ),
      isFixed
        ? t('Replace settings.json with a good copy, or remove it.')
        : t('Replace settings.json with a good copy, sign in again, or run "jumpseat accounts use NAME".'),
    );
  if (settings.isUnusable('reach'))
    return new AccountError(
      'broken',
      t(
        'settings.json doesn’t say whether Copilot is reached directly or through VS Code: “reach” there can’t be used.',
      ),
      t('Run "jumpseat reach directly" or "jumpseat reach through-vscode", or choose it in Settings → Account.'),
    );
  if (isFixed) return null;
  if (settings.isUnusable('accounts'))
    return new AccountError(
      'broken',
      t('The accounts in settings.json can’t be used, so nothing is sent to Copilot.'),
      t('Fix “accounts” in settings.json; the file is read again at once. If you have one account, set it to [].'),
    );
  if (!account.isInUseKnown || settings.isUnusable('accountInUse'))
    return new AccountError(
      'broken',
      t('settings.json doesn’t say which account is in use, so nothing is sent to Copilot.'),
      sentences(
        t('Choose the account in Settings → Account, or run "jumpseat accounts use NAME".'),
        t('If you have one account, set “accountInUse” to null in settings.json.'),
      ),
    );
  // Further accounts have their way in with their sign-in.
  if (!account.isFirst || !settings.isUnusable('admission')) return null;
  return new AccountError(
    'broken',
    t('settings.json doesn’t say how requests reach Copilot: the value of “admission” is not valid.'),
    t('Set “admission” to "vscode" or "copilot-sdk" in settings.json, or sign in again.'),
  );
}
