import type { Account } from '../account/account.ts';
import { t } from '../language/translate.ts';
import { addressesOfHost, type GithubAddresses } from '../settings/github-addresses.ts';
import type { Settings, SettingsStore } from '../settings/settings.ts';
import { FixedFromOutsideError } from '../settings/write-settings.ts';

/** What decides which GitHub is asked. */
export interface GivenGithub {
  /** What the environment says, or GitHub's own. */
  addresses: GithubAddresses;
  /** The variable that decides; null if the settings may say another host. */
  fixedBy: string | null;
}

/** GitHub host for sign-ins. */
export function chosenGithub(given: GivenGithub, { githubHost }: Pick<Settings, 'githubHost'>): GithubAddresses {
  return given.fixedBy !== null || githubHost === null ? given.addresses : addressesOfHost(githubHost);
}

interface GithubChoiceDependencies {
  given: GivenGithub;
  settings: SettingsStore;
  account: Pick<Account, 'moveTo'>;
  /** What was learned with the last account is not true any more. */
  accountChanged(): void;
}

/** The choice while everything runs, also where another process of the folder made it. */
export class GithubChoice {
  readonly #dependencies: GithubChoiceDependencies;
  #moving: Promise<void> = Promise.resolve();
  #addresses: GithubAddresses;

  constructor(dependencies: GithubChoiceDependencies) {
    this.#dependencies = dependencies;
    this.#addresses = chosenGithub(dependencies.given, dependencies.settings.current());
  }

  get addresses(): GithubAddresses {
    return this.#addresses;
  }

  /** Throws where the environment has chosen already. */
  requireFree(): void {
    const { fixedBy } = this.#dependencies.given;
    if (fixedBy === null) return;
    throw new FixedFromOutsideError(
      t('The host of GitHub was chosen by {fixedBy}.', { fixedBy }),
      t('Unset it, and start Jumpseat again.'),
    );
  }

  /** Applies what the settings say now. Resolves when the host before has no sign-in any more. */
  follow(): Promise<void> {
    const { given, settings, account, accountChanged } = this.#dependencies;
    const addresses = chosenGithub(given, settings.current());
    if (addresses.web.href === this.#addresses.web.href) return this.#moving;
    this.#addresses = addresses;
    accountChanged();
    this.#moving = account.moveTo(addresses);
    return this.#moving;
  }
}
