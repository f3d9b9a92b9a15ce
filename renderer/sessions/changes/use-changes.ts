import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ChangedFile, Changes, FileNow, FileVersions, PutBack } from '../../../app/api/sessions.ts';
import { useConversation, useEditCount, useSessionActions } from '../state/hooks.ts';
import { type ChangeRow, changeRows, filesBeingWritten, type Refusal } from './change-rows.ts';

const nothing = new Map<string, never>();
const noFiles: readonly ChangedFile[] = [];

/** What the person agreed to; nothing of it, where it is left out. */
export interface Agreed {
  /** Files outside of the session's folders that are written. */
  outside?: string[];
}

type AgreedForFiles = Agreed & {
  /** What something else changed in other lines of a file stays, and the file is written. */
  keepOthers?: true;
};

export interface ShownChanges {
  /** Null until it is known. */
  rows: readonly ChangeRow[] | null;
  /** How many commands ran, and how many of those may have changed more than is listed. */
  commands: Pick<Changes, 'commands' | 'untracked'>;
  /** Looks at the files again: a person may have written to one meanwhile. */
  look: () => void;
  /** Puts files back, or makes their edits again. Answers what became of each. */
  put: (direction: 'undo' | 'redo', paths: string[], agreed?: AgreedForFiles) => Promise<readonly PutBack[]>;
  undoHunk: (path: string, hunk: string, agreed?: Agreed) => Promise<void>;
  /** Writes a file that is gone as Claude left it. */
  bringBack: (path: string, agreed?: Agreed) => Promise<void>;
  /** The whole file before the edits, and what else happened to it; null if the versions aren't stored. */
  versions: (path: string) => Promise<FileVersions | null>;
  accept: (paths: string[] | null) => Promise<void>;
  /** Takes the mark of a file back. */
  takeBack: (path: string) => Promise<void>;
}

/** What a turn, or all of a session, changed, and what can be done about it. Asked for anew after each edit. */
export function useChanges(session: string, turn: string | null): ShownChanges {
  const actions = useSessionActions();
  const edits = useEditCount(session);
  const [changes, setChanges] = useState<Changes | null>(null);
  const [refused, setRefused] = useState<ReadonlyMap<string, Refusal>>(nothing);
  const [now, setNow] = useState<ReadonlyMap<string, FileNow>>(nothing);
  const paths = useConversation(session, (conversation) => [...filesBeingWritten(conversation)].join('\0')) ?? '';
  const writing = useMemo(() => new Set(paths.split('\0')), [paths]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each edit they are others.
  useEffect(() => {
    let isOld = false;
    const read = async (): Promise<void> => {
      const [files, found] = await Promise.all([actions.changes(session, turn), actions.filesNow(session, turn)]);
      if (isOld) return;
      if (files !== null) setChanges(files);
      if (found !== null) setNow(new Map(found.map((file) => [file.path, file])));
    };
    void read();
    // Meanwhile another program may have written to them.
    const look = (): void => void read();
    window.addEventListener('focus', look);
    return () => {
      isOld = true;
      window.removeEventListener('focus', look);
    };
  }, [actions, session, turn, edits]);
  const lookNow = useCallback(async (): Promise<void> => {
    const found = await actions.filesNow(session, turn);
    if (found !== null) setNow(new Map(found.map((file) => [file.path, file])));
  }, [actions, session, turn]);
  const learn = async (direction: Refusal['direction'], results: readonly PutBack[]): Promise<void> => {
    // Why it is refused may have been written since the last look: whoever shows the session's changes looks again.
    if (results.some(({ isDone }) => !isDone)) {
      await lookNow();
      actions.lookAgain(session);
    }
    setRefused((before) => {
      const after = new Map(before);
      for (const result of results) {
        if (result.isDone) after.delete(result.path);
        else after.set(result.path, { ...result, direction });
      }
      return after;
    });
  };
  const files = changes?.files ?? noFiles;
  const rows = useMemo(() => changeRows(files, { writing, refused, now }), [files, writing, refused, now]);
  return {
    rows: changes === null ? null : rows,
    commands: { commands: changes?.commands ?? 0, untracked: changes?.untracked ?? 0 },
    look: () => void lookNow(),
    put: async (direction, paths, agreed) => {
      const results = (await actions[direction]({ session, turn, paths, ...agreed })) ?? [];
      await learn(direction, results);
      return results;
    },
    undoHunk: async (path, hunk, agreed) => {
      const result = await actions.undoHunk({ session, turn, path, hunk, ...agreed });
      if (result !== null) await learn('undo', [result]);
    },
    bringBack: async (path, agreed) => {
      const result = await actions.bringBack({ session, turn, path, ...agreed });
      if (result === null) return;
      await learn('undo', [result]);
      await lookNow();
    },
    versions: (path) => actions.fileVersions(session, turn, path),
    accept: async (paths) => void (await actions.accept(session, turn, paths, true)),
    takeBack: async (path) => void (await actions.accept(session, turn, [path], false)),
  };
}
