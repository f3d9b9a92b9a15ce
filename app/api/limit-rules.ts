import { z } from 'zod';

/** A limit of a person's own for a part of their requests. */

const name = z.string().min(1).max(100);
const amount = z.number().positive().max(1_000_000);

const wholePath = /^(?:~(?:$|[/\\])|[/\\]|[a-z]:[/\\])/i;

/** What a limit is for. All that is named has to hold. */
export const limitScopeSchema = z.strictObject({
  /** The label of the local key: `codex`. */
  client: name.exactOptional(),
  /** Name of a further local key. */
  key: name.exactOptional(),
  /** Name of one of several accounts. */
  account: name.exactOptional(),
  /** Its sessions and those of the folders in it. `~` is the home folder. */
  folder: z
    .string()
    .max(1_000)
    .refine((path) => wholePath.test(path), 'it has to be a whole path, such as ~/shop')
    .exactOptional(),
  /** Part of the model's id: `opus`. */
  model: name.exactOptional(),
});
export type LimitScope = z.infer<typeof limitScopeSchema>;

const scopes = ['client', 'key', 'account', 'folder', 'model'] as const;

export const limitRuleSchema = z
  .strictObject({
    ...limitScopeSchema.shape,
    credits: amount.exactOptional(),
    premiumRequests: amount.exactOptional(),
    per: z.enum(['day', 'month']),
    action: z.enum(['warn', 'stop']),
  })
  .refine((rule) => scopes.some((scope) => rule[scope] !== undefined), `it has to name one of ${scopes.join(', ')}`)
  .refine(
    ({ credits, premiumRequests }) => (credits === undefined) !== (premiumRequests === undefined),
    'it has to name credits or premiumRequests, and not both',
  );
export type LimitRule = z.infer<typeof limitRuleSchema>;
