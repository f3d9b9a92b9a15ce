import { z } from 'zod';
import type { Message } from '../language/messages.ts';
import { type EngineName, engineNameSchema } from './search.ts';
import {
  type GroupOf,
  isRow,
  type SettingRow,
  type SettingSection,
  type SettingUnit,
  settingSections,
  windowSettings,
} from './setting-table.ts';
import { type ClientName, clientNameSchema } from './setup.ts';

/**
 * The rows of settings as the window needs them. The build puts the values in place of this file there: the window
 * needs no schema (vite.config.ts).
 */

/** `sessions.atOnce` */
export type SettingName = NamesOf<typeof windowSettings>;
type NamesOf<Table> = {
  [Name in keyof Table & string]: Table[Name] extends SettingRow
    ? Name
    : `${Name}.${keyof GroupOf<Table[Name]> & string}`;
}[keyof Table & string];

/** @template Words messages, or texts of the shown language */
export interface SettingField<Words extends string = Message> {
  /** Of Settings; null if its field is elsewhere, and has no words. */
  section: SettingSection | null;
  label: Words | '';
  help: Words | '';
  /** Null if it is no number, or a person chooses among some. */
  bounds: Bounds | null;
  unit: SettingUnit | null;
  choices: readonly { value: string; label: Words }[];
  offered: readonly number[];
  each: Words | null;
  /** The label for null; null if the setting is never null. */
  empty: Words | null;
}

export interface Bounds {
  least: number;
  most: number;
  whole: boolean;
}

/** The titles of sections by their names. */
export const sectionTitles = settingSections;

export const settingFields = Object.fromEntries(
  Object.entries(windowSettings).flatMap(([name, entry]) =>
    isRow(entry)
      ? [[name, fieldOf(entry)]]
      : Object.entries(entry).map(([key, row]) => [`${name}.${key}`, fieldOf(row)]),
  ),
) as Readonly<Record<SettingName, SettingField>>;

/** Programs whose settings Jumpseat writes into, besides Claude Code. */
export const clientNames: readonly ClientName[] = clientNameSchema.options;

/** Engines that the list may have, in the order in which they are offered. */
export const engineChoices: readonly EngineName[] = engineNameSchema.options;

function fieldOf({ shape, section, label, help, unit, choices, offered, each, empty }: SettingRow): SettingField {
  return {
    section: section ?? null,
    // The table holds rows with a section to messages.
    ...(section === undefined ? { label: '', help: '' } : { label: label as Message, help: help as Message | '' }),
    bounds: boundsOf(shape instanceof z.ZodNullable ? shape.unwrap() : shape),
    unit: unit ?? null,
    choices: Object.entries(choices ?? {}).map(([value, words]) => ({ value, label: words as Message })),
    offered: offered ?? [],
    each: each ?? null,
    empty: empty ?? null,
  };
}

function boundsOf(shape: unknown): Bounds | null {
  if (!(shape instanceof z.ZodNumber)) return null;
  const { minValue, maxValue, format } = shape;
  if (minValue === null || maxValue === null) throw new TypeError('A number that is typed has to have bounds.');
  return { least: minValue, most: maxValue, whole: format === 'safeint' };
}
