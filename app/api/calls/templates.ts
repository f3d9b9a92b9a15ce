import { z } from 'zod';
import { both, type CallTable } from '../call.ts';

/** `all`: below Claude Code's own folder, for every one. `folder`: below the session's. */
const scopeSchema = z.enum(['all', 'folder']);

const id = z.string().min(1).max(100);
/** A command's name, as it is typed behind `/`. */
const nameSchema = z.string().regex(/^[A-Za-z][\w-]{0,63}$/);
const mostText = 64_000;

/** A file with a prompt, which Claude Code has as the command `/name`. */
const templateFileSchema = z.object({
  scope: scopeSchema,
  name: z.string(),
  path: z.string(),
  /** The whole file, front matter included. */
  raw: z.string(),
  /** Another one after each change. */
  version: z.string(),
});
export type TemplateFile = z.infer<typeof templateFileSchema>;

const templateFilesSchema = z.object({
  files: z.array(templateFileSchema),
  /** Whether the person trusts the session's folder: others may have written its files. */
  isTrusted: z.boolean(),
});
export type TemplateFiles = z.infer<typeof templateFilesSchema>;

const placed = z.strictObject({ session: id, scope: scopeSchema, name: nameSchema });

/** Prompts that a person keeps, in Claude Code's own files of commands. Read anew each time. */
export const templateCalls = {
  /** Those of the session's folder, and those for all. */
  templates: both(z.tuple([id]), templateFilesSchema),
  /** `replaces`: the version that it takes the place of; null: no file is there. Rejects where that isn't so. */
  writeTemplate: both(
    z.tuple([placed.extend({ raw: z.string().max(mostText), replaces: z.string().max(100).nullable() })]),
    templateFileSchema,
  ),
  /** Rejects where the file is another version by now. */
  deleteTemplate: both(z.tuple([placed.extend({ version: z.string().max(100) })]), z.void()),
} satisfies CallTable;
