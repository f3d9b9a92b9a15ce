import { z } from 'zod';
import { sentenceSchema } from './call.ts';
import { pathSchema } from './exchange.ts';

/**
 * A model that requests ran on in the last 30 days, or that an override or a rule names, and that is not in the
 * catalog.
 */
export const goneModelSchema = z.object({
  model: z.string(),
  /** What clients ask for to get it. */
  asked: z.string(),
  /** Model that the name runs on now; null if it gets error 404. */
  runsOn: z.string().nullable(),
  /** Place of the rule that names it. Absent: no rule does. */
  rule: z.number().int().exactOptional(),
  /** Who doesn't allow it: `your organization (Octo Inc.)`. Absent: Copilot doesn't list it. */
  notAllowedBy: z.string().exactOptional(),
});
export type GoneModel = z.infer<typeof goneModelSchema>;

/**
 * Why a model is not here. `auto-only`: the plan lets GitHub choose. `plan`: it is part of other plans. `picker`:
 * GitHub does not offer it to choose. `not-allowed`: the settings hide it, usually by the organization's policy.
 * `other-way`: it was listed on the other way in.
 * `endpoint`: it has none that Jumpseat speaks. `type`: it is for no conversation.
 */
const absenceKindSchema = z.enum([
  'not-in-catalog',
  'auto-only',
  'plan',
  'policy',
  'not-allowed',
  'picker',
  'other-way',
  'endpoint',
  'type',
  'tools',
]);
export type AbsenceKind = z.infer<typeof absenceKindSchema>;

const absenceSchema = z.object({ kind: absenceKindSchema, text: sentenceSchema, remedy: sentenceSchema.nullable() });
export type Absence = z.infer<typeof absenceSchema>;

/** Model that a name resolves to: `here`, or why it resolves to none. */
export const modelAnswerSchema = z.object({
  asked: z.string(),
  kind: z.enum(['here', ...absenceKindSchema.options]),
  /** The model that is meant. */
  model: z.string().nullable(),
  text: sentenceSchema,
  remedy: sentenceSchema.nullable(),
  /** Place of the rule that names the model for every request with that name, from 1 on; null if none does. */
  rule: z.number().int().nullable(),
});
export type ModelAnswer = z.infer<typeof modelAnswerSchema>;

const modelRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  vendor: z.string(),
  family: z.string(),
  type: z.string(),
  /** Enabled by policy, in the picker, takes tools. */
  offered: z.boolean(),
  policy: z.enum(['enabled', 'disabled', 'unneeded']),
  preview: z.boolean(),
  endpoints: z.array(z.string()),
  path: pathSchema.nullable(),
  limits: z.object({
    prompt: z.number().nullable(),
    output: z.number().nullable(),
    context: z.number().nullable(),
    images: z.number().nullable(),
  }),
  efforts: z.array(z.string()),
  /** Credits per million tokens, or the multiplier of older plans. */
  price: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('credits'),
      input: z.number().nullable(),
      cacheRead: z.number().nullable(),
      cacheWrite: z.number().nullable(),
      output: z.number().nullable(),
    }),
    z.object({ kind: z.literal('multiplier'), multiplier: z.number() }),
    z.object({ kind: z.literal('unknown') }),
  ]),
  warnings: z.array(z.string()),
  /** Why it is not offered; null if it is. */
  absence: absenceSchema.nullable(),
});
export type ModelRow = z.infer<typeof modelRowSchema>;

const becauseSchema = z.enum(['exact', 'same', 'newest', 'lower', 'override', 'auto', 'disabled', 'missing']);
export type Because = z.infer<typeof becauseSchema>;

/** What a name that a client may send runs on, and why. */
const nameRowSchema = z.object({
  asked: z.string(),
  model: z.string().nullable(),
  because: becauseSchema,
  text: sentenceSchema,
  /** Why it runs on nothing; null if it runs. */
  absence: absenceSchema.nullable(),
  /** The model that is meant: `model`, or the one that is switched off. */
  meant: z.string().nullable(),
  /**
   * The override that decides: its name as the person wrote it (`claude-3-*`), and what the name would run on without
   * it.
   */
  override: z
    .object({
      name: z.string(),
      without: z.object({ model: z.string().nullable(), because: becauseSchema }),
    })
    .nullable(),
});
export type NameRow = z.infer<typeof nameRowSchema>;

export const modelsReportSchema = z.object({
  readAt: z.number(),
  names: z.array(nameRowSchema),
  models: z.array(modelRowSchema),
  warnings: z.array(z.string()),
});
export type ModelsReport = z.infer<typeof modelsReportSchema>;

/** What a refusal of Copilot's has taught about a model: why a field that was sent does not arrive. */
export const learnedFactSchema = z.object({
  /** For `forgetLessons`. */
  id: z.string(),
  model: z.string(),
  path: z.string(),
  /** Follows the name of the model: `takes no context_management`. */
  text: sentenceSchema,
  learnedAt: z.number(),
  /** Then it is forgotten, and Copilot is asked again. */
  until: z.number(),
});
export type LearnedFact = z.infer<typeof learnedFactSchema>;
