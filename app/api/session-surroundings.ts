import { z } from 'zod';

/**
 * Where a part of a session comes from. `agent`: it is the agent's own. `user`, `project`, `local`, `managed`: the
 * settings of the person, of the folder, of the person for the folder, and of the machine. `front`: who opened the
 * session brought it along. `added`: a person added it here. `jumpseat`: it is ours.
 */
const originSchema = z.object({
  kind: z.enum([
    'agent',
    'user',
    'project',
    'local',
    'managed',
    'plugin',
    'server',
    'front',
    'added',
    'jumpseat',
    'other',
  ]),
  /** Name of the plugin or the server; for `other`, the agent's own name for it. */
  name: z.string().nullable(),
  /** The file that has it; null if unknown. */
  path: z.string().nullable(),
});
export type Origin = z.infer<typeof originSchema>;

/** A command that is typed as `/name` at the beginning of a message. */
export const sessionCommandSchema = z.object({
  name: z.string(),
  description: z.string(),
  /** What may follow the name: `[issue description]`. */
  hint: z.string().nullable(),
  isSkill: z.boolean(),
  origin: originSchema,
  /** Its plugin was just added: the agent has the command from the next message on. */
  isComing: z.literal(true).exactOptional(),
});
export type SessionCommand = z.infer<typeof sessionCommandSchema>;

const offeredModelSchema = z.object({
  /** What `chooseForSession` takes: `opus`, or a model's id. */
  id: z.string(),
  /** The account's model that it runs on. */
  model: z.string(),
  /** Efforts that it knows; none: it has no such setting. */
  efforts: z.array(z.string()),
});
export type OfferedModel = z.infer<typeof offeredModelSchema>;

const offeredModeSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Nothing is asked. Chosen with `neverAsk` alone. */
  asksNothing: z.boolean(),
  /** Why it can't be chosen; null if it can. `root`: never for this user. `not-offered`: not with what it runs now. */
  refusal: z.enum(['root', 'not-offered']).nullable(),
});
export type OfferedMode = z.infer<typeof offeredModeSchema>;

/** What menus beside a session's messages offer. */
export const sessionOffersSchema = z.object({
  commands: z.array(sessionCommandSchema),
  /** True if its process reported the commands; otherwise the last ones reported in this folder, or anywhere. */
  areCommandsCurrent: z.boolean(),
  models: z.array(offeredModelSchema),
  modes: z.array(offeredModeSchema),
});
export type SessionOffers = z.infer<typeof sessionOffersSchema>;

const forceServerSchema = z.object({
  name: z.string(),
  /** `connected`, `failed`, `needs-auth`, `pending`, `disabled`, or another word of the agent's. */
  state: z.string(),
  /** Why it failed; null if it did not. */
  error: z.string().nullable(),
  tools: z.array(z.string()),
  origin: originSchema,
});

/** What runs in a session now, as its agent says it. */
const inForceSchema = z.object({
  models: z.array(z.object({ id: z.string(), model: z.string().nullable(), efforts: z.array(z.string()) })),
  agents: z.array(z.object({ name: z.string(), description: z.string(), origin: originSchema })),
  skills: z.array(z.object({ name: z.string(), description: z.string(), origin: originSchema })),
  commands: z.array(sessionCommandSchema),
  hooks: z.array(z.object({ event: z.string(), matcher: z.string(), command: z.string(), origin: originSchema })),
  servers: z.array(forceServerSchema),
  /** The person's plugins. A plugin that is off is off from the next message on, by its id in `pluginsOff`. */
  plugins: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      version: z.string().nullable(),
      path: z.string().nullable(),
      isOn: z.boolean(),
    }),
  ),
  /** Files of instructions: CLAUDE.md and the like. */
  memory: z.array(z.object({ path: z.string(), kind: z.string(), tokens: z.number() })),
  /** How full the conversation is, by what fills it; null if unknown. */
  context: z
    .object({
      total: z.number(),
      size: z.number(),
      /** As the agent calls it. */
      model: z.string().nullable(),
      /** `isSent`: it goes with each request; else room that is left, or kept for an answer or a compaction. */
      parts: z.array(z.object({ name: z.string(), tokens: z.number(), isSent: z.boolean() })),
    })
    .nullable(),
});
export type InForce = z.infer<typeof inForceSchema>;

/** `why`: nothing is in force without a process, or this agent does not tell. */
export const sessionInForceSchema = z.object({
  inForce: inForceSchema.nullable(),
  why: z.enum(['no-process', 'not-reported']).nullable(),
});
export type SessionInForce = z.infer<typeof sessionInForceSchema>;

