import type { Reach, WindowState } from '../api/account.ts';
import type { Problem } from '../api/call.ts';
import type { AppState, Place } from '../api/state.ts';
import { type Message, msg } from '../language/messages.ts';
import { sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';

/** How Copilot is reached, in a few words. */
export const reachNames: Readonly<Record<Reach, Message>> = {
  directly: msg('directly'),
  'through-vscode': msg('through VS Code'),
};

/** What a person should know before they choose it. */
export const reachFacts: Readonly<Record<Reach, Message>> = {
  directly: msg('Jumpseat signs in to GitHub and sends requests to Copilot itself.'),
  'through-vscode': msg(
    'Jumpseat’s extension in VS Code asks Copilot by VS Code’s public API, and GitHub sees VS Code. Every request is counted as user, the system prompt goes as user text, and Claude doesn’t think there. A window of VS Code has to be open.',
  ),
};

/** In place of the program that a request names, in its row, too: English. */
export const sentThroughVscode = 'VS Code; always counted as user';

/** A sign-in changes nothing of it. */
export const stillThroughVscode = {
  text: msg('You’re signed in, but requests go through VS Code.'),
  remedy: msg('Run "jumpseat reach directly" to use it.'),
};

/** Behind the reason of a verdict, which rows keep in English. */
export const countedByVscode = 'counted as user all the same, as VS Code counts every request';

/** Why no request would work through VS Code now; null if one would. */
export function windowProblem(window: WindowState): Problem | null {
  switch (window.kind) {
    case 'serving':
      return null;
    case 'unknown':
    case 'absent':
      return {
        code: 'no-window',
        text: t('Requests go through VS Code, and no window of VS Code serves them.'),
        remedy: t(
          'Open VS Code with Jumpseat’s extension and run “Jumpseat: Enable” there, or reach Copilot directly: Settings → Account, or "jumpseat reach directly".',
        ),
      };
    case 'unsafe':
      return {
        code: 'no-window',
        text: t('Requests go through VS Code, and what its extension wrote isn’t trusted: {why}.', { why: window.why }),
        remedy: t('Delete vscode.json in Jumpseat’s folder; the extension writes it again within seconds.'),
      };
    case 'no-copilot':
      return {
        code: 'no-window',
        text: t('VS Code offers no model of Copilot’s.'),
        remedy: t('Sign in to GitHub Copilot in VS Code.'),
      };
    case 'no-consent':
      return {
        code: 'no-window',
        text: t('Nobody has allowed Jumpseat’s extension to use Copilot yet.'),
        remedy: t('Run “Jumpseat: Enable” in VS Code and press Allow.'),
      };
  }
}

/** `through VS Code; its extension 0.1.0 serves at 127.0.0.1:53211`, for a line of a report. */
export function windowWords(window: WindowState): string {
  if (window.kind === 'serving')
    return t('its extension {version} serves at {address}', {
      version: window.version,
      address: `127.0.0.1:${window.port}`,
    });
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
  if (own === null)
    return t('every machine and container that can reach {address}, and every user of this machine', { address });
  const { name, network } = own;
  if (/wsl/i.test(name)) return t('WSL, and every user of this machine');
  if (/^(?:docker|br-|podman|cni|virbr|lxc|lxd|incus|bridge)/.test(name))
    return t('containers on the bridge {name} ({network}), and every user of this machine', { name, network });
  if (/^(?:tun|tap|wg|utun|ppp|tailscale|zt)/.test(name))
    return t('machines in the VPN of {name} ({network}), and every user of this machine', { name, network });
  return t('every machine in the network of {name} ({network}), and every user of this machine', { name, network });
}

/** What a person agrees to. */
export function addressConsent(address: string, who: string): string {
  return t(
    'Jumpseat then also listens on {address}. It can be reached by {who}. Each request still needs a key. Requests and keys travel there unencrypted.',
    { address, who },
  );
}

/** Those of a proxy that is on. */
export function placesOf({ proxy }: Pick<AppState, 'proxy'>): readonly Place[] {
  return proxy.kind === 'on' ? (proxy.places ?? []) : [];
}

/** `http://172.17.0.1:4180, for containers on …`, or why it isn't open. */
export function placeWords({ at, who, problem }: Place): string {
  return problem === null ? t('{at}, for {who}', { at, who: who ?? '' }) : sentences(problem.text, problem.remedy);
}
