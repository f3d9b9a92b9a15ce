import classNames from 'classnames/bind';
import { useCallback } from 'react';
import type { LimitScope } from '../../app/api/rules.ts';
import { msg } from '../../app/language/messages.ts';
import { sentences } from '../../app/language/sentences.ts';
import { t } from '../../app/language/translate.ts';
import { folderName } from '../../app/words/sessions.ts';
import { SavedText } from '../parts/text-field.tsx';
import { useAsked } from '../state/asked.ts';
import { useApp, useServices } from '../state/services.ts';
import { type Choice, Select } from './setting.tsx';
import styles from './settings.module.css';

const css = classNames.bind(styles);

/** What a person names in a limit or a rule: fields, suggestions while they type, and the folder that they mean. */

/** Names that are in use: of clients, models and folders in the history, of accounts and keys. */
export function useSuggestions(of: keyof LimitScope, keys: readonly string[] = []): readonly string[] {
  const { bridge } = useServices();
  const accounts = useApp().accounts;
  const ask = useCallback(async (): Promise<string[]> => {
    if (of === 'folder') return ((await bridge.folders?.(0)) ?? []).map(({ folder }) => folder ?? '');
    return of === 'client' || of === 'model' ? (await bridge.totals(of, 0)).map(({ key }) => key) : [];
  }, [bridge, of]);
  const { asked } = useAsked(ask);
  if (of === 'key') return keys;
  if (of === 'account') return accounts.map(({ name }) => name);
  return (asked.last ?? []).filter((key) => key !== '');
}

/** The folder that is meant: a whole path, or the name of the one that Usage knows. */
export function useWholePath(known: readonly string[]) {
  const { bridge } = useServices();
  return async (name: string): Promise<{ name: string } | { problem: string }> => {
    const called = known.filter((path) => folderName(path) === name);
    const [only] = called;
    if (only !== undefined && called.length === 1) return { name: only };
    if (!/[/\\~]/.test(name)) {
      const wholePath = t('Write the whole path, such as ~/{name}.', { name });
      if (called.length < 2) return { problem: wholePath };
      const several = t('{count, plural, one {# folder is} other {# folders are}} called {name}.', {
        count: called.length,
        name,
      });
      return { problem: sentences(several, wholePath) };
    }
    try {
      await bridge.folder?.(name);
      return { name };
    } catch (reason) {
      return { problem: reason instanceof Error ? reason.message : String(reason) };
    }
  };
}

export function NamedField(props: {
  label: string;
  value: string;
  placeholder: string;
  suggestions?: readonly string[];
  invalid?: boolean;
  type: (text: string | null) => void;
}) {
  const { label, suggestions = [], invalid = false, ...rest } = props;
  return (
    <div className={css('named-field', 'muted')}>
      <span aria-hidden="true">{label}</span>
      <SavedText {...rest} label={label} suggestions={suggestions} size={12} invalid={invalid} />
    </div>
  );
}

export function PartField<Value extends string>(props: {
  label: string;
  chosen: Value;
  choices: readonly Choice<Value>[];
  choose: (value: Value) => void;
}) {
  return (
    <div className={css('named-field', 'muted')}>
      <span aria-hidden="true">{props.label}</span>
      <Select {...props} />
    </div>
  );
}

/** For how long a limit counts. */
export const limitPeriods = [
  { value: 'day', label: msg('per day') },
  { value: 'month', label: msg('per month') },
] as const;
/** What happens when it is used up. */
export const limitActions = [
  { value: 'warn', label: msg('Warn') },
  { value: 'stop', label: msg('Stop') },
] as const;
