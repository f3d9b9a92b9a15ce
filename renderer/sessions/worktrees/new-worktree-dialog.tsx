import classNames from 'classnames/bind';
import { useCallback, useId, useState } from 'react';
import type { MadeWorktree, WorktreePlan, Worktrees } from '../../../app/api/calls/worktrees.ts';
import { t } from '../../../app/language/translate.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Ring } from '../../parts/icons.tsx';
import { callFailure, useAsked } from '../../state/asked.ts';
import { keep, recall } from '../../state/preferences.ts';
import { useServices } from '../../state/services.ts';
import { baseName, shortFolder } from '../paths.ts';
import styles from '../session-dialogs.module.css';
import { SetUpOutput, useSetUp } from './set-up.tsx';

const css = classNames.bind(styles);

interface NewWorktreeDialogProps {
  /** Real path of the folder that the session would begin in. */
  folder: string;
  /** Goes on in the new worktree. */
  done: (folder: string) => void;
  close: () => void;
}

/** Asks for a branch, what is copied and what is run, all of it in sight before it is done. */
export function NewWorktreeDialog({ folder, done, close }: NewWorktreeDialogProps) {
  const { bridge } = useServices();
  const { asked } = useAsked(useCallback(() => bridge.worktrees(folder), [bridge, folder]));
  const [made, setMade] = useState<Made | null>(null);
  const title = t('New session in a new worktree');
  if (made !== null) return <MadeDialog made={made} goOn={() => done(made.worktree.cwd)} />;
  if (asked.kind === 'loading') {
    return (
      <Dialog wide title={title} close={close} action={null}>
        <Ring size={12} /> {t('Asking git…')}
      </Dialog>
    );
  }
  if (asked.last === null) {
    const said = asked.kind === 'failed' ? `${asked.text} ${asked.remedy}`.trim() : null;
    return (
      <Dialog wide title={title} close={close} action={null}>
        <p className={said === null ? undefined : 'bad'}>
          {said ?? t('Nothing was committed in this repository yet. A worktree begins at a commit.')}
        </p>
      </Dialog>
    );
  }
  return (
    <WorktreeForm
      worktrees={asked.last}
      {...{ folder, title, close }}
      made={(what, isSeen) => (isSeen ? setMade(what) : done(what.worktree.cwd))}
    />
  );
}

interface Made {
  worktree: MadeWorktree;
  /** What failed once it was there; null if nothing did. */
  problem: string | null;
}

interface WorktreeFormProps {
  worktrees: Worktrees;
  folder: string;
  title: string;
  /** `isSeen`: there is something to look at before it is used. */
  made: (made: Made, isSeen: boolean) => void;
  close: () => void;
}

