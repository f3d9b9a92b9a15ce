import { z } from 'zod';

const publicHost = 'github.com';

/**
 * A host that people may sign in at: github.com, or the host of a company in GitHub Enterprise Cloud (`octo.ghe.com`).
 * A server on a company's own machines has no Copilot API, so none of those can be chosen here.
 */
export const githubHostSchema = z
  .string()
  .max(100)
  .refine(
    (host) => host === publicHost || /^(?!-)[a-z0-9-]{1,63}(?<!-)\.ghe\.com$/.test(host),
    'it has to be github.com or your company’s host at GitHub, such as octo.ghe.com',
  );

/** What a person typed, with or without `https://`, as a host. Whether it may be used, the schema says. */
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
