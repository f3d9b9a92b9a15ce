import { z } from 'zod';
import { type GroupOf, isRow, type SettingRow, type ShapesOf, windowSettings } from './setting-table.ts';
import { shellSchema } from './setup.ts';

/** Preferences: the settings that the window shows and changes, made from their table (setting-table.ts). */

/** `memory`: until the program ends. */
export const secretsStorageSchema = z.enum(['keychain', 'file', 'memory']);
export type SecretsStorage = z.infer<typeof secretsStorageSchema>;

/** A port that a person may choose. */
const chosenPortSchema = windowSettings.port.shape.unwrap();
export const fileOpenerSchema = windowSettings.sessions.openFilesWith.shape;
export type FileOpener = z.infer<typeof fileOpenerSchema>;

/** An organization's rule for a setting: its value, bounds of a number, or which values or entries it may have. */
export const managedRuleSchema = z.union([
  z.strictObject({ value: z.unknown() }).refine((rule) => rule.value !== undefined),
  z.strictObject({ allowed: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).min(1) }),
  z
    .strictObject({ min: z.number().exactOptional(), max: z.number().exactOptional() })
    .refine((rule) => rule.min !== undefined || rule.max !== undefined),
]);
export type ManagedRule = z.infer<typeof managedRuleSchema>;

const shapes = Object.fromEntries(
  Object.entries(windowSettings).map(([name, entry]) => [
    name,
    isRow(entry)
      ? entry.shape
      : z.object(Object.fromEntries(Object.entries(entry).map(([key, { shape }]) => [key, shape]))),
  ]),
) as ShapesOf<typeof windowSettings>;

/** What a person may set in the window, as it is now. */
export const preferencesSchema = z.object({
  ...shapes,
  port: z.number().int(),
  /** JUMPSEAT_PORT or --port overrides the port of the settings. */
  portFixed: z.boolean(),
  /** Perhaps with a port, where it was given from outside. */
  githubHost: z.string(),
  /** The variable that decides it; null if the settings do. */
  githubFixedBy: z.string().nullable(),
  ownShell: shellSchema,
  /** When the first run was gone through or skipped. */
  welcomedAt: z.number().nullable(),
  /** Secrets can be moved to another store; else it was chosen from outside. */
  storageIsFree: z.boolean(),
  /** The organization's rules by the names of settings; null: it has no policy. */
  managed: z
    .object({ organization: z.string().nullable(), path: z.string(), rules: z.record(z.string(), managedRuleSchema) })
    .nullable(),
  /** Names of further local keys. */
  keys: z.array(z.string()),
  /** What only the tray app has; null in a terminal's dashboard. */
  desktop: z
    .object({
      /** Null if the surroundings decide that themselves. */
      openAtLogin: z.boolean().nullable(),
      platform: z.string(),
      /** `Electron 45.4.1` */
      runtime: z.string(),
    })
    .nullable(),
});
export type Preferences = z.infer<typeof preferencesSchema>;

export type Theme = Preferences['theme'];
/** Zone in which times are shown. */
export type TimeZone = Preferences['timeZone'];
/** Shares of the quota, in percent used, from which it is said to be low and nearly gone. */
export type QuotaThresholds = Preferences['quotaThresholds'];
/** Notifications that the system may show while the window is out of sight. */
export type NotificationChoices = Preferences['notifications'];
/** The settings of sounds, one for each event. */
export const soundNameSchema = z.enum(['soundWaits', 'soundDone', 'soundFailed']);
export type SoundName = z.infer<typeof soundNameSchema>;
export const soundSchema = windowSettings.notifications.soundWaits.shape.unwrap();
/** Settings of the web search for clients. */
export type SearchSettings = Preferences['search'];
/** Settings for hosted sessions. */
export type SessionSettings = Preferences['sessions'];

type Partly<Shape extends z.ZodRawShape> = { [Name in keyof Shape]: z.ZodExactOptional<Shape[Name]> };
type ChangeShapes<Table> = {
  [Name in keyof Table]: Table[Name] extends SettingRow<infer Shape>
    ? z.ZodExactOptional<Shape>
    : z.ZodExactOptional<z.ZodObject<Partly<GroupOf<Table[Name]>>, z.core.$strict>>;
};

/** The same keys, each of which may be left out; so may those of a group. */
const changes = Object.fromEntries(
  Object.entries(shapes).map(([name, shape]) => [
    name,
    z.exactOptional(shape instanceof z.ZodObject ? partly(shape.shape) : shape),
  ]),
) as ChangeShapes<typeof windowSettings>;

function partly(shape: z.ZodRawShape): z.ZodObject {
  return z.strictObject(Object.fromEntries(Object.entries(shape).map(([name, each]) => [name, z.exactOptional(each)])));
}

/** Any part of it, within the groups too: what is left out stays, so that two changes at once don't undo each other. */
export const preferencesChangeSchema = z.strictObject({
  ...changes,
  port: chosenPortSchema.exactOptional(),
  /** The host as typed. Changing it signs out: nothing from one host is sent to another. */
  githubHost: z.string().max(200).exactOptional(),
  /** The person read who can reach `proxy.address`, and agreed; without it that setting can't be set. */
  agreedAddress: z.string().max(45).exactOptional(),
  /** The first run is over. */
  welcomed: z.literal(true).exactOptional(),
  /** The tray app alone. */
  openAtLogin: z.boolean().exactOptional(),
});
export type PreferencesChange = z.infer<typeof preferencesChangeSchema>;
