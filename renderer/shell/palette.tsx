import { clientNames, sectionTitles, settingFields } from '../../app/api/setting-fields.ts';
import { t, translated } from '../../app/language/translate.ts';
import type { MenuItem } from '../parts/menu.tsx';
import { hasWords, Palette, type PaletteGroup, type PaletteItem, type PaletteProps } from '../parts/palette.tsx';
import { chordWords } from '../parts/shortcuts.ts';
import { openNewSession } from '../sessions/composer/open-session.ts';
import { useSessionItems } from '../sessions/go-to-session.tsx';
import { useSessionList } from '../sessions/list/entries.ts';
import { isBrowserWindow, keyWords, sessionShortcuts } from '../sessions/session-shortcuts.ts';
import { useSessionMenu } from '../sessions/use-session-menu.ts';
import { useActions } from '../state/actions.ts';
import { go, routeTo } from '../state/routes.ts';
import { useServices, useWindow } from '../state/services.ts';
import { navigation } from './places.tsx';

const mostSessions = 6;
const mostSettings = 8;

/** `also`: words that it is found by, too. */
type Searched = PaletteItem & { also?: string };

/** Everything that can be gone to or done from anywhere: sessions, commands, settings. */
export default function WindowPalette(props: Pick<PaletteProps, 'close' | 'typed'>) {
  const sessionsFor = useSessionItems();
  const commands = useCommands();
  const fitting = (items: readonly Searched[], words: string): PaletteItem[] => {
    const byName = items.filter(({ title, beside }) => hasWords(`${title} ${beside ?? ''}`, words));
    const byHelp = items.filter(
      (item) => !byName.includes(item) && hasWords(`${item.title} ${item.also ?? ''}`, words),
    );
    return [...byName, ...byHelp];
  };
  // Who types a command's name means the command, also where sessions are called so.
  const sessionsAndCommands = (words: string): PaletteGroup[] => {
    const named = { heading: t('Commands'), items: fitting(commands, words) };
    const groups = [{ heading: t('Sessions'), items: sessionsFor(words, mostSessions) }, named];
    return isNamed(named.items, words) ? groups.reverse() : groups;
  };
  return (
    <Palette
      {...props}
      label={t('Search sessions, commands and settings')}
      none={t('Nothing matches')}
      offered={(words) => [
        ...sessionsAndCommands(words),
        { heading: t('Settings'), items: words.trim() === '' ? [] : fitting(settings(), words).slice(0, mostSettings) },
      ]}
    />
  );
}

function isNamed(items: readonly PaletteItem[], words: string): boolean {
  const typed = words.trim().toLowerCase();
  return typed !== '' && items.some(({ title }) => title.toLowerCase().startsWith(typed));
}

function useCommands(): PaletteItem[] {
  const { store, bridge, log } = useServices();
  const menuOf = useSessionMenu();
  const rows = useSessionList();
  const openId = useWindow(({ route }) => route.part);
  const isInSessions = useWindow(({ route }) => route.place === 'sessions');
  const isInRequests = useWindow(({ route }) => route.place === 'requests');
  const { setProxy, copyLines, signOut } = useActions();
  const isSignedIn = useWindow(({ app }) => app?.account.kind === 'signed-in');
  const isOn = useWindow(({ app }) => app?.proxy.kind === 'on' || app?.proxy.kind === 'starting');
  const openRow = isInSessions ? rows?.find(({ id }) => id === openId) : undefined;
  return [
    ...navigation.map(({ place, title, key }) => ({
      ...{ key: place, title: t('Go to {title}', { title: translated(title) }), beside: chordWords(`Mod+${key}`) },
      run: () => go(routeTo(place, store.getState())),
    })),
    {
      ...{ key: 'new-session', title: t('New session'), run: () => openNewSession(null) },
      // Its key works in Sessions.
      ...(isInSessions && { beside: keyWords(sessionShortcuts.view.newSession, isBrowserWindow(bridge)) }),
    },
    ...(openRow === undefined ? [] : menuOf.ofSession(openRow).flatMap(toCommand)),
    ...(isInRequests
      ? [
          {
            ...{ key: 'clear', title: t('Clear list'), beside: chordWords('Mod+Shift+K') },
            run: () => {
              log.clear();
              go({ ...store.getState().route, part: null }, { replace: true });
            },
          },
        ]
      : []),
    ...(isSignedIn ? [{ key: 'sign-out', title: t('Sign out…'), run: signOut }] : []),
    ...(setProxy === null
      ? []
      : [
          {
            ...{ key: 'proxy', title: isOn ? t('Turn the proxy off') : t('Turn the proxy on') },
            ...{ beside: chordWords('Mod+Shift+P'), run: () => void setProxy(!isOn) },
          },
        ]),
    ...(copyLines === null
      ? []
      : [
          {
            ...{ key: 'lines', title: t('Copy the lines for Claude Code') },
            ...{ beside: chordWords('Mod+Shift+L'), run: copyLines },
          },
        ]),
  ];
}

/** An entry of the open session's menu as a command; none where it can't be done now. */
function toCommand(item: MenuItem): PaletteItem[] {
  if (item === 'separator' || 'items' in item || item.disabled === true) return [];
  const { label, hint, run } = item;
  return [{ key: `session ${label}`, title: label, beside: hint ?? t('This session'), run }];
}

const toSection = (part: string) => (): void => go({ place: 'settings', part });

/** The sections of Settings, and each setting with the section that has it. */
const settings = (): readonly Searched[] => [
  ...Object.entries(sectionTitles).map(([section, title]) => ({
    ...{ key: `section ${section}`, title: translated(title), beside: t('Settings'), run: toSection(section) },
    ...(section === 'clients' && { also: `Claude Code ${clientNames.join(' ')}` }),
  })),
  ...Object.entries(settingFields).flatMap(([name, { label, help, section, choices }]) =>
    label === '' || section === null
      ? []
      : [
          {
            also: [
              name,
              help === '' ? '' : translated(help),
              ...choices.map((choice) => translated(choice.label)),
            ].join(' '),
            ...{
              key: name,
              title: translated(label),
              beside: translated(sectionTitles[section]),
              run: toSection(section),
            },
          },
        ],
  ),
];
