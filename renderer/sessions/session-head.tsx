import { useState } from 'react';
import { day, dayOfYear, hourAndMinute } from '../../app/words/times.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { ArrowLeft, Diff, More, SidebarExpand } from '../parts/icons.tsx';
import { MenuButton } from '../parts/menu.tsx';
import { sumOf } from './changes/change-rows.ts';
import { useChanges } from './changes/use-changes.ts';
import type { ListRow } from './list/list-rows.ts';
import { RenameField } from './list/session-row.tsx';
import { useSessionMenu } from './use-session-menu.ts';

export interface SessionHeadProps {
  row: ListRow;
  /** Goes to the list, where that is not in sight. */
  toList: (() => void) | null;
  /** It covers something that was there: an arrow back; else it brings the list back beside. */
  isAlone: boolean;
  openChanges: (() => void) | null;
}

/** What the session is, what it changed, and what can be done with it. */
export function SessionHead({ row, toList, isAlone, openChanges }: SessionHeadProps) {
  const [isRenaming, setRenaming] = useState(false);
  const menuOf = useSessionMenu();
  const { held, listed } = row;
  const begun = held?.createdAt ?? listed?.createdAt ?? null;
  const version = listed?.version ?? null;
  return (
    <header className="pane-head">
      {toList !== null && (
        <IconButton
          label="All sessions"
          icon={isAlone ? <ArrowLeft size={16} /> : <SidebarExpand size={16} />}
          onClick={toList}
        />
      )}
      <div className="pane-title">
        {isRenaming ? (
          <RenameField title={row.title} rename={(title) => menuOf.rename(row, title)} end={() => setRenaming(false)} />
        ) : (
          <>
            <h2 title={row.title} onDoubleClick={() => setRenaming(true)}>
              {row.title}
            </h2>
            <p>
              {row.folder !== null && <span className="mono">{row.folder}</span>}
              {begun !== null && ` · since ${day(begun) === day(Date.now()) ? hourAndMinute(begun) : dayOfYear(begun)}`}
              {version !== null && ` · Claude Code ${version}`}
            </p>
          </>
        )}
      </div>
      {held !== null && openChanges !== null && <ChangesButton session={row.id} open={openChanges} />}
      <MenuButton
        label="Session actions"
        icon={<More size={16} />}
        items={menuOf.ofSession(row, () => setRenaming(true))}
      />
    </header>
  );
}

/** `3 files +91 −13`; absent while nothing changed. */
function ChangesButton({ session, open }: { session: string; open: () => void }) {
  const { rows } = useChanges(session, null);
  if (rows === null || rows.length === 0) return null;
  const { added, removed } = sumOf(rows);
  return (
    <Button icon={<Diff size={16} />} onClick={open}>
      {rows.length} {rows.length === 1 ? 'file' : 'files'} <span className="plus">+{added}</span>{' '}
      <span className="minus">−{removed}</span>
    </Button>
  );
}
