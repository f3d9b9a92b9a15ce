import type { ModelRow, ModelsReport } from '../../app/api/models.ts';
import { t, translated } from '../../app/language/translate.ts';
import { becauseWords } from '../../app/words/models.ts';
import { inSentence } from '../../app/words/text.ts';

/** What an override says, as it is being written. */
interface Draft {
  name: string;
  /** Null until one is chosen. */
  model: string | null;
  /** The override that is changed; null for a new one. */
  changes: string | null;
}

interface Finding {
  text: string;
  /** True if it can't be saved like this. */
  blocks: boolean;
  field: 'name' | 'model';
}

const auto: ModelRow = {
  ...{ id: 'auto', name: 'GitHub chooses', vendor: 'GitHub', family: 'auto', type: 'chat', offered: true },
  ...{ policy: 'unneeded', preview: false, endpoints: [], path: null, efforts: [], price: { kind: 'unknown' } },
  limits: { prompt: null, output: null, context: null, images: null },
  ...{ warnings: [], absence: null },
};

/** What an override may lead to: Auto, too, where GitHub is asked to choose. */
export function targetsOf({ models, names }: Pick<ModelsReport, 'models' | 'names'>): ModelRow[] {
  return names.some(({ because }) => because === 'auto') ? [auto, ...models] : models;
}

/** The first thing to say about a draft; null if nothing. */
export function checkDraft(
  { name, model, changes }: Draft,
  report: Pick<ModelsReport, 'models' | 'names'>,
): Finding | null {
  const written = name.trim();
  if (written === '') return { text: t('Write a name.'), blocks: true, field: 'name' };
  if (written === '*' || written.slice(0, -1).includes('*')) {
    return { text: t('A name can have * only at its end.'), blocks: true, field: 'name' };
  }
  if (/[\s\p{Cc}]/u.test(written)) return { text: t('A name has no spaces.'), blocks: true, field: 'name' };
  const same = (other: string | null): boolean => other?.trim().toLowerCase() === written.toLowerCase();
  if (!same(changes) && report.names.some(({ override }) => override !== null && same(override.name))) {
    return { text: t('This name already has an override.'), blocks: true, field: 'name' };
  }
  if (model === null) return { text: t('Choose a model.'), blocks: true, field: 'model' };
  const target = targetsOf(report).find(({ id }) => id === model);
  if (target === undefined)
    return { text: t('{model} is not in the catalog. Choose another model.', { model }), blocks: true, field: 'model' };
  if (target.policy === 'disabled') {
    return {
      text: t('{model} is off on GitHub. Requests would get error 404.', { model }),
      blocks: false,
      field: 'model',
    };
  }
  return null;
}

/** `was claude-haiku-4.5, newest of family`: what the name runs on without the override. */
export function wasWords(asked: string, report: Pick<ModelsReport, 'names'>): string | null {
  if (asked.endsWith('*')) return null;
  const row = report.names.find((one) => one.asked === asked);
  if (row === undefined) return null;
  const { model, because } = row.override?.without ?? row;
  if (because === 'auto') return t('was chosen by GitHub');
  const reason = because === 'disabled' ? t('off on GitHub') : inSentence(translated(becauseWords[because]));
  return t('was {model}, {reason}', { model: model ?? t('nothing'), reason });
}

/** Models that can answer, those that are switched on first; `search` is looked for in id, name and vendor. */
export function choosable(models: readonly ModelRow[], search: string): ModelRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ id, name, vendor }: ModelRow): boolean => {
    const text = `${id} ${name} ${vendor}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const fitting = models.filter((model) => model.type === 'chat' && matches(model));
  return [
    ...fitting.filter(({ policy }) => policy !== 'disabled'),
    ...fitting.filter(({ policy }) => policy === 'disabled'),
  ];
}
