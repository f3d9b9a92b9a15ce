/** A person's pages at GitHub. */
export type GithubPage =
  | '/settings/billing'
  | '/settings/copilot'
  | '/settings/copilot/features'
  | '/features/copilot/plans';

/** At the host where people sign in; a stand-in on this machine has no such pages, so that GitHub's own are shown. */
export function githubPage(host: string | null, page: GithubPage): string {
  const own = host !== null && /^[a-z0-9-]+\.ghe\.com$/.test(host);
  return `https://${own ? host : 'github.com'}${page}`;
}
