/** What editors that speak the Agent Client Protocol are told to start. It finds the key by itself. */

const command = 'jumpseat';
const args = ['acp'];

/** For editors whose plugins take a command. */
export const editorCommand = `${[command, ...args].join(' ')}\n`;

/** A part of Zed's settings.json (zed.dev/docs/ai/external-agents). */
export function zedAgent(): string {
  return rendered({ agent_servers: { Jumpseat: { type: 'custom', command, args } } });
}

/** ~/.jetbrains/acp.json (jetbrains.com/help/ai-assistant/acp.html). */
export function jetbrainsAgent(): string {
  return rendered({ agent_servers: { Jumpseat: { command, args, env: {} } } });
}

function rendered(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
