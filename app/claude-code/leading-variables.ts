/* Variables that lead requests elsewhere: to a service that isn't Jumpseat, or in a circle back to ourselves. */

/** Each makes Claude Code use another service and ignore ANTHROPIC_BASE_URL. */
export const otherServiceSwitches = [
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_MANTLE',
  'CLAUDE_CODE_USE_FOUNDRY',
  'CLAUDE_CODE_USE_ANTHROPIC_AWS',
  'CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD',
] as const;

/**
 * All that would take prompts elsewhere, some of them with our key, if a repository's or person's settings said so.
 * With the last, Claude Code doesn't use our token.
 */
export const otherServices = [
  ...otherServiceSwitches,
  'CLAUDE_CODE_USE_GATEWAY',
  'ANTHROPIC_BEDROCK_BASE_URL',
  'ANTHROPIC_VERTEX_BASE_URL',
  'ANTHROPIC_BEDROCK_MANTLE_BASE_URL',
  'ANTHROPIC_FOUNDRY_BASE_URL',
  'ANTHROPIC_FOUNDRY_RESOURCE',
  'ANTHROPIC_AWS_BASE_URL',
  'ANTHROPIC_GOOGLE_CLOUD_BASE_URL',
  'ANTHROPIC_CUSTOM_HEADERS',
  'CLAUDE_CODE_SIMPLE',
] as const;

/**
 * Whether an address is our own proxy on this machine. Requests sent there would come back to us: a circle. Takes
 * addresses with and without a scheme, as `HTTPS_PROXY` knows them; what is no address at all is not ours.
 */
export function pointsAtOurselves(address: string, port: number): boolean {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  const loopback =
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    host === '0.0.0.0' ||
    /^127\./.test(host);
  const theirs = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return loopback && theirs === port;
}

const proxyNames = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** The first variable that sends outgoing traffic through ourselves. */
export function proxyCircle(env: Readonly<Record<string, string | undefined>>, port: number): string | null {
  return proxyNames.find((name) => pointsAtOurselves(env[name] ?? '', port)) ?? null;
}
