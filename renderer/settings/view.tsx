import classNames from 'classnames/bind';
import { useEffect, useRef, useState } from 'react';
import { sectionTitles } from '../../app/api/setting-fields.ts';
import { sentences } from '../../app/language/sentences.ts';
import { t, translated } from '../../app/language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Warning } from '../parts/icons.tsx';
import { ViewHead } from '../parts/view-frame.tsx';
import { useActions } from '../state/actions.ts';
import { writeRoute } from '../state/routes.ts';
import { useApp, useBrokenPolicy, useServices, useWindow } from '../state/services.ts';
import { AboutSection } from './about.tsx';
import { AccountSection } from './account.tsx';
import { ClaudeCodeSection } from './claude-code.tsx';
import { ClientsSection } from './clients.tsx';
import { GeneralSection } from './general.tsx';
import { LimitsSection } from './limits.tsx';
import { NotificationsSection } from './notifications.tsx';
import { PrivacySection } from './privacy.tsx';
import { NetworkSection, ProxySection } from './proxy.tsx';
import { RulesSection } from './rules.tsx';
import { SessionsSection } from './sessions.tsx';
import { Select, showSection } from './setting.tsx';
import styles from './settings.module.css';
import { WebSearchSection } from './web-search.tsx';

const css = classNames.bind(styles);

const sections = [
  { id: 'general', Part: GeneralSection },
  { id: 'proxy', Part: ProxySection },
  { id: 'network', Part: NetworkSection },
  { id: 'limits', Part: LimitsSection },
  { id: 'rules', Part: RulesSection },
  { id: 'clients', Part: ClientsSection },
  { id: 'claude-code', Part: ClaudeCodeSection },
  { id: 'sessions', Part: SessionsSection },
  { id: 'web-search', Part: WebSearchSection },
  { id: 'privacy', Part: PrivacySection },
  { id: 'notifications', Part: NotificationsSection },
  { id: 'account', Part: AccountSection },
  { id: 'about', Part: AboutSection },
] as const;

/** All settings on one page, with a list of sections at the left. Changes apply at once. */
export function SettingsView() {
  const preferences = useWindow((state) => state.preferences);
  const part = useWindow(({ route }) => route.part);
  const { store } = useServices();
  const page = useRef<HTMLElement>(null);
  const [here, setHere] = useState<string>(part ?? 'general');
  const known = preferences !== null;

  useEffect(() => {
    if (!known) return;
    const section = part === null ? null : document.getElementById(`settings-${part}`);
    section?.scrollIntoView({ block: 'start' });
    if (section !== null) setHere(part ?? 'general');
  }, [part, known]);

  // What is at the top is where one is; at the end of the page the last one asked for keeps its mark while it is seen.
  const look = (): void => {
    const box = page.current;
    if (box === null) return;
    const atEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 4;
    const asked = store.getState().route.part;
    const top = box.getBoundingClientRect().top + 40;
    const section = document.getElementById(`settings-${asked}`)?.getBoundingClientRect();
    if (atEnd && asked !== null && section !== undefined && section.bottom > top) {
      setHere(asked);
      return;
    }
    const passed = [...box.querySelectorAll<HTMLElement>('[data-section]')].filter(
      (section) => section.getBoundingClientRect().top <= top,
    );
    setHere(passed.at(-1)?.dataset.section ?? 'general');
  };

  return (
    <>
      <ViewHead title={t('Settings')}>
        <span className={css('settings-jump')}>
          <Select
            label={t('Section')}
            chosen={here}
            choices={sections.map(({ id }) => ({ value: id, label: translated(sectionTitles[id]) }))}
            choose={showSection}
          />
        </span>
      </ViewHead>
      <PolicyTrouble />
      <FileTrouble />
      {preferences !== null && (
        <div className={css('settings')}>
          <nav className={css('settings-list')} aria-label={t('Sections')}>
            {sections.map(({ id }) => (
              <a
                key={id}
                href={writeRoute({ place: 'settings', part: id, query: '' })}
                aria-current={here === id ? 'true' : undefined}
                onClick={() => {
                  // The same address again changes nothing by itself.
                  document.getElementById(`settings-${id}`)?.scrollIntoView({ block: 'start' });
                }}
              >
                {translated(sectionTitles[id])}
              </a>
            ))}
          </nav>
          <section
            ref={page}
            className={css('settings-page')}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
            tabIndex={0}
            aria-label={t('All settings')}
            onScroll={look}
          >
            {sections.map(({ id, Part }) => (
              <Part key={id} preferences={preferences} />
            ))}
          </section>
        </div>
      )}
    </>
  );
}

/** Why nothing can be changed now. */
function PolicyTrouble() {
  const broken = useBrokenPolicy();
  if (broken === null) return null;
  return (
    <div className="banner amber" role="status" data-testid="policy-trouble">
      <Warning size={16} />
      <p>
        <b>{t('Settings can’t be changed until your organization’s policy is corrected.')}</b> {broken.text}
      </p>
    </div>
  );
}

/** What is wrong with settings.json, and what the next change does to it, before a person makes one. */
function FileTrouble() {
  const { warnings } = useApp();
  const { openFile } = useActions();
  // The banner says that one.
  const found = warnings.filter(({ code }) => code.startsWith('settings-') && code !== 'settings-unreadable');
  if (found.length === 0) return null;
  return (
    <div className="banner amber" role="status" data-testid="settings-trouble">
      <Warning size={16} />
      <p>{sentences(...found.flatMap(({ text, remedy }) => [text, remedy]))}</p>
      {openFile !== null && <Button onClick={() => openFile('settings')}>{t('Open file')}</Button>}
    </div>
  );
}
