import { defaultApi, type GithubAddresses, isLoopback } from '../settings/github-addresses.ts';

/**
 * How the GitHub token lies in the store: with the host that gave it and, where that is not the one that belongs to it,
 * the host of the REST API (`octo.ghe.com ghu_…`, `octo.example api.example ghu_…`). It is shown to exactly these,
 * whatever settings and environment say at the next start.
 */
export function storedToken(github: GithubAddresses, githubToken: string): string {
  const { web, api } = github;
  return [web.host, ...(isUsualApi(github) ? [] : [api.host]), githubToken].join(' ');
}

export type StoredEntry =
  | { kind: 'none' }
  | { kind: 'token'; token: string }
  /** It is shown to no host here. `storedFor`: the hosts that it is for, in words. */
  | { kind: 'other-hosts'; storedFor: string };

/** What the entry is for these hosts. */
export function readStored(github: GithubAddresses, entry: string | null): StoredEntry {
  if (!entry) return { kind: 'none' };
  const parts = entry.split(' ');
  const token = parts.at(-1) ?? '';
  const [web, api = null] = parts.slice(0, -1);
  // Without a host it was stored before hosts could be chosen: GitHub's own, or a stand-in on this machine.
  if (web === undefined) {
    const isOurs = github.web.host === 'github.com' ? isUsualApi(github) : isStandIn(github);
    return isOurs ? { kind: 'token', token } : { kind: 'other-hosts', storedFor: 'github.com' };
  }
  const isShown = github.web.host === web && (api === null ? isUsualApi(github) : github.api.host === api);
  return isShown ? { kind: 'token', token } : { kind: 'other-hosts', storedFor: inWords(web, api) };
}

/** `github.com`, or `octo.example with the API at api.example`. */
export function hostsInWords(github: GithubAddresses): string {
  return inWords(github.web.host, isUsualApi(github) ? null : github.api.host);
}

function inWords(web: string, api: string | null): string {
  return api === null ? web : `${web} with the API at ${api}`;
}

/** The API that belongs to this host: its own by name, or the same host. */
function isUsualApi({ web, api }: GithubAddresses): boolean {
  return api.host === (defaultApi(web)?.host ?? web.host);
}

function isStandIn({ web, api }: GithubAddresses): boolean {
  return isLoopback(web.hostname) && isLoopback(api.hostname);
}
