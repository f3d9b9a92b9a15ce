import classNames from 'classnames/bind';
import { useCallback } from 'react';
import type { EngineName } from '../../app/api/search.ts';
import { keyedSearchEngineNames } from '../../app/api/search-engines.ts';
import { engineChoices } from '../../app/api/setting-fields.ts';
import type { Preferences } from '../../app/api/settings.ts';
import { t, translated } from '../../app/language/translate.ts';
import { engineHelp, engineNames } from '../../app/words/search.ts';
import { IconButton } from '../parts/button.tsx';
import { ChevronDown, ChevronUp, Close } from '../parts/icons.tsx';
import { useAsked } from '../state/asked.ts';
import { useApp, useServices } from '../state/services.ts';
import { Field, shownField } from './field.tsx';
import { SearchKeySetting } from './search-key.tsx';
import { SearchTry } from './search-try.tsx';
import { Section, Select, Setting, useChange, useManaged } from './setting.tsx';
import styles from './settings.module.css';

const css = classNames.bind(styles);

/** Engines that search the web for clients, their order, and a field to try it. */
export function WebSearchSection({ preferences }: { preferences: Preferences }) {
  const { bridge } = useServices();
  const { search } = preferences;
  const { account } = useApp();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other settings, or another sign-in, are another report.
  const ask = useCallback(() => bridge.searchReport(), [bridge, search, account.kind]);
  const { asked, again } = useAsked(ask);
  const report = asked.last;
  const engines = report?.enginesFixedBy === null || report === null ? search.engines : report.engines;
  return (
    <Section id="web-search">
      <Order engines={engines} fixedBy={report?.enginesFixedBy ?? null} />
      {engines.includes('copilot') && <Model preferences={preferences} models={report?.models ?? []} />}
      {engines.includes('searxng') && (
        <Field
          name="search.searxngUrl"
          preferences={preferences}
          unusable={report?.searxng === 'refused' ? t('This address is neither, so it isn’t used.') : null}
        />
      )}
      {report !== null &&
        keyedSearchEngineNames
          .filter((name) => engines.includes(name))
          .map((name) => <SearchKeySetting key={name} engine={name} state={report.keys[name]} changed={again} />)}
      <SearchTry ended={again} />
    </Section>
  );
}

function Order({ engines, fixedBy }: { engines: readonly EngineName[]; fixedBy: string | null }) {
  const { change, error } = useChange();
  const set = (next: EngineName[]): void => void change({ search: { engines: next } });
  const others = engineChoices.filter((name) => !engines.includes(name) && name !== 'off');
  const isManaged = useManaged('search.engines')?.isFixed === true;
  const free = fixedBy === null && !isManaged;
  return (
    <>
      <Setting
        of="search.engines"
        title={shownField('search.engines').label}
        help={fixedBy === null ? shownField('search.engines').help : t('Set from outside, by {fixedBy}.', { fixedBy })}
        error={error}
      >
        {free && others.length > 0 && (
          <Select
            label={t('Add an engine')}
            chosen=""
            choices={[
              { value: '', label: t('Add an engine…') },
              ...others.map((name) => ({ value: name, label: engineNames[name] })),
            ]}
            choose={(name) => {
              const found = others.find((other) => other === name);
              if (found !== undefined) set([...engines, found]);
            }}
          />
        )}
      </Setting>
      {engines.length === 0 && (
        <p className={css('muted', 'small', 'engine-none')}>{t('Nobody: the web is not searched for clients.')}</p>
      )}
      <ol aria-label={t('Engines in their order')}>
        {engines.map((engine, at) => (
          <li key={engine}>
            <Setting title={`${at + 1}. ${engineNames[engine]}`} help={helpOf(engine)}>
              {free && (
                <>
                  <IconButton
                    label={t('Ask {engine} earlier', { engine: engineNames[engine] })}
                    icon={<ChevronUp size={16} />}
                    disabled={at === 0}
                    onClick={() => set(moved(engines, at, -1))}
                  />
                  <IconButton
                    label={t('Ask {engine} later', { engine: engineNames[engine] })}
                    icon={<ChevronDown size={16} />}
                    disabled={at === engines.length - 1}
                    onClick={() => set(moved(engines, at, 1))}
                  />
                  <IconButton
                    label={t('Ask {engine} no more', { engine: engineNames[engine] })}
                    icon={<Close size={16} />}
                    onClick={() => set(engines.filter((name) => name !== engine))}
                  />
                </>
              )}
            </Setting>
          </li>
        ))}
      </ol>
    </>
  );
}

function helpOf(engine: EngineName): string {
  const help = engineHelp[engine];
  return help === null ? '' : translated(help);
}

function moved(engines: readonly EngineName[], at: number, by: 1 | -1): EngineName[] {
  const next = engines.filter((_, index) => index !== at);
  const engine = engines[at];
  return engine === undefined ? next : next.toSpliced(at + by, 0, engine);
}

/** A model that was written into settings.json is one of the choices. */
function Model({ preferences, models }: { preferences: Preferences; models: readonly string[] }) {
  const { model } = preferences.search;
  const [first] = models;
  const all = [...new Set([...models, ...(model === null ? [] : [model])])];
  const cheapest = {
    value: '',
    label: first === undefined ? t('The cheapest') : t('The cheapest ({first})', { first }),
  };
  return (
    <Field
      name="search.model"
      preferences={preferences}
      choices={[cheapest, ...all.map((id) => ({ value: id, label: id }))]}
    />
  );
}
