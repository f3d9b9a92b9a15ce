import { dayAndTime } from '../words/times.ts';

/** Clients whose key doesn't open the door: what they are told, and which they were. */

/** How a client's refusal names its lines, and how its key gets into the right header. */
export interface ClientLines {
  name: string;
  command: string;
  header: string;
}

export const claudeCodeLines: ClientLines = {
  name: 'Claude Code',
  command: 'jumpseat env',
  header: 'in Claude Code set ANTHROPIC_AUTH_TOKEN, not ANTHROPIC_API_KEY',
};
export const openaiLines: ClientLines = {
  name: 'OpenAI clients',
  command: 'jumpseat env --for openai',
  header: 'OpenAI clients do that with the key in OPENAI_API_KEY',
};
export const mcpLines: ClientLines = {
  name: 'MCP clients',
  command: 'jumpseat env --for mcp',
  header: '"jumpseat env --for mcp" prints the lines',
};

export type Refusal = (client: ClientLines) => string;

/** For a person with a browser. */
export const noPage: Refusal = () =>
  'Jumpseat: this address is for programs, and no key was sent. "jumpseat dashboard" prints a link to the dashboard.';
export const noKey: Refusal = ({ name, command }) =>
  `Jumpseat: no key was sent. Copy the lines for ${name} ("${command}").`;
export const wrongKey: Refusal = ({ name, command }) =>
  `Jumpseat: this key isn’t mine. Copy the lines for ${name} again ("${command}").`;
/** Claude Code's settings.json counts more than the environment, so lines pasted into a shell may change nothing. */
export const wrongKeyOfSetup: Refusal = (client) =>
  client === claudeCodeLines
    ? 'Jumpseat: this key isn’t mine. Run "jumpseat setup claude-code" again. If you pasted lines instead, copy them ' +
      'again ("jumpseat env").'
    : wrongKey(client);
export const withoutLabel: Refusal = () =>
  'Jumpseat: a name is missing after the key. Send KEY.NAME, for example with “my-app” as the name.';
export const noName =
  (label: string): Refusal =>
  () =>
    `Jumpseat: the key is right, but “${printable(asUtf8(label)).slice(0, 64)}” can’t be the name after it. A name has up to 64 ` +
    'letters A–Z, digits, “.”, “_” and “-”, and begins with a letter or digit.';
export const expiredKey =
  (name: string, at: number): Refusal =>
  () =>
    `Jumpseat: the key “${name}” expired on ${dayAndTime(at)}. Create a new key with "jumpseat keys create".`;
export const revokedKey: Refusal = () =>
  'Jumpseat: this key was revoked, or another Jumpseat made it. Create a new key with "jumpseat keys create".';
export const keyWithoutName =
  (name: string, clients: readonly string[]): Refusal =>
  () =>
    `Jumpseat: a name is missing after the key “${name}”, which is for ${clients.join(' and ')}. ` +
    `Send KEY.NAME, for example with “${clients[0]}” as the name.`;
export const keyOfOthers =
  (name: string, clients: readonly string[], client: string): Refusal =>
  () =>
    `Jumpseat: the key “${name}” is for ${clients.join(' and ')}, and not for “${printable(client)}”. ` +
    'Send the name that it is for, or another key.';
export const otherHeader: Refusal = ({ header }) =>
  `Jumpseat: the key came in the header x-api-key. Send the same value as "Authorization: Bearer …"; ${header}.`;

/** Node reads a header's bytes as Latin-1; most programs send UTF-8. */
function asUtf8(header: string): string {
  const text = Buffer.from(header, 'latin1').toString();
  return text.includes('\ufffd') ? header : text;
}

/** A label is shown in terminals: what steers one is no part of a name. */
export function printable(label: string): string {
  return label.replace(/\p{Cc}/gu, '?');
}

/** Names after the key come from whoever asks, so only so many are held. */
const mostNames = 100;

/** Clients that showed another key than Jumpseat's, by the name after it; in memory, with the time of the last one. */
export class RefusedClients {
  readonly #times = new Map<string, number>();

  note(client: string, at: number): void {
    this.#times.delete(client);
    this.#times.set(client, at);
    const [oldest] = this.#times.keys();
    if (this.#times.size > mostNames && oldest !== undefined) this.#times.delete(oldest);
  }

  get size(): number {
    return this.#times.size;
  }

  /** ms since the epoch; null if it showed the right one. */
  at(client: string): number | null {
    return this.#times.get(client) ?? null;
  }
}
