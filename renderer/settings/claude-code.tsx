import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { settingFields } from '../../app/api/setting-fields.ts';
import type { Preferences } from '../../app/api/settings.ts';
import type { SetupPlan } from '../../app/api/setup.ts';
import { needsAttention } from '../../app/words/checks.ts';
import { counted } from '../../app/words/numbers.ts';
import { Button } from '../parts/button.tsx';
import { useActions } from '../state/actions.ts';
import { useServices } from '../state/services.ts';
import { showSetup, useOpenBroken, useSetupPlan } from '../state/setup-plan.ts';
import { Field } from './field.tsx';
import { Section, Setting, showSection } from './setting.tsx';

const shells = settingFields.shell.choices;

export function ClaudeCodeSection({ preferences }: { preferences: Preferences }) {
  const actions = useActions();
  const { openFolder } = actions;
  const own = shells.find(({ value }) => value === preferences.ownShell)?.label ?? preferences.ownShell;
  return (
    <Section id="claude-code">
      <Setting title="Setup" help="Clients lists what Jumpseat set in Claude Code’s settings, and undoes it.">
        <Button onClick={() => showSection('clients')}>Open Clients</Button>
      </Setting>
      {openFolder !== null && (
        <Setting title="Backups" help="One file for each change, never overwritten.">
          <Button onClick={() => openFolder('backups')}>Open folder</Button>
        </Setting>
      )}
      <Field name="shell" preferences={preferences} choices={[{ value: '', label: `Automatic (${own})` }, ...shells]}>
        {actions.copyLines !== null && <Button onClick={actions.copyLines}>Copy lines</Button>}
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
      ? 'Reading your settings…'
      : ours === 0
        ? `No key in ${plan.shown} is Jumpseat’s.`
        : `${counted(ours, 'key is', 'keys are')} ours. Everything else in ${plan.shown} stays as it is.`;
  // A model that isn't offered any more, among others.
  const differs =
    ours > 0 && found !== null && needsAttention(found) ? `${found.finding} Show changes to fix it.` : null;
  const trouble = look.kind === 'failed' ? `${look.text} ${look.remedy}`.trim() : differs;
  return (
    <>
      <div className="setting-text">
        {heading}
        {look.kind !== 'failed' && <p className="muted small">{help}</p>}
        {trouble !== null && (
          <p className="bad small" role="alert">
            {trouble}
          </p>
        )}
        {activity !== null && <p className="muted small figures">{activity}</p>}
      </div>
      <div className="setting-control">
        {look.kind === 'failed' && (
          <>
            {openBroken !== null && <Button onClick={openBroken}>Open file</Button>}
            <Button onClick={again}>Try again</Button>
          </>
        )}
        {plan !== null && ours === 0 && (
          <Button aria-label="Set up Claude Code…" onClick={() => open('setup')}>
            Set up…
          </Button>
        )}
        {ours > 0 && (
          <>
            <Button onClick={() => open('setup')}>Show changes</Button>
            <Button aria-label="Undo setup of Claude Code…" onClick={() => open('undo')}>
              Undo…
            </Button>
          </>
        )}
        {children}
      </div>
    </>
  );
}
