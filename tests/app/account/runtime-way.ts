import type {
  AutoAnswer,
  ProviderEndpoint,
  RuntimeAnswer,
  RuntimeCredential,
} from '../../../app/account/sdk/endpoint.ts';
import type { RuntimeWay } from '../../../app/account/session.ts';
import { jsonSample } from './surroundings.ts';

export const fineGrained = 'github_pat_11AAAAAAA0thisIsTheTokenOfTheTest_0001';

/** What GitHub’s runtime answers of an account without a fault, with the headers of OpenAI’s two formats. */
export function endpointFor(token: string, baseUrl: URL, changes: Partial<ProviderEndpoint> = {}): ProviderEndpoint {
  return {
    baseUrl,
    headers: {
      'Copilot-Integration-Id': 'copilot-sdk',
      'Copilot-Harness-Id': 'copilot-sdk',
      'X-Interaction-Id': '0c1b2a30-0000-4000-8000-000000000001',
      'User-Agent': 'copilot/1.0.85 (linux unknown) term/unknown',
      'Editor-Version': 'copilot/1.0.85',
      'X-GitHub-Api-Version': '2026-08-01',
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'Openai-Intent': 'conversation-agent',
      'X-Initiator': 'user',
      Authorization: `Bearer ${token}`,
    },
    runtimeVersion: '1.0.85',
    host: 'github.com',
    login: 'octocat',
    plan: 'individual_pro',
    user: jsonSample('copilot_internal-user-student-token-billing.json'),
    ...changes,
  };
}

/** A runtime that is asked as often as it likes: `answers` in turn, the last one for ever. */
export class FakeRuntime implements RuntimeWay {
  readonly asked: RuntimeCredential[] = [];
  answers: RuntimeAnswer[] = [];
  ownClientId: string | null = null;

  async ask(credential: RuntimeCredential): Promise<RuntimeAnswer> {
    this.asked.push(credential);
    const answer = this.answers[Math.min(this.asked.length, this.answers.length) - 1];
    if (answer === undefined) throw new Error('nobody should ask the runtime');
    return answer;
  }
  autoAnswers: AutoAnswer[] = [];
  readonly autoAskedWith: string[] = [];
  async auto(githubToken: string): Promise<AutoAnswer> {
    this.autoAskedWith.push(githubToken);
    const answer = this.autoAnswers[Math.min(this.autoAskedWith.length, this.autoAnswers.length) - 1];
    if (answer === undefined) throw new Error('nobody should ask the runtime for Auto');
    return answer;
  }
  clientId(): string | null {
    return this.ownClientId;
  }
  copilotHome(): string {
    return '/home/octocat/.copilot';
  }
}

/** GitHub's runtime for a whole app: it lets in whoever brings the simulator's own token, and no one else. */
export class FakeInstalledRuntime {
  readonly package = {
    ...{ name: '@github/copilot-sdk-test', version: '1.0.14', integrity: 'sha512-', bytes: 46_892_059, programs: {} },
  };
  readonly asked: RuntimeCredential[] = [];
  isHere = true;
  fetched = 0;
  /** Instead of a fetch that works. */
  trouble: Error | null = null;
  /** Set once there is a simulator. */
  simulator: { ownToken: string; copilotUrl: string } = { ownToken: '', copilotUrl: '' };

  async installed(): Promise<string | null> {
    return this.isHere ? '/cache/runtime' : null;
  }
  async fetch(): Promise<void> {
    if (this.trouble !== null) throw this.trouble;
    this.fetched += 1;
    this.isHere = true;
  }
  async ask(credential: RuntimeCredential): Promise<RuntimeAnswer> {
    this.asked.push(credential);
    const { ownToken, copilotUrl } = this.simulator;
    if (credential.kind === 'token' && credential.token === ownToken) {
      return { ok: true, endpoint: endpointFor(ownToken, new URL(copilotUrl)) };
    }
    const words = { message: 'GitHub refused it.', remedy: 'Make another.' };
    return { ok: false, failure: { kind: 'token-refused', status: 401, ...words } };
  }
  /** As the real one: it asks Copilot, without a word of a prompt. */
  async auto(githubToken: string): Promise<AutoAnswer> {
    const { headers } = endpointFor(githubToken, new URL(this.simulator.copilotUrl));
    const body = JSON.stringify({ auto_mode: { model_hints: ['auto'] } });
    const answer = await fetch(`${this.simulator.copilotUrl}/models/session`, { method: 'POST', headers, body });
    if (answer.status !== 200) return { ok: true, session: null };
    const { session_token: token, selected_model: model, expires_at } = await answer.json();
    return { ok: true, session: { header: 'Copilot-Session-Token', token, model, expiresAt: expires_at * 1000 } };
  }
}
