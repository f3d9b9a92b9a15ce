import { t } from '../language/translate.ts';

/**
 * Where people sign in (`web`) and GitHub's REST API (`api`). Neither ever ends in a slash of its own making: use
 * `addressUnder`.
 */
export interface GithubAddresses {
  web: URL;
  api: URL;
}

/** An address that may not be used. `message` is a sentence for a person. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

const githubWeb = 'https://github.com';
const githubApi = 'https://api.github.com';
const enterpriseCloud = '.ghe.com';

/**
 * The two addresses of GitHub. A tenant of GHE.com needs only its web address. Throws `AddressError`.
 * @param env `JUMPSEAT_GITHUB_URL`, `JUMPSEAT_GITHUB_API_URL`; empty counts as absent.
 */
export function githubAddresses(env: {
  JUMPSEAT_GITHUB_URL?: string | undefined;
  JUMPSEAT_GITHUB_API_URL?: string | undefined;
}): GithubAddresses {
  const web = readAddress('JUMPSEAT_GITHUB_URL', env.JUMPSEAT_GITHUB_URL || githubWeb);
  const api = env.JUMPSEAT_GITHUB_API_URL
    ? readAddress('JUMPSEAT_GITHUB_API_URL', env.JUMPSEAT_GITHUB_API_URL)
    : apiAddressFor(web);
  return { web, api };
}

/** The addresses of a host that a person chose in the settings. */
export function addressesOfHost(host: string): GithubAddresses {
  return githubAddresses({ JUMPSEAT_GITHUB_URL: `https://${host}` });
}

/**
 * https, or http on a loopback host; without userinfo, query and fragment. A bearer goes to no other kind of address.
 */
export function isAllowedAddress(url: URL): boolean {
  if (url.username || url.password || url.search || url.hash || url.href.includes('?') || url.href.includes('#')) {
    return false;
  }
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && isLoopback(url.hostname);
}

/** The same from a text; null for anything else. */
export function allowedAddress(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && isAllowedAddress(url) ? url : null;
}

/** `path` (with its leading slash, perhaps a query) below `base`, whether or not `base` has a path of its own. */
export function addressUnder(base: URL, path: string): URL {
  const prefix = base.pathname.endsWith('/') ? base.pathname.slice(0, -1) : base.pathname;
  return new URL(base.origin + prefix + path);
}

/** This machine itself. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

const exampleOf = (variable: string): string =>
  variable === 'JUMPSEAT_GITHUB_API_URL' ? 'https://api.github.com' : githubWeb;

function readAddress(variable: string, text: string): URL {
  let url: URL;
  try {
    // A host alone, as people write it.
    url = new URL(text.includes('://') ? text : `https://${text}`);
  } catch {
    throw new AddressError(
      t('{variable} is not an address. Write it like {example}.', { variable, example: exampleOf(variable) }),
    );
  }
  if (isAllowedAddress(url)) return url;
  const why =
    url.username || url.password
      ? t('may not hold a user name or a password')
      : url.protocol === 'https:'
        ? t('may not have a query or a fragment')
        : t('has to be https, or http on a loopback address');
  throw new AddressError(
    t('{variable} {why}. Write it like {example}.', { variable, why, example: exampleOf(variable) }),
  );
}

/** The REST API that belongs to a host of GitHub's; null if that is not known. */
export function defaultApi(web: URL): URL | null {
  if (web.origin === githubWeb) return new URL(githubApi);
  if (
    web.protocol === 'https:' &&
    web.hostname.endsWith(enterpriseCloud) &&
    web.hostname !== enterpriseCloud.slice(1)
  ) {
    return new URL(`https://api.${web.host}`);
  }
  return null;
}

function apiAddressFor(web: URL): URL {
  const known = defaultApi(web);
  if (known !== null) return known;
  throw new AddressError(
    t(
      'JUMPSEAT_GITHUB_URL names {host}, whose REST address is not known. Set JUMPSEAT_GITHUB_API_URL ' +
        'too; GitHub Enterprise Server on your own machines has no Copilot API.',
      { host: web.host },
    ),
  );
}

const publicHost = 'github.com';

/**
 * A host that people may sign in at: github.com, or the host of a company in GitHub Enterprise Cloud (`octo.ghe.com`).
 * A server on a company's own machines has no Copilot API, so none of those can be chosen here.
 */
export function isGithubHost(host: string): boolean {
  return host === publicHost || /^(?!-)[a-z0-9-]{1,63}(?<!-)\.ghe\.com$/.test(host);
}

/** What a person typed, with or without `https://`, as a host. Whether it may be used, `isGithubHost` says. */
export function typedHost(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^https:\/\//, '')
    .replace(/\/$/, '');
}

/** The host as it is stored: null for github.com. */
export function keptHost(host: string): string | null {
  return host === publicHost ? null : host;
}
