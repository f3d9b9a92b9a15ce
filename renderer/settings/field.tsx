import { type ReactNode, useState } from 'react';
import { type Bounds, type SettingField, type SettingName, settingFields } from '../../app/api/setting-fields.ts';
import type { Preferences, PreferencesChange } from '../../app/api/settings.ts';
import { t, translated } from '../../app/language/translate.ts';
import { grouped, percentage, typedNumber } from '../../app/words/numbers.ts';
import { Segmented, Switch } from '../parts/choices.tsx';
import { NumberField, TextField } from '../parts/text-field.tsx';
import { type Choice, Select, Setting, useChange } from './setting.tsx';

/** What a field of a setting shows, in the shown language. */
export function shownField(name: SettingName): SettingField<string> {
  const { label, help, choices, each, empty, ...field } = settingFields[name];
  return {
    ...field,
    label: label === '' ? '' : translated(label),
    help: help === '' ? '' : translated(help),
    choices: choices.map((choice) => ({ value: choice.value, label: translated(choice.label) })),
    each: each === null ? null : translated(each),
    empty: empty === null ? null : translated(empty),
  };
}

interface FieldProps {
  name: SettingName;
  preferences: Preferences;
  /** Where its sentence depends on something. */
  help?: ReactNode;
  /** Choices of this moment, in place of those of its row. */
  choices?: readonly Choice<string>[];
  /** A few words side by side instead of a list. */
  segmented?: boolean;
  /** Why the text that is set isn’t used. */
  unusable?: string | null;
  /** Shown beside the control. */
  children?: ReactNode;
}

/** The field of a setting, made from its row (app/api/setting-table.ts): control, words, bounds. */
export function Field(props: FieldProps) {
  const field = shownField(props.name);
  const value = settingOf(props.preferences, props.name);
  const shown = { ...props, field, help: props.help ?? (field.help === '' ? undefined : field.help) };
  if (typeof value === 'boolean') return <SwitchField {...shown} on={value} />;
  const { bounds, offered } = field;
  if (bounds !== null && offered.length > 0) return <OfferedField {...shown} chosen={value} />;
  if (bounds !== null) return <TypedField {...shown} bounds={bounds} value={value} />;
  const isTyped = field.empty !== null && field.choices.length === 0;
  if (isTyped) return <WrittenField {...shown} text={typeof value === 'string' ? value : ''} />;
  return <ChoiceField {...shown} chosen={value} />;
}

type ShownProps = FieldProps & { field: SettingField<string> };

function SwitchField({ name, field: { label }, help, on }: ShownProps & { on: boolean }) {
  const { change, error } = useChange();
  return (
    <Setting of={name} title={label} help={help} error={error}>
      <Switch label={label} on={on} change={(next) => void change(changeOf(name, next))} />
    </Setting>
  );
}

/** Null is the empty text among the choices: none of them is called so. */
function ChoiceField(props: ShownProps & { chosen: unknown }) {
  const { name, field, help, segmented = false, chosen, children } = props;
  const { change, error } = useChange();
  const choices = props.choices ?? field.choices;
  const choose = (value: string): void => void change(changeOf(name, value === '' ? null : value));
  const current = typeof chosen === 'string' ? chosen : '';
  return (
    <Setting of={name} title={field.label} help={help} error={error}>
      {segmented ? (
        <Segmented
          label={field.label}
          segments={choices.map(({ value, label }) => ({ name: value, label }))}
          chosen={current}
          choose={choose}
        />
      ) : (
        <Select label={field.label} chosen={current} choices={choices} choose={choose} />
      )}
      {children}
    </Setting>
  );
}

/** A number that was written into settings.json is one of the choices. */
function OfferedField({ name, field, help, chosen, children }: ShownProps & { chosen: unknown }) {
  const { change, error } = useChange();
  const { label, offered, each, empty } = field;
  const numbers = new Set([...offered, ...(typeof chosen === 'number' ? [chosen] : [])]);
  const choices = [...numbers]
    .sort((left, right) => left - right)
    .map((value) => ({
      value: String(value),
      label: each?.replace('#', amountOf(value, field)) ?? amountOf(value, field),
    }));
  return (
    <Setting of={name} title={label} help={help} error={error}>
      <Select
        label={label}
        chosen={chosen === null ? '' : String(chosen)}
        choices={empty === null ? choices : [...choices, { value: '', label: empty }]}
        choose={(value) => void change(changeOf(name, value === '' ? null : Number(value)))}
      />
      {children}
    </Setting>
  );
}

