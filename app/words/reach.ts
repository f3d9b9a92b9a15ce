import type { Problem } from '../api/call.ts';
import type { Reach, WindowState } from '../api/reach.ts';
import type { AppState, Place } from '../api/state.ts';

/** How Copilot is reached, in a few words. */
export const reachNames: Readonly<Record<Reach, string>> = {
  directly: 'directly',
  'through-vscode': 'through VS Code',
};

/** What a person should know before they choose it. */
export const reachFacts: Readonly<Record<Reach, string>> = {
  directly: 'Jumpseat signs in to GitHub and sends requests to Copilot itself.',
  'through-vscode':
    'Jumpseat’s extension in VS Code asks Copilot by VS Code’s public API, and GitHub sees VS Code. Every request is ' +
    'counted as user, the system prompt goes as user text, and Claude doesn’t think there. A window of VS Code has to ' +
    'be open.',
};

/** Shown in place of the program that a request names. */
export const sentThroughVscode = 'VS Code; always counted as user';

/** A sign-in changes nothing of it. */
export const stillThroughVscode: Pick<Problem, 'text' | 'remedy'> = {
  text: 'You’re signed in, but requests go through VS Code.',
  remedy: 'Run "jumpseat reach directly" to use it.',
};

/** Behind the reason of a verdict. */
export const countedByVscode = 'counted as user all the same, as VS Code counts every request';

const open =
  'Open VS Code with Jumpseat’s extension and run “Jumpseat: Enable” there, or reach Copilot directly: Settings → ' +
  'Account, or "jumpseat reach directly".';

/** Why no request would work through VS Code now; null if one would. */
export function windowProblem(window: WindowState): Problem | null {
  switch (window.kind) {
    case 'serving':
      return null;
    case 'unknown':
    case 'absent':
      return {
        code: 'no-window',
        text: 'Requests go through VS Code, and no window of VS Code serves them.',
        remedy: open,
      };
    case 'unsafe':
      return {
        code: 'no-window',
        text: `Requests go through VS Code, and what its extension wrote isn’t trusted: ${window.why}.`,
        remedy: 'Delete vscode.json in Jumpseat’s folder; the extension writes it again within seconds.',
      };
    case 'no-copilot':
      return {
        code: 'no-window',
        text: 'VS Code offers no model of Copilot’s.',
        remedy: 'Sign in to GitHub Copilot in VS Code.',
      };
    case 'no-consent':
      return {
        code: 'no-window',
        text: 'Nobody has allowed Jumpseat’s extension to use Copilot yet.',
        remedy: 'Run “Jumpseat: Enable” in VS Code and press Allow.',
      };
  }
}

/** `through VS Code; its extension 0.1.0 serves at 127.0.0.1:53211`, for a line of a report. */
export function windowWords(window: WindowState): string {
  if (window.kind === 'serving') return `its extension ${window.version} serves at 127.0.0.1:${window.port}`;
  return windowProblem(window)?.text ?? '';
}

// The places besides 127.0.0.1 where the proxy answers, and who can reach them.

/** An interface of this machine, with the address that it has: `docker0`, `172.17.0.1/16`. */
export interface OwnInterface {
  name: string;
  network: string;
}

/** Who can open a connection to an address, as far as the name of its interface shows it. Null: it isn't known. */
export function whoReaches(address: string, own: OwnInterface | null): string {
  const users = 'every user of this machine';
  if (own === null) return `every machine and container that can reach ${address}, and ${users}`;
  const { name, network } = own;
  if (/wsl/i.test(name)) return `WSL, and ${users}`;
  if (/^(?:docker|br-|podman|cni|virbr|lxc|lxd|incus|bridge)/.test(name))
    return `containers on the bridge ${name} (${network}), and ${users}`;
  if (/^(?:tun|tap|wg|utun|ppp|tailscale|zt)/.test(name))
    return `machines in the VPN of ${name} (${network}), and ${users}`;
  return `every machine in the network of ${name} (${network}), and ${users}`;
}

/** What a person agrees to. */
export function addressConsent(address: string, who: string): string {
  return (
    `Jumpseat then also listens on ${address}. It can be reached by ${who}. Each request still needs a key. ` +
    'Requests and keys travel there unencrypted.'
  );
}

/** Those of a proxy that is on. */
export function placesOf({ proxy }: Pick<AppState, 'proxy'>): readonly Place[] {
  return proxy.kind === 'on' ? (proxy.places ?? []) : [];
}

/** `http://172.17.0.1:4180, for containers on …`, or why it isn't open. */
export function placeWords({ at, who, problem }: Place): string {
  return problem === null ? `${at}, for ${who}` : `${problem.text} ${problem.remedy}`;
}
