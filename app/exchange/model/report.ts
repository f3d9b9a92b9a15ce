import type { Absence, ModelRow, ModelsReport, NameRow } from '../../api/models.ts';
import { pathFor } from '../../copilot/catalog.ts';
import { type CatalogModel, isOffered } from '../../copilot/model.ts';
import { type AbsenceContext, absenceOf } from './absence.ts';

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
