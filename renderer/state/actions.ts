import { useMemo } from 'react';
import type { KnownFile, LinesFor, Shell } from '../../app/api/setup.ts';
import { t, translated } from '../../app/language/translate.ts';
import { type GithubPage, githubPage, mayOpenConfirmed, notOpened } from '../../app/words/opening.ts';
import { BridgeError } from '../bridge/bridge.ts';
import { toast } from './notices.ts';
import { ask, cutQuestion, deleteHistoryQuestion, signOutQuestion, workIn } from './questions.ts';
import { go } from './routes.ts';
import { type Services, useServices } from './services.ts';

/** What buttons, banners and keys all over the window do. Null if it cannot be done from here. */
export interface Actions {
  setProxy: ((on: boolean) => Promise<void>) | null;
  takeFreePort: (() => Promise<void>) | null;
  refresh: () => void;
  /** One held prompt, or all of them. */
  letThrough: (id?: string) => void;
  /** Whether GitHub may bill more than what is included, for today. */
  decideOverage: (allowed: boolean) => void;
  signOut: () => void;
  /** Where the choice was made from outside, the settings say so. */
  chooseStorage: () => void;
  deleteHistory: () => void;
  copyLines: (() => void) | null;
  /** For a client of OpenAI's APIs; `said` when it is done. */
  copyLinesFor: ((what: LinesFor, said: string) => void) | null;
  copyCode: (() => void) | null;
  /** A page that the window itself leads to. */
  openOutside: (address: string) => void;
  /** An address of a conversation. The person has seen all of it and confirmed it. */
  openConfirmed: (address: string) => void;
  /** A page of the person's own, at the GitHub where they sign in. */
  openGithub: (page: GithubPage) => void;
  openFolder: ((which: 'home' | 'logs' | 'backups') => void) | null;
  openFile: ((which: KnownFile) => void) | null;
  /** Shows a failure where the person looks. */
  tried: (work: Promise<unknown>) => Promise<void>;
}

export function useActions(): Actions {
  const services = useServices();
  return useMemo(() => actionsOf(services), [services]);
}

export function actionsOf({ bridge, store, log }: Services): Actions {
  /** A failure is said where the person looks: what happened and what to do. */
  const tried = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      const remedy = error instanceof BridgeError && error.remedy !== '' ? ` ${error.remedy}` : '';
      toast(store, `${error instanceof Error ? error.message : String(error)}${remedy}`, { kind: 'failed' });
    }
  };
  const {
    setProxy,
    moveToFreePort: freePort,
    refresh,
    letThrough,
    decideOverage,
    signOut,
    deleteHistory,
    copyLines,
    copyCode,
    openOutside,
    openAddress,
    openFolder,
    openFile,
  } = bridge;
  const openElsewhere = (address: string): void => {
    if (openOutside === null) window.open(address, '_blank', 'noopener');
    else void tried(openOutside(address));
  };
  const openConfirmed = (address: string): void => {
    if (openAddress !== null) void tried(openAddress(address));
    else if (mayOpenConfirmed(address)) window.open(address, '_blank', 'noopener');
    else toast(store, `${translated(notOpened.text)} ${translated(notOpened.remedy)}`, { kind: 'failed' });
  };
  return {
    setProxy:
      setProxy === null
        ? null
        : async (on) => {
            const off = (): void => void tried(setProxy(false));
            const question = on ? null : cutQuestion(workIn(store.getState()), 'off', off);
            if (question === null) return tried(setProxy(on));
            ask(store, question);
          },
    takeFreePort: freePort === null ? null : () => tried(freePort()),
    refresh: () => void tried(refresh()),
    decideOverage: (allowed) => void tried(decideOverage(allowed)),
    letThrough: (id) => void tried(letThrough(id ?? null)),
    signOut: () =>
      ask(
        store,
        signOutQuestion(store.getState().app?.admission.credential ?? null, () => void tried(signOut())),
      ),
    chooseStorage: () => {
      if (store.getState().preferences?.storageIsFree === true) store.setState({ choosingStorage: true });
      else go({ place: 'settings', part: 'account' });
    },
    deleteHistory: () => {
      const count = store.getState().history === 'whole' ? log.view().known : null;
      const run = async (): Promise<void> => {
        await deleteHistory();
        toast(store, t('History deleted.'));
      };
      ask(
        store,
        deleteHistoryQuestion(count, () => void tried(run())),
      );
    },
    copyLines:
      copyLines === null
        ? null
        : () =>
            void tried(
              copyLines(shellOf(store), 'claude-code').then(() => toast(store, t('Lines for Claude Code copied'))),
            ),
    copyLinesFor:
      copyLines === null
        ? null
        : (what, said) => void tried(copyLines(shellOf(store), what).then(() => toast(store, said))),
    copyCode: copyCode === null ? null : () => void tried(copyCode(null)),
    openOutside: openElsewhere,
    openConfirmed,
    openGithub: (page) => openElsewhere(githubPage(store.getState().preferences?.githubHost ?? null, page)),
    openFolder: openFolder === null ? null : (which) => void tried(openFolder(which)),
    openFile: openFile === null ? null : (which) => void tried(openFile(which)),
    tried,
  };
}

/** The shell that the lines are copied for: the chosen one, else the person's own as far as it is known. */
export function shellOf(store: Services['store']): Shell {
  const { preferences } = store.getState();
  return preferences?.shell ?? preferences?.ownShell ?? 'bash';
}
