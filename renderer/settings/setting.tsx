import classNames from 'classnames/bind';
import { type ReactNode, useCallback, useState } from 'react';
import { sectionTitles } from '../../app/api/setting-fields.ts';
import type { SettingSection } from '../../app/api/setting-table.ts';
import type { ManagedRule, Preferences, PreferencesChange } from '../../app/api/settings.ts';
import type { Message } from '../../app/language/messages.ts';
import { sentences } from '../../app/language/sentences.ts';
import { t, translated } from '../../app/language/translate.ts';
import { BridgeError } from '../bridge/bridge.ts';
import { Switch } from '../parts/choices.tsx';
import { useActions } from '../state/actions.ts';
import { toast } from '../state/notices.ts';
import { takePreferences } from '../state/preferences.ts';
import { go } from '../state/routes.ts';
import { useBrokenPolicy, useServices, useWindow } from '../state/services.ts';
import styles from './settings.module.css';

const css = classNames.bind(styles);

/** Goes to a section of the settings, also where its address is the one already. */
export function showSection(id: string): void {
  go({ place: 'settings', part: id });
  document.getElementById(`settings-${id}`)?.scrollIntoView({ block: 'start' });
}

interface SettingProps {
  /** Its name, where it is one that an organization can decide. */
  of?: string;
  title: string;
  help?: ReactNode;
  /** Why the last change was not taken. */
  error?: string | null;
  className?: string;
  children?: ReactNode;
}

/** One line of a section: what it is, what it means, its control. */
export function Setting({ of, title, help, error = null, className, children }: SettingProps) {
  const managed = useManaged(of);
  return (
    <div className={css('setting', className)}>
      <div className={css('setting-text')}>
        <span>{title}</span>
        {help !== undefined && <p className="muted small">{help}</p>}
        {managed !== null && managed.words !== null && <p className="small">{managed.words}</p>}
        <ChangeError error={error} />
      </div>
      {managed?.isFixed ? (
        <fieldset className={css('setting-control', 'in-row')} disabled aria-label={title}>
          {children}
        </fieldset>
      ) : (
        <div className={css('setting-control', 'in-row')}>{children}</div>
      )}
    </div>
  );
}

/**
 * What the organization decided of a setting; null: nothing. While its policy can't be used that isn't known, so that
 * nothing can be changed: the top of the page says so.
 */
export function useManaged(name: string | undefined): { words: string | null; isFixed: boolean } | null {
  const managed = useWindow(({ preferences }) => preferences?.managed ?? null);
  const broken = useBrokenPolicy();
  if (name === undefined) return null;
  if (broken !== null) return { words: null, isFixed: true };
  const rule = managed?.rules[name];
  if (rule === undefined) return null;
  if ('value' in rule) return { words: t('Set by your organization.'), isFixed: true };
  return { words: ruleWords(rule), isFixed: false };
}

function ruleWords(rule: Exclude<ManagedRule, { value: unknown }>): string {
  if ('allowed' in rule) return t('Your organization limits this to {allowed}.', { allowed: rule.allowed.join(', ') });
  const { min, max } = rule;
  if (min !== undefined && max !== undefined)
    return t('Your organization limits this to at least {min} and to at most {max}.', { min, max });
  if (min !== undefined) return t('Your organization limits this to at least {min}.', { min });
  return max === undefined
    ? t('Your organization limits this.')
    : t('Your organization limits this to at most {max}.', { max });
}

export function SwitchSetting(props: {
  title: string;
  help?: ReactNode;
  on: boolean;
  changeFor: (on: boolean) => PreferencesChange;
}) {
  const { change, error } = useChange();
  return (
    <Setting title={props.title} help={props.help} error={error}>
      <Switch label={props.title} on={props.on} change={(on) => void change(props.changeFor(on))} />
    </Setting>
  );
}

export interface Choice<Value extends string> {
  value: Value;
  label: string;
}

/** Choices of a table, in the shown language. */
export function translatedChoices<Value extends string>(
  choices: readonly { value: Value; label: Message }[],
): readonly Choice<Value>[] {
  return choices.map(({ value, label }) => ({ value, label: translated(label) }));
}

/** One of several; the browser's own list, so that it works as everywhere. */
export function Select<Value extends string>(props: {
  label: string;
  chosen: Value;
  choices: readonly Choice<Value>[];
  choose: (value: Value) => void;
}) {
  return (
    <select
      className="select"
      aria-label={props.label}
      value={props.chosen}
      onChange={(event) => {
        const found = props.choices.find(({ value }) => value === event.target.value);
        if (found !== undefined) props.choose(found.value);
      }}
    >
      {props.choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** A section with its heading, to be scrolled to. */
export function Section({ id, children }: { id: SettingSection; children: ReactNode }) {
  return (
    <div className={css('settings-section')} id={`settings-${id}`} data-section={id}>
      <h2>{translated(sectionTitles[id])}</h2>
      {children}
    </div>
  );
}

interface Changing {
  /** Puts it in force at once. True when it was taken. */
  change: (given: PreferencesChange) => Promise<boolean>;
  /** Why the last change was not taken. */
  error: string | null;
  clear: () => void;
}

/** Why a change was not taken, below the control. */
export function ChangeError({ error }: Pick<Changing, 'error'>) {
  if (error === null) return null;
  return (
    <p className="bad small" role="alert">
      {error}
    </p>
  );
}

/** Changes a setting. A refused value leaves the old one and says why below the control. */
export function useChange(): Changing {
  const { bridge, store } = useServices();
  const [error, setError] = useState<string | null>(null);
  const change = useCallback(
    async (given: PreferencesChange): Promise<boolean> => {
      try {
        takePreferences(store, await bridge.changePreferences(given));
        setError(null);
        return true;
      } catch (reason) {
        const why = reason instanceof Error ? reason.message : String(reason);
        // The app's own words say what couldn't be saved.
        setError(
          reason instanceof BridgeError
            ? sentences(why, reason.remedy)
            : t('This setting couldn’t be saved. {why}', { why }),
        );
        // Some of it may be in force all the same: a port that was kept but could not be taken.
        const now = await bridge.preferences().catch(() => null);
        if (now) takePreferences(store, now);
        return false;
      }
    },
    [bridge, store],
  );
  const clear = useCallback(() => setError(null), []);
  return { change, error, clear };
}

interface Removal<Rule> {
  /** What the notice says. */
  removed: string;
  at: number;
  listIn: (preferences: Preferences) => readonly Rule[];
  changeFor: (list: Rule[]) => PreferencesChange;
}

/** Takes one out of a list at once. Undo, in the notice, puts it back at its place. */
export function useRemove(change: Changing['change']): <Rule>(removal: Removal<Rule>) => Promise<void> {
  const { bridge, store } = useServices();
  const { tried } = useActions();
  return async ({ removed, at, listIn, changeFor }) => {
    const before = listIn(await bridge.preferences());
    const rule = before[at];
    if (rule === undefined || !(await change(changeFor(before.toSpliced(at, 1))))) return;
    const putBack = async (): Promise<void> => {
      // Others may have come or gone since.
      const now = listIn(await bridge.preferences());
      takePreferences(store, await bridge.changePreferences(changeFor(now.toSpliced(at, 0, rule))));
    };
    toast(store, removed, { action: { label: t('Undo'), run: () => void tried(putBack()) } });
  };
}