function WorktreeForm({ worktrees, folder, title, made, close }: WorktreeFormProps) {
  const { bridge } = useServices();
  const { repository, isTrusted, copyable } = worktrees;
  const [before] = useState(() => remembered(repository));
  const [branch, setBranch] = useState('');
  const [copy, setCopy] = useState<ReadonlySet<string>>(() => firstCopy(copyable, before?.copy ?? null));
  const [command, setCommand] = useState(before?.command ?? '');
  const [isTrusting, setTrusting] = useState(false);
  const [isMaking, setMaking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { plan, isAsked } = usePlan(folder, branch.trim());
  const [note, fields] = [useId(), useId()];
  const isPossible = plan !== null && plan.branch !== 'used' && plan.branch !== 'invalid';
  const runs = command.trim();
  const create = async (): Promise<void> => {
    if (!isPossible || isMaking) return;
    setMaking(true);
    setProblem(null);
    const chosen = copyable.map(({ name }) => name).filter((name) => copy.has(name));
    let worktree: MadeWorktree;
    try {
      worktree = await bridge.createWorktree({ folder, branch: branch.trim(), copy: chosen });
    } catch (error) {
      setProblem(failureWords(error));
      setMaking(false);
      return;
    }
    remember(repository, { copy: chosen, command: runs });
    const { path, notCopied } = worktree;
    const after = async (): Promise<void> => {
      if (isTrusting) await bridge.trustFolder(path);
      if (runs !== '') await bridge.setUpWorktree({ folder, path, command: runs });
    };
    const failed = await after().then(() => null, failureWords);
    made({ worktree, problem: failed }, runs !== '' || failed !== null || notCopied.length > 0);
  };
  return (
    <Dialog
      wide
      {...{ title, close }}
      action={{
        label: runs === '' ? t('Create worktree') : t('Create worktree and run command'),
        run: () => void create(),
        disabled: !isPossible || isMaking,
      }}
    >
      <form
        className={css('worktree-form')}
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <label htmlFor={`${fields}-branch`}>{t('Branch')}</label>
        <input
          autoFocus
          id={`${fields}-branch`}
          className="field mono"
          aria-describedby={note}
          aria-invalid={plan?.branch === 'used' || plan?.branch === 'invalid'}
          spellCheck={false}
          autoComplete="off"
          maxLength={200}
          placeholder="fix-login"
          value={branch}
          disabled={isMaking}
          onChange={(event) => {
            setBranch(event.target.value);
            setProblem(null);
          }}
        />
        <PlanNote id={note} plan={plan} isAsked={isAsked} />
        {copyable.length > 0 && (
          <fieldset disabled={isMaking}>
            <legend>{t('Copy what git ignores')}</legend>
            <ul className={css('worktree-copy')}>
              {copyable.map(({ name }) => (
                <li key={name}>
                  <label>
                    <input
                      type="checkbox"
                      checked={copy.has(name)}
                      onChange={({ target }) => setCopy((now) => withOrWithout(now, name, target.checked))}
                    />
                    <span className="mono">{name}</span>
                  </label>
                </li>
              ))}
            </ul>
          </fieldset>
        )}
        <label htmlFor={`${fields}-command`}>{t('Set-up command')}</label>
        <input
          id={`${fields}-command`}
          className="field mono"
          aria-describedby={`${note}-command`}
          spellCheck={false}
          autoComplete="off"
          maxLength={4_000}
          placeholder="npm ci"
          value={command}
          disabled={isMaking}
          onChange={(event) => setCommand(event.target.value)}
        />
        <p id={`${note}-command`} className="muted small">
          {isTrusted
            ? t('It runs once in the new worktree. Hooks of the repository don’t run.')
            : t(
                'It runs once in the new worktree, and can run programs of this repository, which you don’t trust. Hooks of the repository don’t run.',
              )}
        </p>
        {isTrusted && (
          <label className={css('dialog-choice')}>
            <input
              type="checkbox"
              checked={isTrusting}
              disabled={isMaking}
              onChange={({ target }) => setTrusting(target.checked)}
            />
            <span>{t('Trust the worktree, as you trust {folder}', { folder: baseName(repository) })}</span>
          </label>
        )}
        {problem !== null && (
          <p className="bad" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Dialog>
  );
}

function failureWords(error: unknown): string {
  const { text, remedy } = callFailure(error);
  return `${text} ${remedy}`.trim();
}

/** What was chosen before, as far as it is there; the usual ones where nothing was. */
function firstCopy(copyable: Worktrees['copyable'], before: readonly string[] | null): ReadonlySet<string> {
  const isWanted = ({ name, isUsual }: Worktrees['copyable'][number]): boolean =>
    before === null ? isUsual : before.includes(name);
  return new Set(copyable.filter(isWanted).map(({ name }) => name));
}

function withOrWithout(names: ReadonlySet<string>, name: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(names);
  if (isIn) next.add(name);
  else next.delete(name);
  return next;
}

/** `plan`: null until git has answered for these letters. */
function usePlan(folder: string, branch: string): { plan: WorktreePlan | null; isAsked: boolean } {
  const { bridge } = useServices();
  const { asked } = useAsked(
    useCallback(
      async () => (branch === '' ? null : { branch, plan: await bridge.worktreePlan({ folder, branch }) }),
      [bridge, folder, branch],
    ),
  );
  const plan = asked.last?.branch === branch ? asked.last.plan : null;
  return { plan, isAsked: branch !== '' && plan === null && asked.kind !== 'failed' };
}

function PlanNote({ id, plan, isAsked }: { id: string; plan: WorktreePlan | null; isAsked: boolean }) {
  if (plan === null) {
    return (
      <p id={id} className="muted small">
        {isAsked ? t('Asking git…') : t('A new one, or one that exists.')}
      </p>
    );
  }
  const isBad = plan.branch === 'used' || plan.branch === 'invalid';
  return (
    <p id={id} className={isBad ? 'bad small' : 'muted small'} role="status">
      {branchWords(plan)}
      {!isBad && <> {t('Folder: {folder}', { folder: shortFolder(plan.path) })}</>}
    </p>
  );
}

function branchWords({ branch, from, usedIn }: WorktreePlan): string {
  switch (branch) {
    case 'new':
      return t('A new branch from {from}.', { from: from ?? 'HEAD' });
    case 'remote':
      return t('A new branch that follows {from}.', { from: from ?? '' });
    case 'existing':
      return t('This branch exists.');
    case 'used':
      return t('This branch is checked out in {folder}.', { folder: shortFolder(usedIn ?? '') });
    case 'invalid':
      return t('git takes no branch of this name.');
  }
}

/** It is there; what was not copied and how its command goes is to be seen before it is used. */
function MadeDialog({ made, goOn }: { made: Made; goOn: () => void }) {
  const { bridge } = useServices();
  const { worktree, problem } = made;
  const { path, notCopied } = worktree;
  const { setUp, again } = useSetUp(path);
  const isRunning = setUp !== null && setUp.end === null;
  const stop = async (): Promise<void> => {
    await bridge.stopWorktreeSetUp(path).catch(() => undefined);
    await again();
  };
  return (
    <Dialog
      wide
      title={t('Worktree created')}
      close={goOn}
      cancel={isRunning ? t('Go on meanwhile') : t('Go on')}
      action={isRunning ? { label: t('Stop'), danger: true, run: () => void stop() } : null}
    >
      <p className="mono small muted">{shortFolder(path)}</p>
      {notCopied.length > 0 && (
        <ul className={css('worktree-not-copied')}>
          {notCopied.map(({ name, why }) => (
            <li key={name} className="bad">
              {t('{name} wasn’t copied: {why}.', { name, why })}
            </li>
          ))}
        </ul>
      )}
      {problem !== null && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      {setUp !== null && <SetUpOutput setUp={setUp} />}
    </Dialog>
  );
}

/** What a person chose for the last new worktree of a repository. */
interface Remembered {
  copy: readonly string[];
  command: string;
}

const key = (repository: string): string => `jumpseat.worktree.${repository}`;

function remember(repository: string, chosen: Remembered): void {
  keep(key(repository), JSON.stringify(chosen));
}

/** Null if nothing was. */
function remembered(repository: string): Remembered | null {
  const kept = recall(key(repository));
  if (kept === null) return null;
  try {
    const { copy, command } = Object(JSON.parse(kept));
    if (!Array.isArray(copy) || typeof command !== 'string') return null;
    return { copy: copy.filter((name) => typeof name === 'string'), command };
  } catch {
    return null;
  }
}
