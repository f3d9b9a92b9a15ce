import { useStore } from 'zustand';
import type { Preferences } from '../../app/api/settings.ts';
import type { SetupPlan, Shell } from '../../app/api/setup.ts';
import { needsAttention } from '../../app/words/checks.ts';
import { counted } from '../../app/words/numbers.ts';
import { Button } from '../parts/button.tsx';
import { useActions } from '../state/actions.ts';
import { useServices } from '../state/services.ts';
import { showSetup, useOpenBroken, useSetupPlan } from '../state/setup-plan.ts';
import { Section, SelectSetting, Setting } from './setting.tsx';

const shellNames: Readonly<Record<Shell, string>> = {
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  powershell: 'PowerShell',
  cmd: 'Command Prompt',
  json: 'settings.json',
};
const shells: readonly Shell[] = ['bash', 'zsh', 'fish', 'powershell', 'cmd', 'json'];

export function ClaudeCodeSection({ preferences }: { preferences: Preferences }) {
  const actions = useActions();
  const { openFolder } = actions;
  return (
    <Section id="claude-code" title="Claude Code">
      <SetupSetting />
      {openFolder !== null && (
        <Setting title="Backups" help="One file for each change, never overwritten.">
          <Button onClick={() => openFolder('backups')}>Open folder</Button>
        </Setting>
      )}
      <SelectSetting
        title="Lines for the shell"
        help="For a setup without settings.json. They hold your local key."
        chosen={preferences.shell ?? 'own'}
        choices={[
          { value: 'own', label: `Automatic (${shellNames[preferences.ownShell]})` },
          ...shells.map((shell) => ({ value: shell, label: shellNames[shell] })),
        ]}
        changeFor={(chosen) => ({ shell: chosen === 'own' ? null : chosen })}
      >
        {actions.copyLines !== null && <Button onClick={actions.copyLines}>Copy lines</Button>}
      </SelectSetting>
    </Section>
  );
}

function SetupSetting() {
  const { store, health } = useServices();
  const found = useStore(health.store, ({ checks }) => checks?.find(({ id }) => id === 'claude-code.settings') ?? null);
  const { look, again } = useSetupPlan('undo');
  const openBroken = useOpenBroken(look);
  const open = (action: SetupPlan['action']): void => showSetup(store, action);
  const plan = look.kind === 'plan' ? look.plan : null;
  const ours = plan?.changes.filter(({ kind }) => kind !== 'left').length ?? 0;
  const help =
    look.kind === 'failed'
      ? undefined
      : plan === null
        ? 'Reading your settings…'
        : ours === 0
          ? `No key in ${plan.shown} is Jumpseat’s.`
          : `${counted(ours, 'key is', 'keys are')} ours. Everything else in ${plan.shown} stays as it is.`;
  // A model that isn't offered any more, among others.
  const differs =
    ours > 0 && found !== null && needsAttention(found) ? `${found.finding} Show changes to fix it.` : null;
  return (
    <Setting
      title="Setup in settings.json"
      help={help}
      error={look.kind === 'failed' ? `${look.text} ${look.mend}`.trim() : differs}
    >
      {look.kind === 'failed' && (
        <>
          {openBroken !== null && <Button onClick={openBroken}>Open file</Button>}
          <Button onClick={again}>Try again</Button>
        </>
      )}
      {plan !== null && ours === 0 && <Button onClick={() => open('setup')}>Set up Claude Code…</Button>}
      {ours > 0 && (
        <>
          <Button onClick={() => open('setup')}>Show changes</Button>
          <Button onClick={() => open('undo')}>Undo setup…</Button>
        </>
      )}
    </Setting>
  );
}
