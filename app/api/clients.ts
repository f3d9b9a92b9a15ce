import { z } from 'zod';
import { sentenceSchema } from './call.ts';

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
  /** What the program still needs of the person; of an undo, what it can’t take back. */
  next: sentenceSchema.nullable(),
  /** Profiles of the program that have models of their own, and aren’t changed. */
  profiles: z.array(z.string()),
  /** The file of an organization that wins over the person’s. */
  managedBy: z.string().nullable(),
});
export type ClientPlan = z.infer<typeof clientPlanSchema>;