/** What a person adds: a folder with a plugin, a plugin of a marketplace, or a server for MCP. */
const path = z.string().min(1).max(4_096);
const serverName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
export const addedSchema = z.discriminatedUnion('kind', [
  /** A folder that is a plugin, or has skills, agents or commands. */
  z.strictObject({ kind: z.literal('folder'), path }),
  /** `demo@market`, as `knownPlugins` has it. */
  z.strictObject({ kind: z.literal('plugin'), id: z.string().min(3).max(200) }),
  z.strictObject({
    kind: z.literal('command'),
    name: serverName,
    command: z.string().min(1).max(4_096),
    args: z.array(z.string().max(4_096)).max(100),
  }),
  z.strictObject({ kind: z.literal('address'), name: serverName, url: z.url({ protocol: /^https?$/ }).max(4_096) }),
]);
export type Added = z.infer<typeof addedSchema>;

/** A folder that a session may run in. */
export const folderFactsSchema = z.object({
  /** Path with its links resolved. */
  path: z.string(),
  /** Git branch; null without a repository. */
  branch: z.string().nullable(),
  /** Files that are not committed. Null: no repository, or an untrusted one, whose programs git might run for that. */
  uncommitted: z.number().int().nullable(),
  isTrusted: z.boolean(),
  /** What in it would run or be read as instructions if it were trusted, relative to it. */
  gives: z.array(z.string()),
  /** A home folder or the root of a disk. */
  isWide: z.boolean(),
});
export type FolderFacts = z.infer<typeof folderFactsSchema>;

/** A file that differs from the default branch. */
const branchFileSchema = z.object({
  /** Absolute. */
  path: z.string(),
  /** Null for a file that is no text, or too large to be read. */
  patch: z.string().nullable(),
  added: z.number().int(),
  removed: z.number().int(),
  isNew: z.boolean(),
  isDeleted: z.boolean(),
  /** Changes with the difference. */
  version: z.string(),
  /** A person accepted this version. */
  isAccepted: z.boolean(),
});
export type BranchFile = z.infer<typeof branchFileSchema>;

/** What the files of a repository differ in from where the branch left the default branch, committed or not. */
export const branchChangesSchema = z.object({
  /** Name of the default branch: `main`. */
  base: z.string(),
  files: z.array(branchFileSchema),
  /** False: there is more than is listed, or git did not list it. */
  isWhole: z.boolean(),
});
export type BranchChanges = z.infer<typeof branchChangesSchema>;

export const sessionFilesSchema = z.object({
  /** Relative to the session's folder, with `/`, without what git ignores. */
  files: z.array(z.string()),
  /** Whether that is all of them. */
  isWhole: z.boolean(),
});
export type SessionFileList = z.infer<typeof sessionFilesSchema>;

export const namedPathSchema = z.enum(['file', 'folder', 'gone']);
export type NamedPath = z.infer<typeof namedPathSchema>;

/** A file or folder that a session names. */
export interface PathInSession {
  /** Path with its links resolved. */
  path: string;
  /** True if it is in none of the session's folders. */
  isOutside: boolean;
  isFolder: boolean;
  /** Marked as a program. */
  isExecutable: boolean;
}

/** A file that an open question names, as it is on disk. */
const askedFileSchema = z.object({
  /** Path as the question names it. */
  named: z.string(),
  /** The same, absolute. */
  path: z.string(),
  /** Where links lead to from there; null if there are none. */
  leadsTo: z.string().nullable(),
  /** Outside of the session's folders, links and all. */
  isOutside: z.boolean(),
  state: z.enum(['there', 'missing', 'too-large', 'not-text', 'not-a-file', 'unreadable']),
  /** Text with line feeds only; null if it isn't shown for this question, or can't be. */
  text: z.string().nullable(),
  /** Null as for `text`. */
  lines: z.number().int().nullable(),
  /** When it was last written, ms since the epoch; null if unknown. */
  modifiedAt: z.number().nullable(),
  /** True if it is in a git repository that does not track it. */
  isUnknownToGit: z.boolean(),
});
export type AskedFile = z.infer<typeof askedFileSchema>;

export const askedFilesSchema = z.object({
  /** Changes when one of the files changes. */
  version: z.string(),
  files: z.array(askedFileSchema),
});
export type AskedFiles = z.infer<typeof askedFilesSchema>;
