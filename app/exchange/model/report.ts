import type { Account } from '../../account/account.ts';
import type { AnswersTo } from '../../api/app.ts';
import type { modelCalls } from '../../api/calls/health.ts';
import type { Absence, ModelRow, ModelsReport, NameRow } from '../../api/models.ts';
import { type Catalog, pathFor } from '../../copilot/catalog.ts';
import { type CatalogModel, isOffered } from '../../copilot/model-entry.ts';
import type { LessonTable } from '../../history/lesson-table.ts';
import type { Sums } from '../../history/totals-cache.ts';
import { t } from '../../language/translate.ts';
import type { Clock } from '../../ports.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import { ruleInWords } from '../../words/models.ts';
import { capital } from '../../words/text.ts';
import { learnedFacts } from '../features/lessons/lessons.ts';
import { type AbsenceContext, absenceContext, absenceOf, absenceOfName, explainName } from './absence.ts';
import { withOverride } from './change-override.ts';
import { claudeCodeNames, environmentModels } from './claude-code-names.ts';
import { namesInUseMs } from './gone.ts';
import { findOverride, type ModelChoice, type ModelRefusal, resolveModel, resolveTarget } from './resolve.ts';
import { rulesForName, type TrialDependencies, tryRules } from './rule-trial.ts';

/** The catalog as fronts show it. */
export function modelsReport(context: AbsenceContext, names: NameRow[], readAt: number): ModelsReport {
  const { models } = context;
  const warnings = models.flatMap((model) =>
    model.warnings.filter(({ code }) => code === 'client_version_deprecated').map(({ message }) => message),
  );
  return {
    readAt,
    names,
    models: models.map((model) => modelRow(model, absenceOf(model, context))),
    warnings: [...new Set(warnings)],
  };
}

function modelRow(model: CatalogModel, absence: Absence | null): ModelRow {
  return {
    id: model.id,
    name: model.name,
    vendor: model.vendor,
    family: model.family,
    type: model.type,
    offered: isOffered(model),
    policy: model.policy,
    preview: model.preview,
    endpoints: [...model.endpoints],
    path: model.type === 'chat' ? pathFor(model, 'messages') : null,
    limits: {
      prompt: model.limits.promptTokens,
      output: model.limits.outputTokens,
      context: model.limits.contextTokens,
      images: model.limits.images,
    },
    efforts: [...model.supports.efforts],
    price: priceOf(model),
    warnings: model.warnings.map(({ message }) => message),
    absence,
  };
}

function priceOf({ price }: CatalogModel): ModelRow['price'] {
  switch (price.kind) {
    case 'credits': {
      const { input, cacheRead, cacheWrite, output } = price.default;
      return { kind: 'credits', input, cacheRead, cacheWrite, output };
    }
    case 'multiplier':
      return { kind: 'multiplier', multiplier: price.multiplier };
    case 'unknown':
      return { kind: 'unknown' };
  }
}

/** A rule says so, no override. */
function byRule(choice: ModelChoice): ModelChoice {
  return choice.ok ? { ...choice, note: null } : choice;
}

interface ModelAnswersDependencies {
  /** The account in use, with its models. */
  used(): { account: Pick<Account, 'state' | 'servesAuto'>; catalog: Catalog };
  settings: SettingsStore;
  sums: Sums;
  lessons: LessonTable;
  clock: Pick<Clock, 'now'>;
  /** For a request that is thought of. */
  trial: Omit<TrialDependencies, 'settings'>;
  overridesChanged(): void;
}

export function modelAnswers(dependencies: ModelAnswersDependencies): AnswersTo<typeof modelCalls> {
  const { used, settings, sums, lessons, clock, trial, overridesChanged } = dependencies;
  return {
    models: async (options = {}) => {
      const { account, catalog } = used();
      const models = await catalog.models(options);
      // Names are there to help; without a history to read there are none.
      const asked = await sums.askedNames(clock.now() - namesInUseMs).catch(() => []);
      const context = absenceContext({ catalog, account });
      const { modelOverrides } = settings.current();
      const absence = (refusal: ModelRefusal) => absenceOfName(refusal, context);
      const names = claudeCodeNames(models, modelOverrides, asked, absence, context.servesAuto);
      return modelsReport(context, names, catalog.readAt() ?? clock.now());
    },
    explainModel: async (asked) => {
      const { account, catalog } = used();
      const models = await catalog.models();
      const overrides = settings.current().modelOverrides;
      const context = absenceContext({ catalog, account });
      const refusal = (name: string): string | null => {
        const named = resolveTarget(name, models);
        return named.ok ? null : absenceOfName(named, context).text;
      };
      const { sentences, decides } = rulesForName(asked, settings.current().models.rules, refusal);
      const target = decides?.use.model;
      const choice =
        target === undefined
          ? resolveModel(asked, models, { overrides, longContext: false })
          : byRule(resolveTarget(target, models));
      const answer = explainName(asked, choice, context, target === undefined ? overrides : { [asked]: target });
      const deciding = decides === null || target === undefined ? [] : [`${capital(ruleInWords(decides))} decides.`];
      const set = deciding.length === 0 ? null : findOverride(asked, overrides);
      const unused =
        set === null ? [] : [t('Your override “{name}” counts only where no rule names a model.', { name: set.name })];
      const rule = decides === null || target === undefined ? null : decides.place;
      return { ...answer, rule, text: [answer.text, ...deciding, ...unused, ...sentences].join(' ') };
    },
    tryRules: (asked) => tryRules(asked, { ...trial, settings: () => settings.current() }),
    setOverride: async (name, model) => {
      const { account, catalog } = used();
      // Taking one away has to work without a catalog, too.
      const models = model === null ? (catalog.known() ?? []) : await catalog.models();
      const before = settings.current().modelOverrides;
      const after = withOverride(before, name, model, { models, servesAuto: account.servesAuto() });
      await settings.update({ modelOverrides: after });
      overridesChanged();
      const lines = (overrides: Record<string, string>) =>
        JSON.stringify(environmentModels(models, overrides, account.servesAuto()));
      return { linesChanged: settings.current().linesCopied && lines(before) !== lines(after) };
    },
    learned: async () => learnedFacts(lessons),
    forgetLessons: async (id) => {
      if (id !== null) return lessons.forgetOne(id);
      const held = lessons.forget();
      // Another process in this folder reads it there.
      await settings.update({ learnedSince: clock.now() });
      return held;
    },
  };
}
