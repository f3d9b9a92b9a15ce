import { readFile } from 'node:fs/promises';
import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { resolveSettings } from '@anthropic-ai/claude-agent-sdk';
import { managedSettingsFiles } from '../../../../claude-code/settings-file.ts';
import { isObject } from '../../../../formats/wire/json.ts';
import { decisiveVariables } from '../session-settings.ts';
import type { AdapterQuery, SessionParams } from './adapter.ts';

/** `data.kind` of the error if a session would send its prompts or its key elsewhere than to our proxy. */
const wrongProvider = 'wrong-provider';

/**
 * Before Claude Code is started, because it asks for models with the session's key at once. Managed settings win over
 * those of a session. Rejects with the setting and its file.
 */
export async function refuseManaged({ cwd, _meta: meta }: SessionParams): Promise<void> {
  const extra = meta?.claudeCode?.options?.extraArgs;
  const path = isObject(extra) && typeof extra.settings === 'string' ? extra.settings : null;
  const ours: unknown = path === null ? {} : JSON.parse(await readFile(path, 'utf8'));
  const managed = await resolveSettings({ cwd, settingSources: [] });
  await refuseOverridden(isObject(managed) ? managed.effective : {}, ours);
}

/** What runs says itself whom it would ask, before its first prompt. */
export async function refuseOthers(query: AdapterQuery): Promise<void> {
  await refuseOtherSettings(query);
  const { apiProvider, tokenSource } = await query.accountInfo();
  if (apiProvider === 'firstParty' && tokenSource === 'ANTHROPIC_AUTH_TOKEN') return;
  throw refusal(
    `Claude Code would have used ${apiProvider ?? 'an unknown provider'} with ${tokenSource ?? 'no token'}, not Jumpseat.`,
    'Look for a provider in Claude Code’s settings.json or in managed settings of this machine.',
    { apiProvider: apiProvider ?? null, tokenSource: tokenSource ?? null },
  );
}

/** Also called before each prompt, because Claude Code applies changed settings while it runs. */
export async function refuseOtherSettings(query: AdapterQuery): Promise<void> {
  const { effective, sources } = await query.getSettings().catch((error: unknown) => {
    throw refusal(
      `Claude Code didn’t say which settings are in force (${error instanceof Error ? error.message : String(error)}).`,
      'Choose the copy that Jumpseat fetches, in Settings → Sessions.',
    );
  });
  const ours = sources.find(({ source }) => source === 'flagSettings')?.settings;
  if (!environmentIn(ours).has('ANTHROPIC_BASE_URL')) {
    throw refusal('Claude Code didn’t read the settings of this session.', 'Send the message again.');
  }
  await refuseOverridden(effective, ours);
}

async function refuseOverridden(effective: unknown, ours: unknown): Promise<void> {
  const name = overridden(effective, ours);
  if (name === null) return;
  const file = await fileOf(name);
  throw refusal(
    `Prompts or the session’s key could go elsewhere: ${name} is set in ${file ?? 'managed settings of this machine'}.`,
    `Remove ${name} there, or ask who manages this machine.`,
    { setting: name, file },
  );
}

/** A decisive setting whose value is not ours; null if there is none. */
function overridden(effective: unknown, ours: unknown): string | null {
  const wanted = environmentIn(ours);
  for (const [name, value] of environmentIn(effective)) {
    // On Windows the case of a name doesn't matter.
    const known = decisiveVariables.find((one) => one === name) ?? name.toUpperCase();
    if (decisiveVariables.includes(known) && value !== (wanted.get(known) ?? '')) return name;
  }
  return isObject(effective) && effective.apiKeyHelper ? 'apiKeyHelper' : null;
}

function environmentIn(settings: unknown): Map<string, string> {
  const env = isObject(settings) && isObject(settings.env) ? settings.env : {};
  return new Map(Object.entries(env).map(([name, value]) => [name, String(value)]));
}

/** Null if it is in none of the files, but in a profile, the registry or with a server of the organization. */
async function fileOf(name: string): Promise<string | null> {
  for (const file of (await managedSettingsFiles(process.platform)).toReversed()) {
    const settings: unknown = await readFile(file, 'utf8')
      .then(JSON.parse, () => null)
      .catch(() => null);
    if (isObject(settings) && (name in settings || environmentIn(settings).has(name))) return file;
  }
  return null;
}

function refusal(message: string, remedy: string, data: object = {}): RequestError {
  const whole = `${message} The session was ended before anything was sent.`;
  return RequestError.internalError({ ...data, kind: wrongProvider, remedy }, whole);
}
