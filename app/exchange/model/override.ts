import type { CatalogModel } from '../../copilot/model.ts';
import { autoName } from './resolve.ts';

/** An override can't be taken. `message` says why, `mend` what to do. */
export class OverrideError extends Error {
  override readonly name = 'OverrideError';
  readonly code: string;
  readonly mend: string;
  constructor(code: 'override-name' | 'override-model', message: string, mend: string) {
    super(message);
    this.code = code;
    this.mend = mend;
  }
}

const longestName = 200;

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
    throw new OverrideError('override-name', 'An override needs a name.', 'Write the name that Claude Code asks for.');
  }
  if (name.length > longestName || /[\s\p{Cc}]/u.test(name) || name.slice(0, -1).includes('*')) {
    throw new OverrideError(
      'override-name',
      'This isn’t a name that Claude Code could ask for.',
      'Write it without spaces, and * only at its end.',
    );
  }
  if (servesAuto && model === autoName) return Object.fromEntries([...others, [name, model]]);
  const target = models.find(({ id }) => id === model);
  if (target === undefined) {
    throw new OverrideError('override-model', `Your account has no model ${model}.`, 'Choose one from the list.');
  }
  if (target.type !== 'chat') {
    throw new OverrideError('override-model', `${model} can’t answer messages.`, 'Choose another model.');
  }
  return Object.fromEntries([...others, [name, model]]);
}
