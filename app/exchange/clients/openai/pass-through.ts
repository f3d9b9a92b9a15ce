import type { FitNote } from '../../../api/exchange.ts';
import type { ChatPath } from '../../../copilot/catalog.ts';
import type { CatalogModel } from '../../../copilot/model.ts';
import type { JsonObject } from '../../../formats/wire/json.ts';
import { withoutUnknownFields } from '../../fits/unknown-fields.ts';
import type { Lesson } from '../../lessons/lesson.ts';
import { readOpenaiLesson } from '../../lessons/read-openai-lesson.ts';
import { applyRules, type FieldRule } from './fields.ts';
import { withoutRefused } from './parameters.ts';
import type { OpenaiContext, OpenaiPlan } from './plan.ts';

export interface PassedThrough {
  request: JsonObject;
  rules: Readonly<Record<string, FieldRule>>;
  model: CatalogModel;
  path: ChatPath;
  context: OpenaiContext;
}

type Written = Pick<OpenaiPlan, 'vision' | 'notes' | 'reader' | 'collector' | 'failureEvents'> & { body: JsonObject };

/**
 * A request that goes on in the client's own words: by the rules of its API, within the limits of the model, and
 * without what the model was seen to refuse. `write` says the rest. It may be called again, with a body that lacks what
 * a refusal named.
 */
export function passedThrough(
  { request, rules, model, path, context }: PassedThrough,
  write: (fitted: JsonObject) => Written,
): OpenaiPlan {
  const plan = (lessons: readonly Lesson[]): OpenaiPlan => {
    const learned = context.learned(model, path, lessons);
    const ruled = applyRules(request, rules, learned?.model ?? model);
    const fitted = withoutRefused(ruled.body, learned);
    const { body, notes, ...written } = write(fitted.body);
    const known = learned === null ? { body, notes: [] } : withoutUnknownFields(body, learned.unknownFields);
    const all: FitNote[] = [...ruled.notes, ...fitted.notes, ...notes, ...known.notes];
    return {
      ok: true,
      path,
      body: Buffer.from(JSON.stringify(known.body)),
      anthropicVersion: null,
      anthropicBeta: null,
      ...written,
      notes: all,
    };
  };
  return { ...plan([]), recover: { read: (failure) => readOpenaiLesson(failure, request), refit: plan } };
}
