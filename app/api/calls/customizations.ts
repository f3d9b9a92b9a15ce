import { z } from 'zod';
import { both, type CallTable } from '../call.ts';
import { addedSchema } from '../session-surroundings.ts';

/** Something in a plugin that runs a program, or may: `words` of a command, skill or agent. */
const programSchema = z.object({
  kind: z.enum(['hook', 'server', 'language-server', 'words']),
  /** `PostToolUse`, a server's name, or a file. */
  name: z.string(),
  /** Null if it isn't written in one line. */
  command: z.string().nullable(),
});
export type PluginProgram = z.infer<typeof programSchema>;

/** The contents of a plugin, read from its files. Nothing of it was run. */
const heldSchema = z.object({
  skills: z.array(z.string()),
  commands: z.array(z.string()),
  agents: z.array(z.string()),
  runs: z.array(programSchema),
});
export type Held = z.infer<typeof heldSchema>;

/**
 * Why something can't be loaded.
 * - `gone`: its folder is no longer there. `broken`: its files can't be read. `empty`: there is nothing to load in it.
 * - `marketplace`: it is a marketplace, and `detail` has its plugins.
 * - `not-here`: Claude Code knows the plugin, and its files aren't on this machine. `unknown`: it doesn't know it.
 * - `untrusted`: it lies in a folder that the person doesn't trust.
 * - `runs-here`: it runs programs, which would start in a folder that the person doesn't trust.
 * - `name-taken`: another one of its name is loaded.
 * - `not-by-agent`: this agent takes no such thing.
 * - `refused`: the agent did not load it, or a server does not answer; `detail` has its words.
 */
const whyNotSchema = z.object({
  code: z.enum([
    ...(['gone', 'broken', 'empty', 'marketplace', 'not-here', 'unknown', 'untrusted', 'runs-here'] as const),
    ...(['name-taken', 'not-by-agent', 'refused'] as const),
  ]),
  /** Words of others: of a parser, of the agent. */
  detail: z.string().nullable(),
});
export type WhyNot = z.infer<typeof whyNotSchema>;

/** Something that was added for a session, or for its folder. */
const customizationSchema = z.object({
  id: z.string(),
  added: addedSchema,
  /** The folder whose sessions have it, and those of folders below; null: this session alone has it. */
  folder: z.string().nullable(),
  /** The agent's name for it: `demo`. */
  name: z.string(),
  version: z.string().nullable(),
  description: z.string().nullable(),
  /** The folder of its files; null for a server. */
  path: z.string().nullable(),
  holds: heldSchema,
  /** In this session. */
  isOn: z.boolean(),
  /**
   * - `off`: switched off in this session. `next`: loaded with the next message. `loading`: now.
   * - `loaded`: the running process has it. `not-loaded`: it doesn't, or won't; see `why`.
   */
  state: z.enum(['off', 'next', 'loading', 'loaded', 'not-loaded']),
  /** Also of one that is loaded in part. */
  why: whyNotSchema.nullable(),
});
export type Customization = z.infer<typeof customizationSchema>;

export const customizationsSchema = z.object({
  customizations: z.array(customizationSchema),
  /** The session's folder, links resolved. */
  folder: z.string(),
  isTrusted: z.boolean(),
  /** Whether the session's agent loads plugins; it takes servers in any case. */
  takesPlugins: z.boolean(),
});
export type Customizations = z.infer<typeof customizationsSchema>;

/** A plugin before it is added, with what it would bring. */
const pluginOfferSchema = z.object({
  name: z.string(),
  version: z.string().nullable(),
  description: z.string().nullable(),
  /** The folder of its files; null if there is none. */
  path: z.string().nullable(),
  holds: heldSchema,
  /** The person trusts this folder, or Claude Code keeps it among its own files. */
  isTrusted: z.boolean(),
  why: whyNotSchema.nullable(),
});
export type PluginOffer = z.infer<typeof pluginOfferSchema>;

/** A plugin of a marketplace that Claude Code knows on this machine. */
const knownPluginSchema = z.object({
  /** `demo@market` */
  id: z.string(),
  name: z.string(),
  marketplace: z.string(),
  description: z.string().nullable(),
  /** Null: not on this machine. Nothing is downloaded to add it. */
  path: z.string().nullable(),
  isInstalled: z.boolean(),
  /** On in the person's own settings, in every session. */
  isOnEverywhere: z.boolean(),
});
export type KnownPlugin = z.infer<typeof knownPluginSchema>;

const id = z.string().min(1).max(100);
const ofSession = z.strictObject({ session: id });

/** What a person adds for a session or a folder: plugins and servers for MCP. Nothing is written into the folder. */
export const customizationCalls = {
  /** All that counts in a session, from its folder's and its own. Starts nothing. */
  customizations: both(z.tuple([id]), customizationsSchema),
  /** Plugins of the marketplaces that Claude Code knows on this machine. Asks no marketplace. */
  knownPlugins: both(z.tuple([]), z.array(knownPluginSchema)),
  /** What a plugin has, and which programs it would run, before it is added. Runs and loads nothing. */
  pluginOffer: both(
    z.tuple([z.discriminatedUnion('kind', [addedSchema.options[0], addedSchema.options[1]])]),
    pluginOfferSchema,
  ),
  /**
   * Counts from the next message on. `scope`: this session alone, or its folder and those below it. `trust`: the person
   * was shown what it runs, and trusts its folder from now on. Rejects where it can't be loaded as it is now.
   */
  addCustomization: both(
    z.tuple([ofSession.extend({ scope: z.enum(['session', 'folder']), added: addedSchema, trust: z.boolean() })]),
    z.void(),
  ),
  /** False: there is none of this id. */
  removeCustomization: both(z.tuple([ofSession.extend({ customization: id })]), z.boolean()),
  /** For this session alone, from its next message on. */
  switchCustomization: both(z.tuple([ofSession.extend({ customization: id, on: z.boolean() })]), z.void()),
} satisfies CallTable;
