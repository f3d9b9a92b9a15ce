import { Button } from '../../parts/button.tsx';
import { More, Plus } from '../../parts/icons.tsx';
import { MenuButton } from '../../parts/menu.tsx';
import { useActions } from '../../state/actions.ts';
import { go } from '../../state/navigation.ts';
import { takePreferences } from '../../state/preferences.ts';
import { useServices, useWindow } from '../../state/services.ts';
import { openNewSession } from '../composer/open-session.ts';
import { showKeys } from '../keys-shown.ts';
import { keyWords, sessionKeys, useKeyTitles } from '../session-keys.ts';
import { useSessionActions } from '../state/hooks.ts';
import { type GroupBy, isUnseen, type ListRow } from './list-rows.ts';

export interface ListHeadProps {
  rows: readonly ListRow[];
  by: GroupBy;
  group: (by: GroupBy) => void;
}

/** The name of the view, and what can be done with all sessions. */
export function ListHead({ rows, by, group }: ListHeadProps) {
  const actions = useSessionActions();
  const { bridge, store } = useServices();
  const { tried } = useActions();
  const withElsewhere = useWindow(({ preferences }) => preferences?.sessions.madeElsewhere ?? true);
  const showElsewhere = (madeElsewhere: boolean): Promise<void> =>
    tried(bridge.changePreferences({ sessions: { madeElsewhere } }).then((now) => takePreferences(store, now)));
  const { titled } = useKeyTitles();
  const unseen = rows.filter(isUnseen);
  const idle = rows.filter(isIdle);
  return (
    <header className="pane-head">
      <h1>Sessions</h1>
      <Button
        icon={<Plus size={16} />}
        {...titled('New session', sessionKeys.view.newSession)}
        onClick={() => openNewSession(null)}
      >
        New session
      </Button>
      <MenuButton
        label="More actions"
        icon={<More size={16} />}
        items={[
          {
            label: 'Group by',
            items: [
              { label: 'Folder', checked: by === 'folder', run: () => group('folder') },
              { label: 'Day', checked: by === 'day', run: () => group('day') },
            ],
          },
          { label: 'Sessions made elsewhere', checked: withElsewhere, run: () => void showElsewhere(!withElsewhere) },
          'separator',
          {
            label: 'Mark all as seen',
            disabled: unseen.length === 0,
            run: () => {
              for (const { id } of unseen) void actions.saw(id);
            },
          },
          {
            label: 'Unload idle sessions',
            disabled: idle.length === 0,
            run: () => {
              for (const { id } of idle) void actions.unload(id);
            },
          },
          'separator',
          { label: 'Session settings', run: () => go({ place: 'settings', part: 'sessions' }) },
          { label: 'Keys', run: showKeys, hint: keyWords(sessionKeys.view.help) },
        ]}
      />
    </header>
  );
}

function isIdle({ held }: ListRow): boolean {
  return held?.state === 'idle' && held.tasks.length === 0;
}
