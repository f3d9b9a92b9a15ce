import classNames from 'classnames/bind';
import { t } from '../../../app/language/translate.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { ChevronRight, Folder, Pin, Plus } from '../../parts/icons.tsx';
import { openNewSession } from '../composer/open-session.ts';
import { shortFolder } from '../paths.ts';
import { type Entry, pinnedKey } from './list-rows.ts';
import styles from './session-list.module.css';

const css = classNames.bind(styles);

type Group = Extract<Entry, { kind: 'group' }>;

interface GroupHeadProps {
  entry: Group;
  elementId: string;
  isActive: boolean;
  toggle: (entry: Group, isOpen: boolean) => void;
}

/** The line over the rows of a folder or a day. */
export function GroupHead({ entry, elementId, isActive, toggle }: GroupHeadProps) {
  const { name, folder, count, of, isOpen, isGone } = entry;
  const path = folder === null ? undefined : shortFolder(folder);
  const title = isGone && path !== undefined ? t('{folder} no longer exists.', { folder: path }) : path;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table can't be drawn in parts like this.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys.
    <div
      id={elementId}
      role="row"
      aria-level={1}
      aria-expanded={isOpen}
      className={css('session-group', { active: isActive })}
      data-testid={folder === null ? undefined : `session-group-${folder}`}
      title={title}
      onClick={() => toggle(entry, !isOpen)}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus. */}
      <div role="gridcell" className={css('session-cell')}>
        {!isOpen ? (
          <ChevronRight size={14} />
        ) : folder !== null ? (
          <Folder size={14} />
        ) : (
          entry.key === pinnedKey && <Pin size={14} />
        )}
        <span className="ell">{isGone ? <s>{name}</s> : name}</span>
        {count !== null && (
          <span className={css('count')}>
            {of === null ? grouped(count) : t('{done} of {all}', { done: grouped(count), all: grouped(of) })}
          </span>
        )}
        {folder !== null && !isGone && (
          <button
            type="button"
            tabIndex={-1}
            className="button quiet icon small"
            aria-label={t('New session in {folder}', { folder: name })}
            title={t('New session in {folder}', { folder: name })}
            onClick={(event) => {
              event.stopPropagation();
              openNewSession(folder);
            }}
          >
            <Plus size={14} />
          </button>
        )}
      </div>
    </div>
  );
}

interface OlderRowProps {
  entry: Extract<Entry, { kind: 'older' }>;
  elementId: string;
  isActive: boolean;
  showOlder: (group: string) => void;
}

/** More of a group, on request. */
export function OlderRow({ entry, elementId, isActive, showOlder }: OlderRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table can't be drawn in parts like this.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
    <div role="row" id={elementId} aria-level={2} className={css({ active: isActive })}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus. */}
      <div role="gridcell">
        <button type="button" tabIndex={-1} className={css('older')} onClick={() => showOlder(entry.group)}>
          {t('Show {count} more', { count: grouped(entry.count) })}
        </button>
      </div>
    </div>
  );
}
