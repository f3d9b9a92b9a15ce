import type { CatalogModel } from '../../copilot/model-entry.ts';
import { t } from '../../language/translate.ts';
import { notAllowedWords } from '../../words/models.ts';
import { autoName, hiddenMeant, longestName } from './resolve.ts';

/** An override can't be taken. `message` says why, `remedy` what to do. */
class OverrideError extends Error {
  override readonly name = 'OverrideError';
  readonly code: string;
  readonly remedy: string;
  constructor(code: 'override-name' | 'override-model', message: string, remedy: string) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}

/**
 * The overrides with this one put in, or taken out where `model` is null. Another spelling of the same name gives way.
 * Throws `OverrideError` for a name that no client could send and for a model that the catalog lacks. A model that is
 * switched off is taken: it may be switched on.
 */
export function withOverride(
  overrides: Readonly<Record<string, string>>,
  asked: string,
  model: string | null,
  { models, servesAuto = false }: { models: readonly CatalogModel[]; servesAuto?: boolean },
): Record<string, string> {
  const name = asked.trim();
  const others = Object.entries(overrides).filter(([known]) => known.trim().toLowerCase() !== name.toLowerCase());
  if (model === null) return Object.fromEntries(others);
  if (name === '' || name === '*') {
    throw new OverrideError(
      'override-name',
      t('An override needs a name.'),
      t('Write the name that Claude Code asks for.'),
    );
  }
  if (name.length > longestName || /[\s\p{Cc}]/u.test(name) || name.slice(0, -1).includes('*')) {
    throw new OverrideError(
      'override-name',
      t('This isn’t a name that Claude Code could ask for.'),
      t('Write it without spaces, and * only at its end.'),
    );
  }
  if (servesAuto && model === autoName) return Object.fromEntries([...others, [name, model]]);
  const target = models.find(({ id }) => id === model);
  if (target === undefined) {
    const hidden = hiddenMeant(model, models);
    const why =
      hidden === null ? t('Your account has no model {model}.', { model }) : notAllowedWords(hidden.id, hidden.by);
    throw new OverrideError('override-model', why, t('Choose one from the list.'));
  }
  if (target.type !== 'chat') {
    throw new OverrideError(
      'override-model',
      t('{model} can’t answer messages.', { model }),
      t('Choose another model.'),
    );
  }
  return Object.fromEntries([...others, [name, model]]);
}
