import { onTestFinished } from 'vitest';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../../app/simulator/simulator.ts';

export const editor = { 'editor-version': 'vscode/1.139.1' };

/** A simulator that closes with the test. */
export async function simulate(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator(options);
  onTestFinished(() => simulator.close());
  return simulator;
}

export async function mint(simulator: Simulator): Promise<{ token: string; endpoints: { api: string } }> {
  const answer = await fetch(`${simulator.apiUrl}/copilot_internal/v2/token`, {
    headers: { authorization: `token ${simulator.githubToken}` },
  });
  if (answer.status !== 200) throw new Error(`mint: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}

/** A well-behaved client of the simulated Copilot. */
export class Client {
  readonly simulator: Simulator;
  token: string;
  url: string;

  constructor(simulator: Simulator, token: string, url: string) {
    this.simulator = simulator;
    this.token = token;
    this.url = url;
  }

  static async of(simulator: Simulator): Promise<Client> {
    const { token, endpoints } = await mint(simulator);
    return new Client(simulator, token, endpoints.api);
  }

  headers(more: Record<string, string> = {}): Record<string, string> {
    return { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', ...editor, ...more };
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url + path, { headers: this.headers(headers) });
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    return fetch(this.url + path, {
      method: 'POST',
      headers: this.headers({ 'x-initiator': 'user', ...headers }),
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** A small prompt to the native path. */
  ask(words: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Response> {
    return this.post('/v1/messages', { ...question(words), ...more }, headers);
  }
}

export function question(words: string): Record<string, unknown> {
  return { model: 'claude-sonnet-4.6', max_tokens: 1000, messages: [{ role: 'user', content: words }] };
}

/** The events of a finished stream. */
export function eventsOf(text: string): { event: string | null; data: unknown }[] {
  return text
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => {
      const event = /^event: (.*)$/m.exec(frame)?.[1] ?? null;
      const data = /^data: (.*)$/m.exec(frame)?.[1] ?? '';
      return { event, data: data === '[DONE]' ? data : JSON.parse(data) };
    });
}
