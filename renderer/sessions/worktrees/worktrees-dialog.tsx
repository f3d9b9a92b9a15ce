import classNames from 'classnames/bind';
import { useCallback, useEffect, useState } from 'react';
import type { Worktree, Worktrees } from '../../../app/api/calls/worktrees.ts';
import { listed } from '../../../app/language/formats.ts';
import { t } from '../../../app/language/translate.ts';
import { bytes, grouped } from '../../../app/words/numbers.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Ring } from '../../parts/icons.tsx';
import { callFailure, useAsked } from '../../state/asked.ts';
import { useServices } from '../../state/services.ts';
import { baseName, shortFolder } from '../paths.ts';
import styles from '../session-dialogs.module.css';

const css = classNames.bind(styles);

interface WorktreesDialogProps {
  folder: string;
  /** Starts a new session in one of them. */
  begin: (folder: string) => void;
  /** Its folder is gone. */
  removed: (folder: string) => void;
  close: () => void;
}

/** The worktrees of a folder's repository, each with what is in it that is nowhere else. */
export function WorktreesDialog({ folder, begin, removed, close }: WorktreesDialogProps) {
  const { bridge } = useServices();
  const { asked, again } = useAsked(useCallback(() => bridge.worktrees(folder), [bridge, folder]));
  const [removing, setRemoving] = useState<Worktree | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const sizes = useSizes(folder, asked.last);
  if (removing !== null && asked.last !== null) {
    const { repository } = asked.last;
    return (
      <RemoveDialog
        listed={removing}
        folder={folder}
        close={() => {
          setRemoving(null);
          void again();
        }}
        done={(kept) => {
          removed(removing.path);
          if (removing.isHere) return begin(repository);
          setRemoving(null);
          const name = baseName(removing.path);
          setSaid(
            kept === null
              ? t('{name} was removed.', { name })
              : t('{name} was removed. git kept its branch: {why}.', { name, why: kept }),
          );
          void again();
        }}
      />
    );
  }
  return (
    <Dialog wide title={t('Worktrees')} close={close} action={null}>
      {said !== null && <p role="status">{said}</p>}
      {asked.kind === 'failed' && (
        <p className="bad" role="alert">
          {asked.text} {asked.remedy}
        </p>
      )}
      {asked.kind === 'loading' && (
        <p>
          <Ring size={12} /> {t('Asking git…')}
        </p>
      )}
      {asked.kind === 'known' && asked.last === null && (
        <p>{t('Nothing was committed in this repository yet. A worktree begins at a commit.')}</p>
      )}
      {asked.last !== null && (
        <ul className={css('worktrees')}>
          {asked.last.worktrees.map((one) => (
            <WorktreeRow
              key={one.path}
              worktree={one}
              into={asked.last?.into ?? null}
              size={sizes.get(one.path)}
              begin={() => begin(one.path)}
              remove={() => setRemoving(one)}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface WorktreeRowProps {
  worktree: Worktree;
  into: string | null;
  /** Null: not known; undefined: not yet. */
  size: number | null | undefined;
  begin: () => void;
  remove: () => void;
}

function WorktreeRow({ worktree, into, size, begin, remove }: WorktreeRowProps) {
  const { path, branch, isMain, isHere, isGone, usedBy } = worktree;
  const name = baseName(path);
  const sized = isGone ? null : size === undefined ? '…' : size === null ? t('size unknown') : bytes(size);
  return (
    <li aria-label={name}>
      <div className={css('worktree-what')}>
        <p>
          <strong>{branch ?? t('No branch')}</strong>
          {isMain && <span className="muted small"> {t('the repository itself')}</span>}
          {isHere && !isMain && <span className="muted small"> {t('chosen now')}</span>}
        </p>
        <p className="mono small muted">{shortFolder(path)}</p>
        <p className="small">{[...stateWords(worktree, into), sized].filter(Boolean).join(' · ')}</p>
        {usedBy.map(({ id, title, isTerminal }) => (
          <p key={id} className="small">
            {isTerminal ? t('“{title}” is open here in a terminal.', { title }) : t('“{title}” works here.', { title })}
          </p>
        ))}
      </div>
      <div className={css('worktree-does')}>
        {!isGone && (
          <Button aria-label={t('New session in {folder}', { folder: name })} onClick={begin}>
            {t('New session')}
          </Button>
        )}
        {!isMain && (
          <Button aria-label={t('Remove {name}…', { name })} disabled={usedBy.length > 0} onClick={remove}>
            {t('Remove…')}
          </Button>
        )}
      </div>
    </li>
  );
}

/** What speaks for keeping it, and what for removing it. */
export function stateWords(worktree: Worktree, into: string | null): string[] {
  const { isGone, lock, uncommitted, unmerged, unkept, isUnused } = worktree;
  if (isGone) return [t('Its folder no longer exists.')];
  const words: string[] = [];
  if (lock !== null) words.push(lock === '' ? t('Locked') : t('Locked: {reason}', { reason: lock }));
  if (uncommitted === null) words.push(t('git couldn’t say what is committed'));
  else if (uncommitted === 0) words.push(t('Everything committed'));
  else words.push(t('{files, plural, one {# file} other {# files}} not committed', { files: uncommitted }));
  if (unkept > 0) {
    words.push(t('{commits, plural, one {# commit} other {# commits}} in no branch', { commits: unkept }));
  }
  if (isUnused) words.push(t('No commits yet'));
  else if (unmerged !== null && into !== null) {
    words.push(
      unmerged === 0
        ? t('Merged into {branch}', { branch: into })
        : t('{commits, plural, one {# commit} other {# commits}} not in {branch}', { commits: unmerged, branch: into }),
    );
  }
  return words;
}

/** Counted one after the other, once the list is there. */
function useSizes(folder: string, worktrees: Worktrees | null): ReadonlyMap<string, number | null> {
  const { bridge } = useServices();
  const [sizes, setSizes] = useState<ReadonlyMap<string, number | null>>(new Map());
  useEffect(() => {
    let isWanted = true;
    const count = async (): Promise<void> => {
      for (const { path, isGone } of worktrees?.worktrees ?? []) {
        if (isGone || !isWanted) continue;
        const size = await bridge.worktreeSize({ folder, path }).catch(() => null);
        if (isWanted) setSizes((before) => new Map(before).set(path, size));
      }
    };
    void count();
    return () => {
      isWanted = false;
    };
  }, [bridge, folder, worktrees]);
  return sizes;
}

interface RemoveDialogProps {
  /** As it was when the worktrees were listed. */
  listed: Worktree;
  folder: string;
  done: (branchKept: string | null) => void;
  close: () => void;
}

/** More names of ignored files are counted. */
const mostNames = 8;

/** Asks git anew: what is in it may have come since it was listed. */
function RemoveDialog({ listed: { path }, folder, done, close }: RemoveDialogProps) {
  const { bridge } = useServices();
  const { asked } = useAsked(useCallback(() => bridge.worktrees(folder), [bridge, folder]));
  const [deleteBranch, setDeleteBranch] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const worktree = asked.last?.worktrees.find((one) => one.path === path) ?? null;
  const remove = async (): Promise<void> => {
    setRemoving(true);
    setProblem(null);
    try {
      const { branchKept } = await bridge.removeWorktree({ folder, path, deleteBranch });
      done(branchKept);
    } catch (error) {
      const { text, remedy } = callFailure(error);
      setProblem(`${text} ${remedy}`.trim());
      setRemoving(false);
    }
  };
  return (
    <Dialog
      title={t('Remove the worktree {name}?', { name: baseName(path) })}
      close={close}
      action={{
        label: t('Remove worktree'),
        danger: true,
        run: () => void remove(),
        disabled: worktree === null || isRefused(worktree) || isRemoving,
      }}
    >
      <p className="mono small">{shortFolder(path)}</p>
      {asked.kind === 'loading' && (
        <p role="status">
          <Ring size={12} /> {t('Asking git…')}
        </p>
      )}
      {asked.kind === 'failed' && (
        <p className="bad" role="alert">
          {asked.text} {asked.remedy}
        </p>
      )}
      {asked.kind === 'known' && worktree === null && <p>{t('git no longer lists this worktree.')}</p>}
      {worktree !== null && (
        <WhatGoes {...{ worktree, deleteBranch, setDeleteBranch, isRemoving }} into={asked.last?.into ?? null} />
      )}
      {problem !== null && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}

const isRefused = ({ isGone, uncommitted, unkept }: Worktree): boolean => !isGone && (uncommitted !== 0 || unkept > 0);

interface WhatGoesProps {
  worktree: Worktree;
  into: string | null;
  deleteBranch: boolean;
  setDeleteBranch: (wanted: boolean) => void;
  isRemoving: boolean;
}

/** What is lost with it, what stays, or why it can't be removed. */
function WhatGoes({ worktree, into, deleteBranch, setDeleteBranch, isRemoving }: WhatGoesProps) {
  const { branch, unmerged, ignored, isUnused } = worktree;
  const more = ignored.length - mostNames;
  if (isRefused(worktree)) {
    return (
      <p className="bad">
        {stateWords({ ...worktree, unmerged: null, isUnused: false }, into).join(' · ')}.{' '}
        {t('It can’t be removed before that is in a branch, or discarded.')}
      </p>
    );
  }
  return (
    <>
      <p>{t('Its folder is deleted. Conversations of its sessions stay.')}</p>
      {ignored.length > 0 && (
        <p>
          {more > 0
            ? t('Files that git ignores are deleted too: {files} and {count} more.', {
                files: ignored.slice(0, mostNames).join(', '),
                count: grouped(more),
              })
            : t('Files that git ignores are deleted too: {files}.', { files: listed(ignored) })}
        </p>
      )}
      {branch !== null && (unmerged ?? 0) > 0 && (
        <p>
          {t(
            '{commits, plural, one {# commit of {branch} isn’t} other {# commits of {branch} aren’t}} in {into}. The branch stays, with all of its commits.',
            { commits: unmerged ?? 0, branch, into: into ?? '' },
          )}
        </p>
      )}
      {branch !== null && unmerged === null && <p>{t('The branch {branch} stays.', { branch })}</p>}
      {branch !== null && unmerged === 0 && (
        <label className={css('dialog-choice')}>
          <input
            type="checkbox"
            checked={deleteBranch}
            disabled={isRemoving}
            onChange={({ target }) => setDeleteBranch(target.checked)}
          />
          <span>
            {isUnused
              ? t('Delete its branch {branch} too; it has no commits of its own', { branch })
              : t('Delete its branch {branch} too; it is merged into {into}', { branch, into: into ?? '' })}
          </span>
        </label>
      )}
    </>
  );
}
