import classNames from 'classnames/bind';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { FolderFacts } from '../../../app/api/session-surroundings.ts';
import type { Session } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { agentWords } from '../../../app/words/agents.ts';
import { BridgeError } from '../../bridge/bridge.ts';
import { LinkButton } from '../../parts/button.tsx';
import { useAsked } from '../../state/asked.ts';
import { go } from '../../state/routes.ts';
import { useServices, useWindow } from '../../state/services.ts';
import { showCustomizations } from '../changes/session-dialog.ts';
import { TrustNote } from '../in-force/folder-trust.tsx';
import { isIn, shortFolder } from '../paths.ts';
import { isFields } from '../state/fields.ts';
import { AgentContext, useSessionActions, useSessions } from '../state/hooks.ts';
import { WorktreeLine } from '../worktrees/worktree-line.tsx';
import { useDrop } from './attach.ts';
import { FolderButton, RecentFolders, recentFolders } from './choose-folder.tsx';
import styles from './composer.module.css';
import { Composer } from './composer.tsx';
import { folderKey } from './draft.ts';
import { chooseFolder, chosenFolder, openNewSession, openSessionToWrite } from './open-session.ts';
import { useOwnCommands } from './own-commands.tsx';
import { draftKeeper, ownWindow, useDraft } from './use-draft.ts';
import { useSurroundings } from './use-surroundings.ts';

const css = classNames.bind(styles);

interface NewSessionProps {
  /** Where it is to begin; null: where something was said last. */
  folder: string | null;
}

