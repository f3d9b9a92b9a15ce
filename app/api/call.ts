import type { z } from 'zod';
import type { Problem } from './problem.ts';

/** One call of the table: the list of its arguments, its result, whose window may make it, and who answers it. */
export interface Call {
  readonly from: 'both' | 'tray' | 'dashboard';
  /** `app`: the method of that name. `front`: the tray app itself, because it is about this machine's desktop. */
  readonly by: 'app' | 'front';
  readonly given: z.ZodType<unknown[]>;
  readonly result: z.ZodType;
  /** What it is given may hold images. */
  readonly isLarge?: true;
}

export type CallTable = Readonly<Record<string, Call>>;

/** How an answer crosses: a failure is a value with its mend, never a stack. */
export type CallAnswer<Result> = { ok: true; value: Result } | { ok: false; problem: Problem };

/** In the tray app's window and in the dashboard. */
export const both = <Given extends z.ZodType<unknown[]>, Result extends z.ZodType>(given: Given, result: Result) =>
  ({ from: 'both', by: 'app', given, result }) as const;

/** In the tray app's window alone: the dashboard is served by the proxy that it would change. */
export const tray = <Given extends z.ZodType<unknown[]>, Result extends z.ZodType>(given: Given, result: Result) =>
  ({ from: 'tray', by: 'app', given, result }) as const;

/** In the tray app's window alone, and answered there. */
export const desktop = <Given extends z.ZodType<unknown[]>, Result extends z.ZodType>(given: Given, result: Result) =>
  ({ from: 'tray', by: 'front', given, result }) as const;

/** In the dashboard alone. */
export const dashboard = <Given extends z.ZodType<unknown[]>, Result extends z.ZodType>(given: Given, result: Result) =>
  ({ from: 'dashboard', by: 'app', given, result }) as const;

/** What it is given may hold images. */
export const large = <Of extends Call>(call: Of) => ({ ...call, isLarge: true }) as const;
