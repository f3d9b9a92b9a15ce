import type { AbsenceKind, Because, ModelRow } from '../api/models.ts';
import { premiumRequests, price } from './numbers.ts';

/** Why a name runs on a model, and what a model may do, as people read it. */

export const becauseWords: Readonly<Record<Because, string>> = {
  exact: 'Exact name',
  same: 'Same model',
  newest: 'Newest of family',
  lower: 'Nearest lower',
  override: 'Your override',
  auto: 'GitHub chooses',
  disabled: 'Off on GitHub',
  missing: 'Not in catalog',
};

/** The reason in two or three words, for a cell of a table. */
export const absenceWords: Readonly<Record<AbsenceKind, string>> = {
  'not-in-catalog': 'Not in catalog',
  'auto-only': 'Auto only',
  plan: 'Other plans',
  policy: 'Off on GitHub',
  picker: 'Not to choose',
  'other-way': 'Other way in',
  endpoint: 'No known endpoint',
  type: 'Not for chat',
  tools: 'No tools',
};

/** `Enabled`, `Off`, `Not to choose` */
export function offeredWords({ absence, policy }: Pick<ModelRow, 'absence' | 'policy'>): string {
  return absence === null || absence.kind === 'policy' ? policyWords[policy] : absenceWords[absence.kind];
}

export const policyWords: Readonly<Record<ModelRow['policy'], string>> = {
  enabled: 'Enabled',
  disabled: 'Off',
  unneeded: 'Always on',
};

const endpointNames: Readonly<Record<string, string>> = {
  '/v1/messages': 'messages',
  '/chat/completions': 'chat',
  '/responses': 'responses',
  '/embeddings': 'embeddings',
};

/** `messages, chat`; the variants of one over another transport go without saying. */
export function endpointWords(endpoints: readonly string[]): string {
  const names = endpoints.filter((path) => !path.startsWith('ws:')).map((path) => endpointNames[path] ?? path);
  return names.length === 0 ? '–' : [...new Set(names)].join(', ');
}

/** `27×`, `0×`; `–` where none is known. */
export function multiplierWords({ price: of }: Pick<ModelRow, 'price'>): string {
  return of.kind === 'multiplier' ? `${premiumRequests(of.multiplier)}×` : '–';
}

/** Credits per million tokens: fresh input, cached input, output. */
export function creditPrices({ price: of }: Pick<ModelRow, 'price'>): {
  input: string;
  cached: string;
  output: string;
} {
  if (of.kind !== 'credits') return { input: '–', cached: '–', output: '–' };
  return { input: price(of.input), cached: price(of.cacheRead), output: price(of.output) };
}

/** `500 / 50 / 2,500`, `27×`: beside a name in a list of models. */
export function shortPrice(model: Pick<ModelRow, 'price'>): string {
  if (model.price.kind === 'multiplier') return multiplierWords(model);
  const { input, cached, output } = creditPrices(model);
  return model.price.kind === 'unknown' ? 'Price not known' : `${input} / ${cached} / ${output}`;
}

/** The prices of this account are multipliers of premium requests. */
export function areMultiplied(models: readonly Pick<ModelRow, 'price'>[]): boolean {
  return models.some(({ price: of }) => of.kind === 'multiplier');
}