/** A session before its first message: its folder, the field, and folders of earlier ones. */
export function NewSession({ folder }: NewSessionProps) {
  const { bridge } = useServices();
  const [cameFrom] = useState(() => folder ?? folderBeforeReload());
  const { folder: chosen, times } = useStore(chosenFolder);
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const listed = useSessions((state) => state.listed);
  const sessions = useMemo(() => [...(listed?.values() ?? [])], [listed]);
  const recent = useMemo(() => recentFolders(sessions, gone), [sessions, gone]);
  const isCameFromGone =
    cameFrom === null ||
    gone.has(cameFrom) ||
    sessions.some(({ cwd, isFolderGone }) => isFolderGone && cwd === cameFrom);
  // What a person chose stands, also where it is gone: then it is said.
  const now = chosen ?? (isCameFromGone ? (recent[0]?.path ?? null) : cameFrom);
  const askFacts = useCallback(async () => {
    if (now === null) return null;
    try {
      return { folder: now, facts: await bridge.folder(now) };
    } catch (error) {
      if (error instanceof BridgeError && error.code === 'folder-gone') setGone((before) => new Set(before).add(now));
      throw error;
    }
  }, [bridge, now]);
  const facts = useAsked(askFacts);
  const known = facts.asked.last?.folder === now ? facts.asked.last.facts : null;
  const session = useNewSession(now, facts.asked.kind === 'known' && known !== null);
  const page = useRef<HTMLDivElement>(null);
  const isMade = session !== null;
  const hasNoFolder = now === null && listed !== null;
  /** Nothing once the field of what was chosen last has the focus. */
  const wanted = useRef<{ had: Element | null } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each choice wants it anew.
  useLayoutEffect(() => {
    wanted.current = { had: document.activeElement };
  }, [times]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: also where the same folder is chosen again.
  useEffect(() => {
    if (!(isMade || hasNoFolder) || wanted.current === null) return;
    const { had } = wanted.current;
    if (isMade) wanted.current = null;
    // Who went on elsewhere while the folder was looked for stays there.
    const at = document.activeElement;
    const hasMoved = at !== had && at !== document.body && page.current?.contains(at) !== true;
    if (!hasMoved)
      page.current?.querySelector<HTMLElement>(isMade ? 'textarea' : `.${styles['folder-button']}`)?.focus();
  }, [isMade, hasNoFolder, times]);
  const { pathOf } = bridge;
  /** With all in it; the list is told of that later. */
  const removed = (path: string): void =>
    setGone((before) => new Set([...before, ...recent.map((one) => one.path).filter((one) => isIn(one, path))]));
  const drop = useDrop((files) => {
    const path = files[0] === undefined || pathOf === undefined ? '' : pathOf(files[0]);
    if (path !== '') chooseFolder(path);
  });

  return (
    <div ref={page} className={css('begin')}>
      <div className={css('begin-inner')}>
        <h2 className={css('begin-title')}>{t('New session')}</h2>
        <p className={css('begin-lead')}>{t('Nothing starts before you send.')}</p>
        <div className={css('folder-line', { dropping: drop.isOver })} {...(pathOf && drop.handlers)}>
          <span className="muted">{t('In', {}, 'before a folder')}</span>
          <FolderButton folder={now} {...{ recent }} choose={chooseFolder} />
          {known !== null && <span className="muted small">{gitWords(known)}</span>}
          {known !== null && now !== null && (
            <WorktreeLine key={now} folder={now} facts={known} choose={chooseFolder} removed={removed} />
          )}
          {session !== null && (
            <LinkButton className="small" aria-haspopup="dialog" onClick={() => showCustomizations(session.id)}>
              {t('Customizations…')}
            </LinkButton>
          )}
        </div>
        {facts.asked.kind === 'failed' && (
          <p className={css('begin-note', 'small')} role="alert">
            {facts.asked.text} {facts.asked.remedy}
          </p>
        )}
        {known?.isWide === true && (
          <p className={css('begin-note', 'small', 'warning')} role="status">
            {t('{agent} could read everything in {folder}. A project folder is safer.', {
              agent: agentWords(session?.agent ?? 'claude').name,
              folder: shortFolder(known.path),
            })}
          </p>
        )}
        {session !== null && facts.asked.kind !== 'failed' && (
          <AgentContext value={agentWords(session.agent)}>
            <Field key={session.id} session={session} folder={now ?? session.cwd} facts={known} again={facts.again} />
          </AgentContext>
        )}
        <RecentFolders folders={recent} chosen={now} choose={chooseFolder} />
      </div>
    </div>
  );
}

interface FieldProps {
  session: Session;
  /** Folder as it was chosen: the draft belongs to it. */
  folder: string;
  facts: FolderFacts | null;
  again: () => Promise<void>;
}

const noPrompts = (): readonly string[] => [];

function Field({ session, folder, facts, again }: FieldProps) {
  const { store } = useServices();
  const actions = useSessionActions();
  const used = useDraft(folderKey(folder));
  const surroundings = useSurroundings(session);
  const own = useOwnCommands(session);
  const { id } = session;
  const isUntrusted = facts !== null && !facts.isTrusted && facts.gives.length > 0;
  return (
    <>
      <Composer
        {...{ session, used, surroundings }}
        openIn={null}
        prompts={noPrompts}
        send={async (_way, prompt, messageId) => {
          // It is seen there from now on: that it starts, too.
          openSessionToWrite(id);
          const isSent = await actions.send(id, prompt, messageId);
          // What was written is back in the field of a new one.
          if (isSent) chooseFolder(null);
          else if (store.getState().route.part === id) openNewSession(folder);
          return isSent;
        }}
        stop={() => void actions.stop(id)}
        choose={(choice) => {
          used.change((now) => ({ ...now, choices: { ...now.choices, ...choice } }));
          void actions.choose(id, choice);
        }}
        run={own.run}
        remedy={(action) => {
          if (action === 'choose-agent') go({ place: 'settings', part: 'sessions' });
        }}
        bottom={(send) =>
          isUntrusted && (
            <TrustNote
              gives={facts.gives}
              trustAndSend={
                send &&
                (async () => {
                  if (!(await actions.trustFolder(folder))) return;
                  await again();
                  send();
                })
              }
            />
          )
        }
      />
      {own.dialog}
    </>
  );
}

/** `branch main, 2 files not committed` */
function gitWords({ branch, uncommitted }: FolderFacts): string {
  const files = uncommitted ?? 0;
  if (branch === null)
    return files === 0 ? '' : t('{files, plural, one {# file} other {# files}} not committed', { files });
  return files === 0
    ? t('branch {branch}', { branch })
    : t('branch {branch}, {files, plural, one {# file} other {# files}} not committed', { branch, files });
}

/** What this window began and sent nothing in, kept over a reload. */
interface Begun {
  /** Id of the window: a duplicated tab has a copy of this. */
  window: string;
  /** Where the last one is to begin. */
  folder: string;
  /** Ids of sessions. */
  sessions: readonly string[];
}

const begunKey = 'jumpseat-begun';

/** Null where nothing was begun, or nothing is kept here. */
function readBegun(): Begun | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(begunKey) ?? 'null');
    if (!isFields(kept)) return null;
    const { window, folder, sessions } = kept;
    if (typeof window !== 'string' || typeof folder !== 'string' || !Array.isArray(sessions)) return null;
    return { window, folder, sessions: sessions.filter((id) => typeof id === 'string') };
  } catch {
    return null;
  }
}

