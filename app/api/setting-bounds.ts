import type { z } from 'zod';
import { type EngineName, engineNameSchema } from './search.ts';
import {
  chosenPortSchema,
  limitsSchema,
  openaiSettingsSchema,
  quotaThresholdsSchema,
  sessionSettingsSchema,
} from './settings.ts';

export interface Bounds {
  least: number;
  most: number;
}

/**
 * Of the numbers that a person types in the window. The build puts the values in place of this file there: the window
 * needs no schema (vite.config.ts).
 */
export const portBounds = boundsOf(chosenPortSchema);
export const atOnceBounds = boundsOf(openaiSettingsSchema.shape.atOnce);
export const sessionsAtOnceBounds = boundsOf(sessionSettingsSchema.shape.atOnce);
export const thresholdBounds = boundsOf(quotaThresholdsSchema.shape.warning);
export const limitBounds = boundsOf(limitsSchema.shape.requestsPerMinute.unwrap());

/** What can be put on the list of engines, in the order in which it is offered. */
export const engineChoices: readonly EngineName[] = engineNameSchema.options;

function boundsOf({ minValue, maxValue }: z.ZodNumber): Bounds {
  if (minValue === null || maxValue === null) throw new TypeError('A number that is typed has to have bounds.');
  return { least: minValue, most: maxValue };
}
