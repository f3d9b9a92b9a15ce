import { z } from 'zod';
import { accountNameSchema, clientLabelSchema, credentialKindSchema } from '../api/account.ts';
import { storedKeySchema } from '../api/keys.ts';
import {
  isRow,
  otherSettings,
  type SettingRow,
  type SettingTable,
  type ShapesOf,
  windowSettings,
} from '../api/setting-table.ts';
import { furtherSlots } from '../ports.ts';
import { isGithubHost } from './github-addresses.ts';

/** The version that this program writes. A file without a version counts as the first. */
export const settingsVersion = 1;

/** One of several accounts side by side. Its tokens are in the secrets, under the number of its slot. */
const ownAccountSchema = z.object({
  id: z.string().regex(/^[a-z0-9]{1,16}$/),
  slot: z.union([z.literal(1), ...furtherSlots.map((slot) => z.literal(slot))]),
  /** Null for its login. */
  name: accountNameSchema.nullable().default(null),
  /** Labels of clients whose requests use this account, whichever account is in use. */
  labels: z.array(clientLabelSchema).default([]),
  /** Like `account` and the way in for the first account, which has none here. */
  signIn: z
    .object({
      login: z.string().nullable(),
      signedInAt: z.number().nullable(),
      credential: credentialKindSchema.nullable(),
    })
    .nullable()
    .default(null),
});

/** A row of what Jumpseat writes itself: no person sets it. */
function own<Shape extends z.ZodType>(shape: Shape, value: z.output<Shape>, help: string): SettingRow<Shape> {
  return { shape, default: value, help };
}

/**
 * What Jumpseat writes itself. In `told` is what is said once. `quota`: up to which share used, in percent, in the
 * cycle that ends at `resetsAt`. `world`: how the account was billed when it was looked at last. `goneModels`: in use,
 * and no longer in the catalog. `budgets`: up to which share (percent), in the month that ends at `until`.
 */
export const ownSettings = {
  version: own(
    z.number().int().positive(),
    settingsVersion,
    'Version of this file’s format; an older file is migrated.',
  ),
  account: own(
    z.object({ login: z.string().nullable(), signedInAt: z.number() }).nullable(),
    null,
    'Who is signed in, as a hint for other processes; the token is in the secrets alone.',
  ),
  sdkCredential: own(
    credentialKindSchema.exclude(['vscode']).nullable(),
    null,
    'With what you signed in on the way `copilot-sdk` last: `own-app`, `token` or `copilot-login`.',
  ),
  accounts: own(
    z.array(ownAccountSchema).max(furtherSlots.length + 1),
    [],
    'Your own accounts side by side: names, bound labels, and hints as above; their tokens are in the secrets alone. ' +
      'Change them in Settings → Account or with `jumpseat accounts`. While this can’t be used, nothing is sent: ' +
      'it would not be known with which account.',
  ),
  accountInUse: own(
    z.string().nullable(),
    null,
    'The id of the one in use; null: the first. While this can’t be used, nothing is sent.',
  ),
  lostAccounts: own(
    z.string().nullable(),
    null,
    'The damaged file that named your accounts, where `accounts.json` was damaged, too. ' +
      'Nothing is sent while it’s set: a sign-in or the choice of an account ends that.',
  ),
  keys: own(
    z.array(storedKeySchema).max(50),
    [],
    'Further local keys: names, for which clients, and hashes by which they are known; the keys are stored nowhere. ' +
      'Change them in Settings → Proxy or with `jumpseat keys`.',
  ),
  addressAgreed: own(z.string().nullable(), null, 'The `proxy.address` for which you agreed that others can reach it.'),
  overageDecided: own(
    z.object({ until: z.number(), allowed: z.boolean() }).nullable(),
    null,
    'Your answer to paid overage, and the end of the day for which it holds.',
  ),
  welcomedAt: own(z.number().nullable(), null, 'Time when the first run was gone through or skipped.'),
  linesCopied: own(z.boolean(), false, 'Whether lines for Claude Code were ever copied from the window or the tray.'),
  learnedSince: own(z.number().nullable(), null, 'Lessons from refusals before this time are forgotten.'),
  notice: own(
    z.object({ riskShownAt: z.number().nullable() }),
    { riskShownAt: null },
    'Time when the risk to the account was shown.',
  ),
  shownNotices: own(
    z.object({
      keepsRunning: z.boolean().default(false),
      noTray: z.boolean().default(false),
      withoutWindow: z.boolean().default(false),
      quota: z.object({ resetsAt: z.string().nullable(), used: z.number() }).nullable().default(null),
      world: z
        .object({ login: z.string(), world: z.enum(['credits', 'premium']) })
        .nullable()
        .default(null),
      goneModels: z.array(z.string()).default([]),
      budgets: z
        .array(z.object({ setting: z.string(), until: z.number(), share: z.number(), most: z.number().default(0) }))
        .default([]),
    }),
    {
      ...{ keepsRunning: false, noTray: false, withoutWindow: false },
      ...{ quota: null, world: null, goneModels: [], budgets: [] },
    },
    'Messages that are shown once and have been shown.',
  ),
} as const satisfies SettingTable;

