import classNames from 'classnames/bind';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Preferences } from '../../app/api/settings.ts';
import type { SetupPlan } from '../../app/api/setup.ts';
import { sentences } from '../../app/language/sentences.ts';
import { t } from '../../app/language/translate.ts';
import { needsAttention } from '../../app/words/checks.ts';
import { Button } from '../parts/button.tsx';
import { useActions } from '../state/actions.ts';
import { useServices } from '../state/services.ts';
import { showSetup, useOpenBroken, useSetupPlan } from '../state/setup-plan.ts';
import { Field, shownField } from './field.tsx';
import { Section, Setting, showSection } from './setting.tsx';
import styles from './settings.module.css';

const css = classNames.bind(styles);

export function ClaudeCodeSection({ preferences }: { preferences: Preferences }) {
  const actions = useActions();
  const { openFolder } = actions;
  const shells = shownField('shell').choices;
  const own = shells.find(({ value }) => value === preferences.ownShell)?.label ?? preferences.ownShell;
  return (
    <Section id="claude-code">
      <Setting title={t('Setup')} help={t('Clients lists what Jumpseat set in Claude Code’s settings, and undoes it.')}>
        <Button onClick={() => showSection('clients')}>{t('Open Clients')}</Button>
      </Setting>
      {openFolder !== null && (
        <Setting title={t('Backups')} help={t('One file for each change, never overwritten.')}>
          <Button onClick={() => openFolder('backups')}>{t('Open folder')}</Button>
        </Setting>
      )}
      <Field
        name="shell"
        preferences={preferences}
        choices={[{ value: '', label: t('Automatic ({own})', { own }) }, ...shells]}
      >
        {actions.copyLines !== null && <Button onClick={actions.copyLines}>{t('Copy lines')}</Button>}
      </Field>
    </Section>
  );
}

/** What Claude Code has of Jumpseat, as the first of the clients. */
export function ClaudeCodeSetup({
  heading,
  activity,
  children,
}: {
  heading: ReactNode;
  activity: string | null;
  children: ReactNode;
}) {
  const { store, health } = useServices();
  const found = useStore(health.store, ({ checks }) => checks?.find(({ id }) => id === 'claude-code.settings') ?? null);
  const { look, again } = useSetupPlan('undo');
  const openBroken = useOpenBroken(look);
  const open = (action: SetupPlan['action']): void => showSetup(store, action);
  const plan = look.kind === 'plan' ? look.plan : null;
  const ours = plan?.changes.filter(({ kind }) => kind !== 'left').length ?? 0;
  const help =
    plan === null
      ? t('Reading your settings…')
      : ours === 0
        ? t('Nothing in {shown} is from Jumpseat.', { shown: plan.shown })
        : t('{ours, plural, one {# key is} other {# keys are}} ours. Everything else in {shown} stays as it is.', {
            ours,
            shown: plan.shown,
          });
  // A model that isn't offered any more, among others.
  const differs =
    ours > 0 && found !== null && needsAttention(found)
      ? t('{finding} Show changes to fix it.', { finding: found.finding })
      : null;
  const trouble = look.kind === 'failed' ? sentences(look.text, look.remedy) : differs;
  return (
    <>
      <div className={css('setting-text')}>
        {heading}
        {look.kind !== 'failed' && <p className="muted small">{help}</p>}
        {trouble !== null && (
          <p className="bad small" role="alert">
            {trouble}
          </p>
        )}
        {activity !== null && <p className="muted small figures">{activity}</p>}
      </div>
      <div className={css('setting-control', 'in-row')}>
        {look.kind === 'failed' && (
          <>
            {openBroken !== null && <Button onClick={openBroken}>{t('Open file')}</Button>}
            <Button onClick={again}>{t('Try again')}</Button>
          </>
        )}
        {plan !== null && ours === 0 && (
          <Button aria-label={t('Set up Claude Code…')} onClick={() => open('setup')}>
            {t('Set up…')}
          </Button>
        )}
        {ours > 0 && (
          <>
            <Button onClick={() => open('setup')}>{t('Show changes')}</Button>
            <Button aria-label={t('Undo setup of Claude Code…')} onClick={() => open('undo')}>
              {t('Undo…')}
            </Button>
          </>
        )}
        {children}
      </div>
    </>
  );
}
