import { msg } from '../language/messages.ts';

/** The parts of a message that an address of mail may begin. Others make some programs attach files. */
const mailFields: ReadonlySet<string> = new Set(['to', 'cc', 'bcc', 'subject', 'body', 'in-reply-to']);

/** What an address consists of when it was read and written by a browser: nothing in it ends it early or hides. */
const written = /^[!#-;=?-[\]-_a-~]+$/;

/**
 * Whether an address that a person confirmed may be opened: of the web or of mail, without a user name or password, and
 * to the host that was shown to them, however a program reads it.
 */
export function mayOpenConfirmed(address: string): boolean {
  if (!written.test(address) || !URL.canParse(address)) return false;
  const { protocol, host, username, password, searchParams } = new URL(address);
  if (username !== '' || password !== '') return false;
  if (protocol === 'http:' || protocol === 'https:') return address.startsWith(`${protocol}//${host}/`);
  if (protocol !== 'mailto:' || !address.startsWith(protocol)) return false;
  return [...searchParams.keys()].every((key) => mailFields.has(key.toLowerCase()));
}

/** What is said where it may not. The address is in no text of this: texts are logged. */
export const notOpened = {
  text: msg('This address isn’t one that is opened from here.'),
  remedy: msg('Copy it, and open it yourself if you trust it.'),
};

/** A person's pages at GitHub. */
export type GithubPage =
  | '/settings/billing'
  | '/settings/copilot'
  | '/settings/copilot/features'
  | '/features/copilot/plans';

/** Page at the host of the sign-in; GitHub's own for a stand-in on this machine, which has none. */
export function githubPage(host: string | null, page: GithubPage): string {
  const own = host !== null && /^[a-z0-9-]+\.ghe\.com$/.test(host);
  return `https://${own ? host : 'github.com'}${page}`;
}
