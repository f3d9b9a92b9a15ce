import { type ReactNode, useContext, useMemo, useState } from 'react';
import type { AskedFile } from '../../../app/api/session-surroundings.ts';
import { counted } from '../../../app/words/numbers.ts';
import { LinkButton } from '../../parts/button.tsx';
import { useAgentWords } from '../state/agent-context.ts';
import { Difference } from '../text/difference.tsx';
import { ShownText } from '../text/shown-text.tsx';
import { Amber } from './amber.tsx';
import type { Wish } from './asked.ts';
import { AskedFilesContext, hasChanged } from './asked-files.ts';
import { type FittedDifference, fitDifferences } from './fitted-differences.ts';
import { shownPath } from './path-words.ts';

export type Change = Extract<Wish, { kind: 'edit' | 'write' }>;

/** What a change does to its files, as they are now. */
export function useFitted(wish: Change | null, files: readonly AskedFile[] | null): readonly FittedDifference[] {
  return useMemo(() => {
    if (wish === null) return [];
    return fitDifferences(wish.differences, files, { isWrite: wish.kind === 'write', isEverywhere: wish.isEverywhere });
  }, [wish, files]);
}

/** The difference of a change, and whether all of the file is shown. */
export function useChangeBody(wish: Change | null, cwd: string, askedAt: number): { body: ReactNode; more: ReactNode } {
  const files = useContext(AskedFilesContext);
  const fitted = useFitted(wish, files);
  const [isWhole, setWhole] = useState(false);
  if (wish === null) return { body: null, more: null };
  const ofWish = files?.filter(({ named }) => fitted.some(({ path }) => path === named)) ?? [];
  const body = (
    <>
      {ofWish.map((file) => (
        <FileFacts key={file.named} file={file} wish={wish} cwd={cwd} askedAt={askedAt} />
      ))}
      {wish.isEverywhere && <p className="ask-note">In every place where the text stands.</p>}
      {fitted.map(({ path, source, whole }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one file may be changed in several places, which do not move.
        <div key={at} className="ask-difference" data-testid="question-command">
          {fitted.length > 1 && <p className="ask-path mono">{shownPath(path, cwd)}</p>}
          <Difference path={shownPath(path, cwd)} source={isWhole ? (whole ?? source) : source} isJudged />
        </div>
      ))}
    </>
  );
  const hasWhole = fitted.some(({ whole }) => whole !== null);
  const more = hasWhole && (
    <span className="end">
      <LinkButton aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Only the changes' : 'Whole file'}
      </LinkButton>
    </span>
  );
  return { body, more };
}

function FileFacts({ file, wish, cwd, askedAt }: { file: AskedFile; wish: Change; cwd: string; askedAt: number }) {
  const agent = useAgentWords();
  const path = shownPath(file.named, cwd);
  const wasThere = wish.differences.some(
    (one) => one.path === file.named && one.source.kind === 'texts' && one.source.before !== null,
  );
  const unseen = wish.kind === 'write' ? unseenWords(file) : null;
  return (
    <>
      {hasChanged(file, askedAt, wasThere) && (
        <Amber>
          <span className="mono">
            <ShownText text={path} />
          </span>{' '}
          has changed since {agent.name} asked.
        </Amber>
      )}
      {unseen !== null && <Amber>{unseen}</Amber>}
    </>
  );
}

/** Why what is written over can't be seen; null: it can, or nothing is. */
function unseenWords({ state }: AskedFile): string | null {
  const why = {
    there: null,
    missing: null,
    'too-large': 'it is over 1 MB',
    'not-text': 'it is no text',
    'not-a-file': 'it is no file',
    unreadable: 'it can’t be read',
  }[state];
  return why === null ? null : `What is there now can’t be compared: ${why}.`;
}

/** `writes over 2 files that git doesn’t know`; null: none that is known of. */
export function overwritesWords(files: readonly AskedFile[] | null): string | null {
  const count = files?.filter(({ isUnknownToGit }) => isUnknownToGit).length ?? 0;
  return count === 0 ? null : `writes over ${counted(count, 'file')} that git doesn’t know`;
}
