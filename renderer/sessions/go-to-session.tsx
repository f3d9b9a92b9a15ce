import { t } from '../../app/language/translate.ts';
import { Palette, type PaletteItem } from '../parts/palette.tsx';
import { openSessionToWrite } from './composer/open-session.ts';
import { useSessionList } from './list/entries.ts';
import { foundRows } from './list/list-rows.ts';
import { shortFolder } from './paths.ts';

const mostShown = 12;

/** Goes to a session by its name. */
export function GoToSession({ close }: { close: () => void }) {
  const sessionsFor = useSessionItems();
  return (
    <Palette
      label={t('Go to a session')}
      none={t('No sessions match')}
      offered={(words) => [{ heading: null, items: sessionsFor(words, mostShown) }]}
      close={close}
    />
  );
}

/** Sessions whose name, folder or id has all these words, as a palette offers them. */
export function useSessionItems(): (words: string, most: number) => PaletteItem[] {
  const rows = useSessionList() ?? [];
  return (words, most) =>
    foundRows(rows, words)
      .slice(0, most)
      .map(({ id, title, folder }) => ({
        ...{ key: id, title, beside: folder === null ? null : shortFolder(folder) },
        run: () => openSessionToWrite(id),
      }));
}
