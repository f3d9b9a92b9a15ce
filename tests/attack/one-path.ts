import { isObject } from '../../app/formats/wire/json.ts';
import { defaultModels } from '../../app/simulator/plans.ts';

/** A model for each path of Copilot's. */
export const pathOf = {
  'claude-sonnet-4.6': '/v1/messages',
  'gpt-4.1': '/chat/completions',
  'gpt-5.4': '/responses',
} as const;
export type OnePathModel = keyof typeof pathOf;

/**
 * The catalog with these models on one path alone: as it is, Claude lists two, and no client but its own would meet
 * `/v1/messages`.
 */
export function onePathModels(): unknown[] {
  return defaultModels().map((model) => {
    const known = isObject(model) ? Object.entries(pathOf).find(([id]) => id === model.id) : undefined;
    return isObject(model) && known !== undefined ? { ...model, supported_endpoints: [known[1]] } : model;
  });
}
