import { z } from 'zod';
import { sentenceSchema } from './call.ts';
import { linesFor, placeLines, settingsBlocks, shells } from './names.ts';

export const shellSchema = z.enum(shells);
export type Shell = z.infer<typeof shellSchema>;

export type PlaceLines = (typeof placeLines)[number];

export const linesForSchema = z.enum(linesFor);
export type LinesFor = z.infer<typeof linesForSchema>;

export function isPlaceLines(what: LinesFor): what is PlaceLines {
  return placeLines.some((place) => place === what);
}

/** A hundred years, to keep all conversations. */
export const mostKeepDays = 36_500;

/** Keys that a setup writes only if a person chose them. Undo removes all keys, or these alone if they are named. */
export const setupChoicesSchema = z.strictObject({
  /** WebFetch loads pages without asking Anthropic about their domains first. Left out: that key isn't touched. */
  skipWebFetchPreflight: z.boolean().exactOptional(),
  /** Claude Code's status line shows ours, beside the one that is there. Left out: that key isn't touched. */
  statusLine: z.boolean().exactOptional(),
  /** Days after which Claude Code deletes its conversations. Left out: that key isn't touched. */
  keepDays: z.number().int().min(1).max(mostKeepDays).exactOptional(),
  /** The file is made its owner's alone (mode 0600), whoever can read it now. */
  closed: z.boolean().exactOptional(),
});
export type SetupChoices = z.infer<typeof setupChoicesSchema>;

const settingsBlockSchema = z.enum(settingsBlocks);
export type SettingsBlock = z.infer<typeof settingsBlockSchema>;

/** What setting up Claude Code, or undoing that, would change in its settings.json. Secrets are dots. */
export const setupPlanSchema = z.object({
  /** For `applySetup`. */
  id: z.string(),
  /**
   * For `applySetup` as well, where other users can read the file: it is closed for them too (mode 0600). The note
   * `open` says why.
   */
  privateId: z.string().nullable(),
  action: z.enum(['setup', 'undo']),
  /** `~/.claude/settings.json` */
  shown: z.string(),
  changes: z.array(
    z.object({
      name: z.string(),
      /** Below `env`, or beside it. */
      place: z.enum(['env', 'beside']),
      /** `same`: holds the value already. `left`: was ours, holds another value now, is left alone. */
      kind: z.enum(['add', 'replace', 'same', 'remove', 'restore', 'left']),
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
  changesFile: z.boolean(),
  backupFolder: z.string().nullable(),
  removesFile: z.boolean(),
  /** There is no such file yet: the setup makes it. */
  createsFile: z.boolean(),
  /** Objects that the setup makes in the file, or the undo takes out of it. */
  changedBlocks: z.array(settingsBlockSchema),
  /** Names whose earlier values cannot be put back. */
  lost: z.array(z.string()),
  /** Keys of Jumpseat's are in the file now. */
  isSetUp: z.boolean(),
  /** WebFetch doesn't ask Anthropic before it loads a page, by the file as it is now. */
  skipsWebFetchPreflight: z.boolean(),
  /**
   * What a person should know of it, in sentences. `open`: other users can read the file; at most one. `models`: what
   * the lines name instead of a model that the account lacks. `shell`: a variable of the shell is in the way; at most
   * one.
   */
  notes: z.array(z.object({ kind: z.enum(['open', 'models', 'shell']), text: sentenceSchema })),
});
export type SetupPlan = z.infer<typeof setupPlanSchema>;

/** Our settings, Claude Code's, and the shell file that a finding names. */
export const knownFileSchema = z.enum(['settings', 'claude-code', 'shell-variable']);
export type KnownFile = z.infer<typeof knownFileSchema>;

/** Programs, besides Claude Code, whose settings Jumpseat writes into, by the name that a command takes. */
export const clientNameSchema = z.enum([
  ...['codex', 'opencode', 'continue', 'cline', 'aider', 'crush', 'goose', 'roo'],
  ...['vscode', 'zed', 'jetbrains', 'claude-desktop'],
] as const);
export type ClientName = z.infer<typeof clientNameSchema>;

/** How a program uses Jumpseat: for models, as an agent (ACP), or for tools (MCP). */
export const clientUseSchema = z.enum(['models', 'agent', 'mcp']);
export type ClientUse = z.infer<typeof clientUseSchema>;

/** A program and what is known of it on this machine. */
export const clientSchema = z.object({
  name: clientNameSchema,
  /** `VS Code` */
  title: z.string(),
  /** Its client label in the log. */
  label: z.string(),
  /** The first one is set up unless another is asked for. */
  uses: z.array(
    z.object({
      use: clientUseSchema,
      /** `~/.codex/config.toml`; several where the program needs them together. */
      files: z.array(z.string()),
      /**
       * `changed`: some of what was written holds something else now. `elsewhere`: it leads to another address, or with
       * another key. `unreadable`: the file can’t be read.
       */
      state: z.enum(['set-up', 'changed', 'elsewhere', 'not-set-up', 'unreadable']),
      /** Who wrote it. `hand`: no record of Jumpseat's has it. Null: nobody. */
      by: z.enum(['jumpseat', 'hand']).nullable(),
      /** Why the program doesn’t reach Jumpseat, with the entry and its file. Null if nothing is wrong. */
      trouble: sentenceSchema.nullable(),
    }),
  ),
  /** Its command or its folder is there. */
  isInstalled: z.boolean(),
});
export type Client = z.infer<typeof clientSchema>;

/** A program whose command is on the PATH; null: it says no version. */
export const clientVersionSchema = z.object({
  name: z.union([z.literal('claude-code'), clientNameSchema]),
  version: z.string().nullable(),
});
export type ClientVersion = z.infer<typeof clientVersionSchema>;

/** A preview of setting up a program, or of undoing that. Secrets are dots. */
export const clientPlanSchema = z.object({
  /** For `applyClient`. */
  id: z.string(),
  name: clientNameSchema,
  title: z.string(),
  action: z.enum(['setup', 'undo']),
  files: z.array(
    z.object({
      /** `~/.codex/config.toml` */
      shown: z.string(),
      /** The lines that change, and none beside them: those may hold secrets of the person’s. */
      difference: z.array(z.object({ kind: z.enum(['added', 'removed', 'skipped']), text: z.string() })),
      change: z.enum(['none', 'write', 'create', 'remove']),
      /** Names of what was ours, holds something else now, and is left alone. Unrecorded: of what may be ours. */
      left: z.array(z.string()),
      /** Values that Jumpseat replaced are lost: the copy of the file is gone. */
      isBackupGone: z.boolean(),
      /** No record says that the entries are Jumpseat's: they bear its name, or lead to it. */
      isUnrecorded: z.boolean(),
    }),
  ),
  /** Where a copy of the file is kept; null if none is needed. */
  backupFolder: z.string().nullable(),
  /** A sentence on the file's mode, where it changes: others must not read the key in it. */
  modeNote: sentenceSchema.nullable(),
  /** The person's next step in the program; after an undo, the parts that can’t be undone. */
  next: sentenceSchema.nullable(),
  /** Profiles of the program that have models of their own, and aren’t changed. */
  profiles: z.array(z.string()),
  /** The file of an organization that wins over the person’s. */
  managedBy: z.string().nullable(),
});
export type ClientPlan = z.infer<typeof clientPlanSchema>;
