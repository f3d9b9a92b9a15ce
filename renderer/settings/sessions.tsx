import type { Preferences } from '../../app/api/settings.ts';
import { EffortAndModel, Enter, Permissions } from './new-sessions.tsx';
import { ElsewhereSessions, OpenFilesWith, Versions } from './session-files.tsx';
import { AtOnce, CreditsPerTurn, Unloading } from './session-limits.tsx';
import { ProgramSetting } from './session-program.tsx';
import { Section, SwitchSetting } from './setting.tsx';

/** Sessions that Jumpseat leads: which program does, what new ones begin with, and what holds for all of them. */
export function SessionsSection({ preferences: { sessions, desktop } }: { preferences: Preferences }) {
  return (
    <Section id="sessions" title="Sessions">
      <ProgramSetting />
      <Permissions sessions={sessions} />
      <EffortAndModel sessions={sessions} />
      <Enter sessions={sessions} />
      <AtOnce sessions={sessions} />
      <CreditsPerTurn sessions={sessions} />
      <Unloading sessions={sessions} />
      <Versions sessions={sessions} />
      {desktop !== null && (
        <SwitchSetting
          title="Titles outside the window"
          help="Shows titles in the tray and in notifications. Off: the folder’s name only."
          on={sessions.titlesOutside}
          changeFor={(on) => ({ sessions: { titlesOutside: on } })}
        />
      )}
      <ElsewhereSessions sessions={sessions} />
      <OpenFilesWith sessions={sessions} />
      <SwitchSetting
        title="Search what was said"
        help="Keeps an index of sessions of Claude Code, on this machine only."
        on={sessions.search}
        changeFor={(on) => ({ sessions: { search: on } })}
      />
      <SwitchSetting
        title="Let Claude Code ask Anthropic about pages"
        help="About the domain of a page, before it reads it."
        on={sessions.webFetchPreflight}
        changeFor={(on) => ({ sessions: { webFetchPreflight: on } })}
      />
    </Section>
  );
}
