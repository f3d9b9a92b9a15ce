import { pointsAtOurselves } from '../circle.ts';
import { putValue, removeValue, type SettingsValue } from '../settings-text.ts';
import { type FileRecord, hashOf } from '../setup-record.ts';
import { backedUp } from './backups.ts';
import type { SetupPlace } from './plan.ts';

export function isOurs(
  known: FileRecord | null,
  name: string,
  value: unknown,
  variables: Readonly<Record<string, string>>,
): boolean {
  return stillOurs(known, name, value) || isOurAddressOrKey(name, value, variables);
}

export function stillOurs(known: FileRecord | null, name: string, value: unknown): boolean {
  const key = known?.keys[name];
  return known !== null && key !== undefined && value !== undefined && key.wrote === hashOf(known.salt, value);
}

/** Ours even where no record says so: pasted by hand, or the record was lost. */
function isOurAddressOrKey(name: string, value: unknown, variables: Readonly<Record<string, string>>): boolean {
  if (typeof value !== 'string') return false;
  if (name === 'ANTHROPIC_BASE_URL') {
    const port = portOf(variables[name] ?? '');
    return port !== null && pointsAtOurselves(value, port);
  }
  const key = (variables.ANTHROPIC_AUTH_TOKEN ?? '').split('.')[0];
  return name === 'ANTHROPIC_AUTH_TOKEN' && !!key && value.startsWith(`${key}.`);
}

export async function withoutOurs(
  place: SetupPlace,
  known: FileRecord | null,
  text: string,
  own: ReadonlySet<string>,
): Promise<{ text: string; restored: Map<string, SettingsValue>; lost: string[] }> {
  const restored = new Map<string, SettingsValue>();
  const lost: string[] = [];
  let now = text;
  // Last written, first removed: each key goes with exactly the comma and the line that came with it.
  for (const name of [...own].reverse()) {
    const backup = known?.keys[name]?.backup ?? null;
    const old = backup === null ? undefined : await backedUp(place.paths.backups, backup, name);
    if (backup !== null && !old) lost.push(name);
    if (old && !stillOurs(known, name, old.value)) {
      restored.set(name, old);
      now = putValue(now, name, old.raw);
    } else {
      now = removeValue(now, name);
    }
  }
  return { text: now, restored, lost };
}

export function portOf(address: string): number | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}
