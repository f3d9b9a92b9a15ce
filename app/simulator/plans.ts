import { isObject } from '../formats/wire/json.ts';
import { defaultModels } from './default-models.ts';
import type { PlanName, SimulatedUser } from './options.ts';

interface SimulatedPlan {
  user: Partial<SimulatedUser>;
  models: readonly unknown[];
}

/**
 * Student as in `copilot_internal-user-student-token-billing.json`, Business as in
 * `copilot_internal-user-business-token-billing.table.json`. On Student and Free no model carries the picker flag.
 */
export function simulatedPlan(name: PlanName): SimulatedPlan {
  switch (name) {
    case 'pro-plus':
      return { user: {}, models: defaultModels() };
    case 'student':
      return {
        user: { plan: 'individual', sku: 'free_educational_quota', entitlement: 200, remaining: 150 },
        models: autoOnly(),
      };
    case 'free':
      return {
        user: { plan: 'free', sku: 'free_limited_copilot', entitlement: 50, remaining: 40, countsChats: true },
        models: autoOnly(),
      };
    case 'business':
      return {
        user: {
          plan: 'business',
          sku: 'copilot_for_business_seat_quota',
          entitlement: 10_000,
          remaining: 4462.8,
          overagePermitted: true,
        },
        models: defaultModels(),
      };
    case 'enterprise':
      return {
        user: { plan: 'enterprise', sku: 'copilot_enterprise_seat_quota', entitlement: null },
        models: defaultModels(),
      };
  }
}

function autoOnly(): unknown[] {
  return defaultModels().map((model) => (isObject(model) ? { ...model, model_picker_enabled: false } : model));
}
