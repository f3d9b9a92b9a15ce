import { z } from 'zod';
import { problemSchema, sentenceSchema } from './call.ts';
import { clientLabelForm } from './names.ts';

/** GitHub's own words for refusing a Copilot token. */
const noticeSchema = z.object({
  id: z.string(),
  title: sentenceSchema,
  message: sentenceSchema,
  url: z.string().nullable(),
});
export type Notice = z.infer<typeof noticeSchema>;

/** Id of the notice for a stored sign-in that GitHub no longer accepts. A type: the window loads no schema for it. */
export type SignInRefusedId = 'sign-in-refused';

const deviceCodeSchema = z.object({
  userCode: z.string(),
  verificationUri: z.string(),
  expiresAt: z.number(),
});
export type DeviceCode = z.infer<typeof deviceCodeSchema>;

export const quotaSchema = z.object({
  /** `credits`: billed by use. `premium`: older plans that count premium requests. `unknown`: not reported. */
  world: z.enum(['credits', 'premium', 'unknown']),
  entitlement: z.number().nullable(),
  remaining: z.number().nullable(),
  percentRemaining: z.number().nullable(),
  unlimited: z.boolean(),
  overagePermitted: z.boolean().nullable(),
  overageUsed: z.number().nullable(),
  /** The only sure sign of being blocked besides a 402. */
  exhausted: z.boolean(),
  resetsAt: z.string().nullable(),
  asOf: z.number(),
});
export type Quota = z.infer<typeof quotaSchema>;

/** One of GitHub's usage windows, from its answer headers. */
export const usageWindowSchema = z.object({
  percentRemaining: z.number(),
  resetsAt: z.string().nullable(),
  asOf: z.number(),
});
export type UsageWindow = z.infer<typeof usageWindowSchema>;

export const accountStateSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('signed-out'),
    /** Where that is not simply so: the stored sign-in is for other hosts than those that are set now. */
    why: z.object({ text: sentenceSchema, remedy: sentenceSchema }).optional(),
  }),
  z.object({ kind: z.literal('signing-in'), code: deviceCodeSchema }),
  z.object({
    kind: z.literal('signed-in'),
    login: z.string().nullable(),
    plan: z.string().nullable(),
    sku: z.string().nullable(),
    /** Copilot's API host as GitHub named it. */
    apiHost: z.string().nullable(),
    /**
     * When what lets requests in was obtained, and until when it is used (null: until Copilot refuses it). Null: none
     * yet.
     */
    token: z.object({ mintedAt: z.number(), usableUntil: z.number().nullable() }).nullable(),
    /** GitHub issues no Copilot token: its own words. */
    notice: noticeSchema.nullable(),
  }),
]);
export type AccountState = z.infer<typeof accountStateSchema>;

/** Identity of requests at Copilot: VS Code, or GitHub's own runtime for other programs. */
export const waySchema = z.enum(['vscode', 'copilot-sdk']);
export type Way = z.infer<typeof waySchema>;

/**
 * With what a person is signed in. `vscode`: a token of VS Code's app. The others let in on the way `copilot-sdk`:
 * `own-app`: a token of the person's own OAuth app; `token`: one that they made at GitHub; `copilot-login`: what the
 * Copilot CLI stored.
 */
export const credentialKindSchema = z.enum(['vscode', 'own-app', 'token', 'copilot-login']);
export type CredentialKind = z.infer<typeof credentialKindSchema>;

/** GitHub's runtime, which is not part of Jumpseat: it is fetched when a person asks for it. */
const runtimeStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), version: z.string() }),
  /** `bytes`: how much would be fetched. `problem`: why the last try came to nothing. */
  z.object({
    kind: z.literal('absent'),
    version: z.string(),
    bytes: z.number().int(),
    problem: problemSchema.nullable(),
  }),
  z.object({ kind: z.literal('fetching'), received: z.number().int(), total: z.number().int().nullable() }),
  /** There is none for this system. */
  z.object({ kind: z.literal('unavailable'), text: sentenceSchema, remedy: sentenceSchema }),
]);
export type RuntimeState = z.infer<typeof runtimeStateSchema>;

export const admissionStateSchema = z.object({
  way: waySchema,
  /** Null on the way `copilot-sdk` if no sign-in is stored for it. */
  credential: credentialKindSchema.nullable(),
  /** The program that requests name, as they carry it. Null if unknown before the runtime was asked. */
  sentAs: z.object({ editor: z.string(), integration: z.string() }).nullable(),
  /** Copilot refused the endpoint, another one could not be had, and the last good one is still used. */
  kept: problemSchema.nullable(),
  runtime: runtimeStateSchema,
});
export type AdmissionState = z.infer<typeof admissionStateSchema>;

/** A person's name for one of their accounts. */
export const accountNameSchema = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}]{1,40}$/u, 'a name of 1 to 40 characters');

export const clientLabelSchema = z.string().regex(clientLabelForm);

/** One of the accounts side by side. */
export const ownAccountSchema = z.object({
  id: z.string(),
  /** The person's name for it, otherwise its login, otherwise `Account 2`. */
  name: z.string(),
  /** The clients with these labels go out with it, whichever account is in use. */
  labels: z.array(z.string()),
  /** All other clients go out with it. */
  isInUse: z.boolean(),
  state: accountStateSchema,
  /** Identity that its requests use. */
  admission: admissionStateSchema.omit({ runtime: true }),
  quota: quotaSchema.nullable(),
});
export type OwnAccount = z.infer<typeof ownAccountSchema>;

/** A new sign-in by the person. A token is stored in the secrets, and only once it was accepted. */
export const signInRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('vscode') }),
  z.strictObject({ kind: z.literal('own-app') }),
  z.strictObject({ kind: z.literal('token'), token: z.string().min(1).max(1000) }),
  z.strictObject({ kind: z.literal('copilot-login') }),
]);
export type SignInRequest = z.infer<typeof signInRequestSchema>;

export const signInResultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signed-in'), login: z.string().nullable() }),
  z.object({ kind: z.literal('denied') }),
  z.object({ kind: z.literal('expired') }),
  z.object({ kind: z.literal('cancelled') }),
  /**
   * The token can't be kept: GitHub was not asked, or its answer was let go. `AppState.secrets` says why: a keychain
   * that is locked may be unlocked; where there is none, secrets move to another store (`moveSecrets`) before it is
   * tried again.
   */
  z.object({ kind: z.literal('no-storage'), text: sentenceSchema, remedy: sentenceSchema }),
  z.object({ kind: z.literal('failed'), text: sentenceSchema, remedy: sentenceSchema }),
]);
export type SignInResult = z.infer<typeof signInResultSchema>;

/** How Copilot is reached: by Jumpseat itself, or by its extension in VS Code. Changed by a person alone. */
export const reachSchema = z.enum(['directly', 'through-vscode']);
export type Reach = z.infer<typeof reachSchema>;

/**
 * What is known of the window of VS Code whose extension serves. `absent`: none does. `unsafe`: what says where it
 * listens can't be trusted, for the reason in `why`. `no-copilot`, `no-consent`: it serves and can't use Copilot.
 */
const windowStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('unsafe'), why: sentenceSchema }),
  z.object({ kind: z.enum(['serving', 'no-copilot', 'no-consent']), port: z.number().int(), version: z.string() }),
]);
export type WindowState = z.infer<typeof windowStateSchema>;

/** `window`: only where requests go through it. */
export const reachStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('directly') }),
  z.object({ kind: z.literal('through-vscode'), window: windowStateSchema }),
]);
export type ReachState = z.infer<typeof reachStateSchema>;
