import { parseObject } from '../formats/wire/json.ts';
import { addressUnder } from '../settings/github-addresses.ts';
import { githubHeaders } from './identity.ts';
import type { MintDependencies } from './mint.ts';
import { readBody } from './read-body.ts';
import { type CopilotUser, readUser } from './user.ts';

const timeoutMs = 15_000;
const bodyLimit = 1024 * 1024;

/** `GET /copilot_internal/user`. Rejects with `NetworkError`, or with an error that names the status. */
export async function fetchUser(dependencies: MintDependencies, githubToken: string): Promise<CopilotUser> {
  const { response } = await dependencies.dialer.dial({
    url: addressUnder(dependencies.github.api, '/copilot_internal/user'),
    method: 'GET',
    headers: githubHeaders(dependencies.identity, githubToken),
    headTimeoutMs: timeoutMs,
  });
  const body = await readBody(response, bodyLimit, timeoutMs);
  const json = body.kind === 'whole' && response.statusCode === 200 ? parseObject(body.text) : null;
  if (!json) throw new Error(`GitHub said nothing about the account (status ${response.statusCode ?? 0})`);
  return readUser(json, dependencies.clock.now());
}
