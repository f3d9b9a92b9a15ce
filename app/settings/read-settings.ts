import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isObject } from '../formats/wire/json.ts';
import type { Log } from '../ports.ts';
import { type AsWhom, markUnknown, saidAsWhom } from './as-whom.ts';
import { type Lowered, lowerFormerNumbers } from './former-bounds.ts';
import { dayStamp, keepAside } from './keep-aside.ts';
import { migrateSettings } from './migrations.ts';
import { type Settings, settingsSchema, settingsVersion } from './schema.ts';

/** settings.json as it stands on disk: what of it can be used, and what is to be said about the rest. */

/** Something about the settings that a person should know. Its code begins with `settings-`. */
export interface SettingsWarning {
  code: string;
  text: string;
  mend: string;
}

export type Reading =
  | { kind: 'missing' }
  /** `lost`: what it said as whom requests go out, and can't be read any more. */
  | { kind: 'broken'; why: string; lost: readonly AsWhom[] }
  | { kind: 'unreadable'; why: string }
  | Read;

export type Broken = Extract<Reading, { kind: 'broken' }>;

interface Read {
  kind: 'read';
  settings: Settings;
  /**
   * What the file holds under our keys and can't be used: the defaults are, and the file keeps it until the key is
   * changed here.
   */
  strange: Record<string, unknown>;
  /** Why, by name: `quotaThresholds.warning isn’t allowed (…)`. */
  reasons: readonly string[];
  /** Numbers that an earlier Jumpseat allowed: the most that is allowed now is used in their place. */
  lowered: readonly Lowered[];
}

export function defaults(): Settings {
  return settingsSchema.parse({});
}

export function readSettings(path: string): Reading {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? { kind: 'missing' } : { kind: 'unreadable', why: reasonOf(error) };
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // The parser's own words quote the file.
    const [, line] = /\(line (\d+) /.exec(reasonOf(error)) ?? [];
    const why = `it isn’t valid JSON${line === undefined ? '' : ` (line ${line})`}`;
    return { kind: 'broken', why, lost: saidAsWhom(text) };
  }
  if (!isObject(value)) return { kind: 'broken', why: 'it holds no settings', lost: [] };
  const strange: Record<string, unknown> = {};
  const reasons: string[] = [];
  const { file, lowered } = lowerFormerNumbers(migrateSettings(value));
  for (;;) {
    const parsed = settingsSchema.safeParse(file);
    if (parsed.success) return { kind: 'read', settings: parsed.data, strange, reasons, lowered };
    const issue = parsed.error.issues[0];
    const key = issue?.path[0];
    const why = `${issue?.path.join('.') ?? 'a value'} isn’t allowed (${issue?.message ?? 'invalid'})`;
    if (typeof key !== 'string' || !Object.hasOwn(file, key)) return { kind: 'broken', why, lost: saidAsWhom(text) };
    strange[key] = file[key];
    reasons.push(why);
    delete file[key];
  }
}

/** What there is to say about the file at the start. A broken one was kept aside. */
export function warningsAtStart(path: string, reading: Reading): SettingsWarning[] {
  switch (reading.kind) {
    case 'missing':
    case 'broken':
      return [];
    case 'unreadable':
      return [
        {
          code: 'settings-unreadable',
          text: `${basename(path)} can’t be read: ${reading.why}. The defaults are used.`,
          mend: `Make ${path} readable for your user; it is read again at once.`,
        },
      ];
    case 'read':
      return wrongValues(path, reading);
  }
}

/** And after it was changed: what can't be used then leaves in force what was. */
export function warningsOf(path: string, reading: Reading): SettingsWarning[] {
  if (reading.kind === 'missing') return [];
  if (reading.kind === 'read') return wrongValues(path, reading);
  return [
    {
      code: 'settings-not-taken',
      text: `${basename(path)} was changed and can’t be used: ${reading.why}. What was in force before still is.`,
      mend: `Mend ${path}; it is read again at once.`,
    },
  ];
}

function wrongValues(path: string, { settings, strange, reasons, lowered }: Read): SettingsWarning[] {
  const name = basename(path);
  const lower = lowered.map(({ key, is, most }) => ({
    code: 'settings-lowered',
    text: `In ${name}, ${key} is ${is}, and ${most} is the most. ${most} is used; the rest of the file holds.`,
    mend: `Mend it in ${path}, or choose another number in the window.`,
  }));
  const keys = Object.keys(strange);
  if (settings.version > settingsVersion) {
    const unused = keys.length === 0 ? '' : ` The defaults are used for ${keys.join(', ')}.`;
    return [
      {
        code: 'settings-newer',
        text: `${name} was written by a newer Jumpseat (version ${settings.version} of the file).${unused}`,
        mend: 'Update Jumpseat. Settings that only the newer one knows are kept.',
      },
    ];
  }
  if (keys.length === 0) return lower;
  return [
    ...lower,
    {
      code: 'settings-values',
      text:
        `In ${name}, ${reasons.join(', and ')}. The ${keys.length === 1 ? 'default is' : 'defaults are'} used ` +
        `in ${keys.length === 1 ? 'its' : 'their'} place; the rest of the file holds.`,
      mend: `Mend it in ${path}, or choose another value in the window.`,
    },
  ];
}

/** Another Jumpseat of the same folder finds it once it is read, so what it said as whom is marked in its place. */
export function keepBroken(path: string, { why, lost }: Broken, log: Log): SettingsWarning {
  const name = basename(path);
  try {
    const kept = keepAside(path, `broken-${dayStamp(Date.now())}`);
    log.write('warn', 'settings-kept-aside', { why, kept: basename(kept) });
    if (lost.length > 0) markUnknown(path, lost, kept);
    return {
      code: 'settings-broken',
      text: `${name} couldn’t be used: ${why}. The defaults are used; the file was kept as ${basename(kept)}.`,
      mend: `Mend ${basename(kept)}, put it back as ${name} and start Jumpseat again, or set what you need anew.`,
    };
  } catch (error) {
    return {
      code: 'settings-broken',
      text:
        `${name} couldn’t be used: ${why}. The defaults are used; the file couldn’t be kept aside ` +
        `(${reasonOf(error)}).`,
      mend: `Mend or remove ${path}, then start Jumpseat again.`,
    };
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
