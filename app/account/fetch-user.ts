import { parseObject } from '../formats/wire/json.ts';
import { addressUnder } from '../settings/github-addresses.ts';
import { githubHeaders } from './identity.ts';
import type { MintParts } from './mint.ts';
import { readBody } from './read-body.ts';
import { type CopilotUser, readUser } from './user.ts';

const timeoutMs = 15_000;
const bodyLimit = 1024 * 1024;

/** `GET /copilot_internal/user`. Rejects with `NetworkError`, or with an error that names the status. */
export async function fetchUser(parts: MintParts, githubToken: string): Promise<CopilotUser> {
  const { response } = await parts.dialer.dial({
    url: addressUnder(parts.github.api, '/copilot_internal/user'),
    method: 'GET',
    headers: githubHeaders(parts.identity, githubToken),
    headTimeoutMs: timeoutMs,
  });
  const body = await readBody(response, bodyLimit, timeoutMs);
  const json = body.kind === 'whole' && response.statusCode === 200 ? parseObject(body.text) : null;
  if (!json) throw new Error(`GitHub said nothing about the account (status ${response.statusCode ?? 0})`);
  return readUser(json, parts.clock.now());
}
