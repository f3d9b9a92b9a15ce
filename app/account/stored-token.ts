import { type GithubAddresses, isLoopback } from '../settings/github-addresses.ts';

/**
 * How the GitHub token lies in the store: with the host that gave it (`octo.ghe.com ghu_…`), so that it is never shown to another one, whatever settings and
 * environment say at the next start.
 */
export function storedToken({ web }: GithubAddresses, githubToken: string): string {
  return `${web.host} ${githubToken}`;
}

/** The token that this host gave; null where the entry is empty or another host's. */
export function tokenFor({ web }: GithubAddresses, entry: string | null): string | null {
  if (!entry) return null;
  const blank = entry.indexOf(' ');
  if (blank >= 0) return entry.slice(0, blank) === web.host ? entry.slice(blank + 1) : null;
  // Without a host it is of a time when nobody chose one: GitHub's own, or a stand-in on this machine.
  return web.host === 'github.com' || isLoopback(web.hostname) ? entry : null;
}
