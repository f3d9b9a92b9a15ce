/**
 * Run as a process of its own, because Node reads `NODE_EXTRA_CA_CERTS` and the system's certificates once.
 * With an address: dials it, through the proxy of the second argument (JSON) where there is one, and prints what came.
 * With `whole-way`: signs in, mints, lists models and sends a message.
 */
import { Account } from '../../../app/account/account.ts';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { nodeDialer } from '../../../app/adapters/dialer.ts';
import { addSecret, redact } from '../../../app/adapters/redact.ts';
import { CopilotClient } from '../../../app/copilot/client.ts';
import { NetworkError } from '../../../app/ports.ts';
import { LineLog, MapSecrets } from '../account/surroundings.ts';

const proxy = process.argv[3] ? JSON.parse(process.argv[3]) : null;
const router = { from: 'system' as const, routes: () => [proxy], unreachable: () => {}, outdated: () => false };
const dialer = nodeDialer(proxy ? { router } : {});
const result = process.argv[2] === 'whole-way' ? await wholeWay() : await dialOne(new URL(process.argv[2] ?? ''));
dialer.close();
process.stdout.write(JSON.stringify(result));

async function dialOne(url: URL): Promise<unknown> {
  try {
    const { response } = await dialer.dial({ url, method: 'GET', headers: {}, headTimeoutMs: 10_000 });
    response.resume();
    return { status: response.statusCode };
  } catch (error) {
    return error instanceof NetworkError ? { code: error.code, message: error.message } : { error: String(error) };
  }
}

async function wholeWay(): Promise<unknown> {
  const parts = { dialer, clock: nodeClock(), log: new LineLog(), redact, hideSecret: addSecret };
  const account = new Account({
    ...parts,
    secrets: new MapSecrets(),
    github: { web: new URL('https://github.test'), api: new URL('https://api.github.test') },
  });
  const signedIn = await account.signIn(() => {});
  const client = new CopilotClient({ ...parts, account });
  const models = await client.getModels();
  const sent = await client.send({
    path: '/v1/messages',
    body: '{}',
    initiator: 'user',
    interactionType: 'conversation-agent',
    intent: 'conversation-agent',
    interactionId: 'i',
    turnId: 't',
    vision: false,
    anthropicVersion: null,
    anthropicBeta: null,
    signal: new AbortController().signal,
    startedTicks: 0,
  });
  if (sent.ok) sent.response.resume();
  return { signedIn: signedIn.kind, models: models.ok, sent: sent.ok };
}