/** A text that is typed; null where it is empty. */
function WrittenField({ name, field: { label, empty }, help, unusable = null, text }: ShownProps & { text: string }) {
  const { change, error: refused, clear } = useChange();
  const error = refused ?? unusable;
  return (
    <Setting of={name} title={label} help={help} error={error}>
      <TextField
        label={label}
        placeholder={empty ?? ''}
        size={26}
        value={text}
        invalid={error !== null}
        done={(wanted) => void change(changeOf(name, wanted === '' ? null : wanted))}
        typed={clear}
      />
    </Setting>
  );
}

/** A number that is typed; one that may be null is left empty for that. */
function TypedField({ name, field, help, bounds, value }: ShownProps & { bounds: Bounds; value: unknown }) {
  const { change, error, clear } = useChange();
  const [wrong, setWrong] = useState(false);
  const { label, empty } = field;
  const done = (wanted: number | null | undefined): void => {
    setWrong(wanted === undefined);
    if (wanted !== undefined) void change(changeOf(name, wanted));
  };
  const typing = {
    label,
    invalid: wrong || error !== null,
    typed: () => {
      setWrong(false);
      clear();
    },
  };
  return (
    <Setting of={name} title={label} help={help} error={wrong ? wrongWords(bounds, empty !== null) : error}>
      {empty === null ? (
        <NumberField
          {...typing}
          value={Number(value)}
          digits={4}
          done={(wanted) => done(wanted !== null && isWithin(wanted, bounds) ? wanted : undefined)}
        />
      ) : (
        <TextField
          {...typing}
          look="number"
          placeholder={empty}
          size={Math.max(8, empty.length)}
          value={value === null ? '' : String(value)}
          done={(text) => done(readLimit(text, bounds))}
        />
      )}
    </Setting>
  );
}

/** What is wrong with a number that was typed. @param isOptional without it there is no limit */
export function wrongWords({ least, most, whole }: Bounds, isOptional = false): string {
  if (!isOptional) return t('Choose a number from {least} to {most}.', { least, most });
  return whole
    ? t('Choose a whole number from {least} to {most}, or leave it empty for no limit.', { least, most: grouped(most) })
    : t('Choose a number from 0.01 to {most}, or leave it empty for no limit.', { most: grouped(most) });
}

/** Bounds of a number setting. */
export function boundsOf(name: SettingName): Bounds {
  const { bounds } = settingFields[name];
  if (bounds === null) throw new TypeError(`${name} is no number with bounds.`);
  return bounds;
}

export function isWithin(value: number, { least, most }: Bounds): boolean {
  return value >= least && value <= most;
}

/** Null for no limit. Undefined: no limit that could be meant. */
export function readLimit(text: string, bounds: Bounds): number | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  const value = typedNumber(typed);
  if (value === null || (bounds.whole && !Number.isInteger(value))) return undefined;
  return value > 0 && isWithin(value, bounds) ? value : undefined;
}

function amountOf(value: number, { unit }: SettingField<string>): string {
  if (unit === null) return grouped(value);
  if (unit === 'minute' && value % 60 === 0)
    return t('{count, plural, one {# hour} other {# hours}}', { count: value / 60 });
  switch (unit) {
    case 'MB':
      return `${value} MB`;
    case 'percent':
      return percentage(value);
    case 'credit':
      return t('{count, plural, one {# credit} other {# credits}}', { count: value });
    case 'day':
      return t('{count, plural, one {# day} other {# days}}', { count: value });
    case 'minute':
      return t('{count, plural, one {# minute} other {# minutes}}', { count: value });
    case 'turn':
      return t('{count, plural, =1 {turn} one {# turn} other {# turns}}', { count: value });
  }
}

/** A setting of a group has its name behind that of the group. */
function settingOf(preferences: Preferences, name: SettingName): unknown {
  return name.split('.').reduce<unknown>((held, key) => new Map(Object.entries(Object(held))).get(key), preferences);
}

function changeOf(name: SettingName, value: unknown): PreferencesChange {
  const [group = name, key] = name.split('.');
  return { [group]: key === undefined ? value : { [key]: value } } as PreferencesChange;
}
