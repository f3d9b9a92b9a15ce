import { counted } from '../../../app/words/numbers.ts';
import { day, dayOfYear, hourAndMinute } from '../../../app/words/times.ts';
import { Folder } from '../../parts/icons.tsx';
import { baseName, parentOf, shortFolder } from './paths.ts';
import type { RecentFolder } from './recent-folders.ts';

export interface RecentFoldersProps {
  folders: readonly RecentFolder[];
  chosen: string | null;
  choose: (path: string) => void;
}

/** Folders that sessions ran in: one click sets the folder of the new one. */
export function RecentFolders({ folders, chosen, choose }: RecentFoldersProps) {
  if (folders.length === 0) return null;
  return (
    <section className="recents" aria-labelledby="recent-folders">
      <h3 id="recent-folders">Recent folders</h3>
      <ul>
        {folders.map(({ path, sessions, last }) => (
          <li key={path}>
            <button type="button" aria-pressed={path === chosen} title={path} onClick={() => choose(path)}>
              <Folder size={16} />
              <span>{baseName(path)}</span>
              <span className="mono muted">{shortFolder(parentOf(path))}</span>
              <span className="recent-count">{counted(sessions, 'session')}</span>
              <span className="recent-last">{last === 0 ? '–' : when(last)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `10:39`, `11 Nov` */
function when(at: number): string {
  return day(at) === day(Date.now()) ? hourAndMinute(at) : dayOfYear(at);
}
