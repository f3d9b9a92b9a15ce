import { type ReactNode, useState } from 'react';
import { type Bounds, type SettingField, type SettingName, settingFields } from '../../app/api/setting-fields.ts';
import type { Preferences, PreferencesChange } from '../../app/api/settings.ts';
import { counted, grouped } from '../../app/words/numbers.ts';
import { Segmented, Switch } from '../parts/choices.tsx';
import { NumberField, TextField } from '../parts/text-field.tsx';
import { type Choice, Select, Setting, useChange } from './setting.tsx';

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
  const field = settingFields[props.name];
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

type ShownProps = FieldProps & { field: SettingField };

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
    .map((value) => ({ value: String(value), label: each.replace('#', amountOf(value, field)) }));
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
    <Setting of={name} title={label} help={help} error={wrong ? wrongWords(bounds, empty) : error}>
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
          size={8}
          value={value === null ? '' : String(value)}
          done={(text) => done(readLimit(text, bounds))}
        />
      )}
    </Setting>
  );
}

/** What is wrong with a number that was typed. */
export function wrongWords({ least, most, whole }: Bounds, empty: string | null = null): string {
  if (empty === null) return `Choose a number from ${least} to ${most}.`;
  const numbers = whole ? `whole number from ${least}` : 'number from 0.01';
  return `Choose a ${numbers} to ${grouped(most)}, or leave it empty for ${empty.toLowerCase()}.`;
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
  const plain = text.trim().replaceAll(',', '');
  if (plain === '') return null;
  if (!(bounds.whole ? /^\d{1,7}$/ : /^\d{1,7}(?:\.\d{1,2})?$/).test(plain)) return undefined;
  const value = Number(plain);
  return value > 0 && isWithin(value, bounds) ? value : undefined;
}

function amountOf(value: number, { unit }: SettingField): string {
  if (unit === null) return grouped(value);
  if (unit === 'MB') return `${value} MB`;
  if (unit === 'turn' && value === 1) return 'turn';
  return unit === 'minute' && value % 60 === 0 ? counted(value / 60, 'hour') : counted(value, unit);
}

/** A setting of a group has its name behind that of the group. */
function settingOf(preferences: Preferences, name: SettingName): unknown {
  return name.split('.').reduce<unknown>((held, key) => new Map(Object.entries(Object(held))).get(key), preferences);
}

function changeOf(name: SettingName, value: unknown): PreferencesChange {
  const [group = name, key] = name.split('.');
  return { [group]: key === undefined ? value : { [key]: value } } as PreferencesChange;
}