/** Each row and each key of a group may be missing in the file: its default holds. Outputs are those of the shapes. */
function fieldsOf<Table extends SettingTable>(table: Table): ShapesOf<Table> {
  const fields = Object.entries(table).map(([name, entry]) => {
    if (isRow(entry)) return [name, withDefault(entry)];
    const rows = Object.entries(entry);
    const group = z.object(Object.fromEntries(rows.map(([key, row]) => [key, withDefault(row)])));
    return [name, group.default(group.parse({}, { jitless: true }))];
  });
  return Object.fromEntries(fields) as ShapesOf<Table>;
}

function withDefault(row: SettingRow): z.ZodType {
  return row.default === undefined ? row.shape : z._default(row.shape, row.default);
}

const chosen = fieldsOf(windowSettings);
const fields = {
  ...chosen,
  ...fieldsOf(otherSettings),
  ...fieldsOf(ownSettings),
  githubHost: z
    .string()
    .max(100)
    .refine(isGithubHost, 'it has to be github.com or your company’s host at GitHub, such as octo.ghe.com')
    .nullable()
    .default(null),
  quotaThresholds: chosen.quotaThresholds.refine(
    ({ warning, alarm }) => warning < alarm,
    'the second threshold has to be above the first',
  ),
};

/** Unknown keys are kept, so that a newer version finds its own again. */
export const settingsSchema = z.looseObject(fields);

/** What a person chose. Nothing secret is in here, and nothing that turns a user request into an agent request. */
export type Settings = z.infer<z.ZodObject<typeof fields>>;
export type AccountRecord = Settings['accounts'][number];

type SettingsStep = (file: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/**
 * Pure. `settingsSteps[0]` turns a file of version 1 into one of version 2, and so on. A step stays as it is once it
 * was released.
 */
export const settingsSteps: readonly SettingsStep[] = [];

/** The version that a file says it has. Without one it is the first: a hand-written file of a few keys is fine. */
export function versionOf(file: Readonly<Record<string, unknown>>): number {
  const version = file.version;
  return typeof version === 'number' && Number.isInteger(version) && version > 0 ? version : 1;
}

/** Brings a file up to the newest version; a file of a newer version is left as it is. */
export function migrateSettings(
  file: Readonly<Record<string, unknown>>,
  steps: readonly SettingsStep[] = settingsSteps,
): Record<string, unknown> {
  const from = versionOf(file);
  let current: Record<string, unknown> = { ...file };
  for (let version = from; version <= steps.length; version++) {
    const step = steps[version - 1];
    if (step) current = { ...step(current), version: version + 1 };
  }
  return current;
}
