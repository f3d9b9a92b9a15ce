import classNames from 'classnames/bind';
import { useState } from 'react';
import type { FolderFacts } from '../../../app/api/session-surroundings.ts';
import { t } from '../../../app/language/translate.ts';
import { LinkButton } from '../../parts/button.tsx';
import { useServices } from '../../state/services.ts';
import { emptyDraft, folderKey, putBack } from '../composer/draft.ts';
import { draftKeeper } from '../composer/use-draft.ts';
import styles from '../session-dialogs.module.css';
import { NewWorktreeDialog } from './new-worktree-dialog.tsx';
import { SetUpDialog, useSetUp } from './set-up.tsx';
import { WorktreesDialog } from './worktrees-dialog.tsx';

const css = classNames.bind(styles);

interface WorktreeLineProps {
  /** The folder as it was chosen. */
  folder: string;
  facts: FolderFacts;
  choose: (folder: string) => void;
  /** A worktree was removed. */
  removed: (folder: string) => void;
}

/** Beside the folder of a new session, where it is in a repository: the ways into another working folder of it. */
export function WorktreeLine({ folder, facts, choose, removed }: WorktreeLineProps) {
  const services = useServices();
  const [open, setOpen] = useState<'new' | 'list' | 'set-up' | null>(null);
  const { setUp, again } = useSetUp(facts.path);
  const close = (): void => setOpen(null);
  /** What was written for this folder is meant for the worktree. */
  const moveTo = (to: string): void => {
    const keeper = draftKeeper(services);
    const { draft } = keeper.held(folderKey(folder));
    keeper.change(folderKey(to), (now) => ({ ...putBack(draft, now), choices: { ...draft.choices, ...now.choices } }));
    keeper.change(folderKey(folder), (now) => ({ ...emptyDraft, choices: now.choices }));
    choose(to);
  };
  if (facts.branch === null && facts.uncommitted === null) return null;
  return (
    <>
      <span className={css('worktree-ways', 'small')}>
        <LinkButton aria-haspopup="dialog" onClick={() => setOpen('new')}>
          {t('In a new worktree…')}
        </LinkButton>
        <LinkButton aria-haspopup="dialog" onClick={() => setOpen('list')}>
          {t('Worktrees…')}
        </LinkButton>
      </span>
      {setUp !== null && (
        <span className={css('worktree-set-up', 'small')} role="status">
          {setUp.end === null
            ? t('The set-up command runs.')
            : isWell(setUp)
              ? t('The set-up command is done.')
              : t('The set-up command failed.')}{' '}
          <LinkButton aria-haspopup="dialog" onClick={() => setOpen('set-up')}>
            {t('Show it')}
          </LinkButton>
        </span>
      )}
      {open === 'new' && (
        <NewWorktreeDialog
          folder={facts.path}
          close={close}
          done={(to) => {
            close();
            moveTo(to);
          }}
        />
      )}
      {open === 'list' && (
        <WorktreesDialog
          folder={facts.path}
          removed={removed}
          close={close}
          begin={(to) => {
            close();
            choose(to);
          }}
        />
      )}
      {open === 'set-up' && <SetUpDialog path={facts.path} again={again} close={close} />}
    </>
  );
}

const isWell = ({ end }: NonNullable<ReturnType<typeof useSetUp>['setUp']>): boolean =>
  end?.kind === 'ended' && end.code === 0;
