import type { Clock, Dialer, HideSecret, Redact } from '../ports.ts';
import type { GithubAddresses } from '../settings/github-addresses.ts';
import type { Admission } from './admission.ts';
import { fetchUser } from './fetch-user.ts';
import { copilotHeaders, type Identity } from './identity.ts';
import { mintCopilotToken } from './mint.ts';

export interface VscodeAdmissionDependencies {
  dialer: Dialer;
  clock: Clock;
  github: GithubAddresses;
  /** Shared: a changed setting holds from the next request on. */
  identity: Identity;
  redact: Redact;
  hideSecret: HideSecret;
}

/** As VS Code: a token of its app is exchanged for Copilot tokens, and its versions go with every request. */
export function vscodeAdmission(dependencies: VscodeAdmissionDependencies, githubToken: string): Admission {
  const { identity, hideSecret } = dependencies;
  return {
    async obtain() {
      const { value, mintedAt, ...token } = await mintCopilotToken(dependencies, githubToken);
      hideSecret(value, 'passing');
      return {
        ...token,
        authorization: `Bearer ${value}`,
        identity: () => copilotHeaders(identity),
        obtainedAt: mintedAt,
      };
    },
    readUser: () => fetchUser(dependencies, githubToken),
    // GitHub has it for its own clients alone: asking for it would borrow one right more.
    auto: null,
  };
}
