import { type ReactNode, useContext, useMemo, useState } from 'react';
import type { AskedFile } from '../../../app/api/session-surroundings.ts';
import { counted } from '../../../app/words/numbers.ts';
import { LinkButton } from '../../parts/button.tsx';
import { useAgentWords } from '../state/hooks.ts';
import { Difference } from '../text/difference.tsx';
import { ShownText } from '../text/shown-text.tsx';
import { Amber } from './amber.tsx';
import type { PermissionSubject } from './asked.ts';
import { AskedFilesContext, hasChanged } from './asked-files.ts';
import { type FittedDifference, fitDifferences } from './fitted-differences.ts';
import { shownPath } from './path-words.ts';

export type Change = Extract<PermissionSubject, { kind: 'edit' | 'write' }>;

/** What a change does to its files, as they are now. */
export function useFitted(subject: Change | null, files: readonly AskedFile[] | null): readonly FittedDifference[] {
  return useMemo(() => {
    if (subject === null) return [];
    return fitDifferences(subject.differences, files, {
      isWrite: subject.kind === 'write',
      isEverywhere: subject.isEverywhere,
    });
  }, [subject, files]);
}

/** The difference of a change, and whether all of the file is shown. */
export function useChangeBody(
  subject: Change | null,
  cwd: string,
  askedAt: number,
): { body: ReactNode; more: ReactNode } {
  const files = useContext(AskedFilesContext);
  const fitted = useFitted(subject, files);
  const [isWhole, setWhole] = useState(false);
  if (subject === null) return { body: null, more: null };
  const ofSubject = files?.filter(({ named }) => fitted.some(({ path }) => path === named)) ?? [];
  const body = (
    <>
      {ofSubject.map((file) => (
        <FileFacts key={file.named} file={file} subject={subject} cwd={cwd} askedAt={askedAt} />
      ))}
      {subject.isEverywhere && <p className="ask-note">In every place where the text stands.</p>}
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

function FileFacts({
  file,
  subject,
  cwd,
  askedAt,
}: {
  file: AskedFile;
  subject: Change;
  cwd: string;
  askedAt: number;
}) {
  const agent = useAgentWords();
  const path = shownPath(file.named, cwd);
  const wasThere = subject.differences.some(
    (one) => one.path === file.named && one.source.kind === 'texts' && one.source.before !== null,
  );
  const unseen = subject.kind === 'write' ? unseenWords(file) : null;
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