/** Read before anything is begun here. */
const beforeReload = readBegun();
const isReloaded = performance
  .getEntriesByType('navigation')
  .some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'reload');

/** The folder of a new session that was open when the window was reloaded. */
const folderBeforeReload = (): string | null => (isReloaded ? (beforeReload?.folder ?? null) : null);

/** Those that this window made. One of another program, too, is provisional here until something is sent in it. */
const madeHere = new Set<string>();

/** Those of before a reload are among them. */
async function begunHere(): Promise<ReadonlySet<string>> {
  const { id } = await ownWindow();
  if (beforeReload?.window === id) for (const session of beforeReload.sessions) madeHere.add(session);
  return madeHere;
}

async function keepBegun(folder: string, session: string): Promise<void> {
  madeHere.add(session);
  const { id } = await ownWindow();
  try {
    const begun: Begun = { window: id, folder, sessions: [...madeHere].slice(-mostBegun) };
    sessionStorage.setItem(begunKey, JSON.stringify(begun));
  } catch {
    // After a reload another one is made then.
  }
}

/** More than a person begins without sending anything. */
const mostBegun = 50;

/**
 * The session that is to begin in a folder: one that was made for it and not sent yet, or a new one with the choices
 * that were made for that folder. It has no process and is on no disk. Null if it is being made, or can't be.
 * @param isThere the folder was found; none is made in another
 */
function useNewSession(folder: string | null, isThere: boolean): Session | null {
  const services = useServices();
  const { create } = useSessionActions();
  const [made, setMade] = useState<{ folder: string; id: string } | null>(null);
  const id = made !== null && made.folder === folder ? made.id : null;
  const session = useWindow(({ sessions }) => (id === null ? null : (sessions.get(id) ?? null)));
  useEffect(() => {
    if (folder === null || !isThere) return;
    let isWanted = true;
    const make = async (): Promise<void> => {
      const keeper = draftKeeper(services);
      await keeper.read(folderKey(folder));
      if (!isWanted) return;
      const here = await begunHere();
      if (!isWanted) return;
      const held = [...services.store.getState().sessions.values()];
      const known = held.find(({ id, state, cwd }) => here.has(id) && state === 'provisional' && cwd === folder);
      if (known !== undefined) {
        void keepBegun(folder, known.id);
        setMade({ folder, id: known.id });
        return;
      }
      const { choices } = keeper.held(folderKey(folder)).draft;
      const created = await create({ cwd: folder, agent: 'claude', title: null, choices });
      if (created !== null) void keepBegun(folder, created.id);
      if (isWanted && created !== null) setMade({ folder, id: created.id });
    };
    void make();
    return () => {
      isWanted = false;
    };
  }, [folder, isThere, services, create]);
  return session;
}
