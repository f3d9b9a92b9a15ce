import { z } from 'zod';
import { effortsInOrder } from '../formats/translation/effort.ts';
import { sentenceSchema } from './call.ts';

/**
 * What a person says of a part of their requests: a limit, or a rule for the model, effort and account that they use.
 */

const scopeName = z.string().min(1).max(100);

const wholePath = /^(?:~(?:$|[/\\])|[/\\]|[a-z]:[/\\])/i;

/** All that is named has to hold. */
const requestScopeShape = {
  /** The label of the local key: `codex`. */
  client: scopeName.exactOptional(),
  /** Name of a further local key. */
  key: scopeName.exactOptional(),
  /** Its sessions and those of the folders in it. `~` is the home folder. */
  folder: z
    .string()
    .max(1_000)
    .refine((path) => wholePath.test(path), 'it has to be a whole path, such as ~/shop')
    .exactOptional(),
  /** Part of the model's name: `opus`. */
  model: scopeName.exactOptional(),
};

const amount = z.number().positive().max(1_000_000);

/** The scope of a limit; `model` is a part of the id that the request ran on. All that is named has to hold. */
const limitScopeSchema = z.strictObject({
  ...requestScopeShape,
  /** Name of one of several accounts. */
  account: scopeName.exactOptional(),
});
export type LimitScope = z.infer<typeof limitScopeSchema>;

const scopes = ['client', 'key', 'account', 'folder', 'model'] as const;

const limitAmountShape = {
  credits: amount.exactOptional(),
  premiumRequests: amount.exactOptional(),
  per: z.enum(['day', 'month']),
  action: z.enum(['warn', 'stop']),
};

function countsOne({ credits, premiumRequests }: { credits?: number; premiumRequests?: number }): boolean {
  return (credits === undefined) !== (premiumRequests === undefined);
}
const countsOneWords = 'it has to name credits or premiumRequests, and not both';

export const limitRuleSchema = z
  .strictObject({ ...limitScopeSchema.shape, ...limitAmountShape })
  .refine((rule) => scopes.some((scope) => rule[scope] !== undefined), `it has to name one of ${scopes.join(', ')}`)
  .refine(countsOne, countsOneWords);
export type LimitRule = z.infer<typeof limitRuleSchema>;

/** The most that the requests which follow a rule may use. */
const limitAmountSchema = z.strictObject(limitAmountShape).refine(countsOne, countsOneWords);
export type LimitAmount = z.infer<typeof limitAmountSchema>;

/** The classes that a rule can be for. A workflow's requests are a subagent's, a side reply is auxiliary. */
const ruleClassSchema = z.enum(['main', 'subagent', 'compaction', 'auxiliary']);
export type RuleClass = z.infer<typeof ruleClassSchema>;

/** Which requests it is for; `model` is a part of the name that the client asks for. Nothing named: all of them. */
export const ruleScopeSchema = z.strictObject({ ...requestScopeShape, class: ruleClassSchema.exactOptional() });
export type RuleScope = z.infer<typeof ruleScopeSchema>;

/** Requests that a limit counts: those of its scope, or those that followed the rule with this scope. */
export const countedScopeSchema = z.strictObject({ ...limitScopeSchema.shape, rule: ruleScopeSchema.exactOptional() });
export type CountedScope = z.infer<typeof countedScopeSchema>;

const modelName = z.string().min(1).max(200);

const ruleUseSchema = z
  .strictObject({
    model: modelName.exactOptional(),
    effort: z.enum(effortsInOrder).exactOptional(),
    /** Name of one of the person's accounts. */
    account: scopeName.exactOptional(),
    /** The model where Copilot, or a limit of the person's, refuses the first. */
    fallback: modelName.exactOptional(),
    /** Counts the requests that follow the rule, whatever they run on. */
    limit: limitAmountSchema.exactOptional(),
  })
  .refine((use) => Object.keys(use).length > 0, 'it has to name a model, an effort, an account, a fallback or a limit');
export type RuleUse = z.infer<typeof ruleUseSchema>;

export const modelRuleSchema = z.strictObject({ when: ruleScopeSchema, use: ruleUseSchema });
export type ModelRule = z.infer<typeof modelRuleSchema>;

/** A request that is only thought of. */
export const imaginedRequestSchema = z.strictObject({
  model: modelName,
  client: scopeName.exactOptional(),
  key: scopeName.exactOptional(),
  folder: requestScopeShape.folder,
  class: ruleClassSchema.exactOptional(),
});
export type ImaginedRequest = z.infer<typeof imaginedRequestSchema>;

/** The result of a trial. */
export const ruleTrialSchema = z.object({
  /** Place of the first rule that is for it, from 1 on; null if none is. */
  rule: z.number().int().nullable(),
  /** Id of the model that it would run on; null if it would be refused. */
  model: z.string().nullable(),
  effort: z.string().nullable(),
  /** Name of the account; null if there is only one. */
  account: z.string().nullable(),
  fallback: z.string().nullable(),
  /** The same in sentences: which rule and why, then what it uses, then what can't be used. */
  sentences: z.array(sentenceSchema),
  /** The next step, if the request would be refused. */
  remedy: sentenceSchema.nullable(),
});
export type RuleTrial = z.infer<typeof ruleTrialSchema>;
