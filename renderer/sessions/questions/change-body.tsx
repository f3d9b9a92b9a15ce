import classNames from 'classnames/bind';
import { type ReactNode, useContext, useMemo, useState } from 'react';
import type { AskedFile } from '../../../app/api/session-surroundings.ts';
import { t } from '../../../app/language/translate.ts';
import { LinkButton } from '../../parts/button.tsx';
import { Warning } from '../../parts/icons.tsx';
import { rich } from '../../parts/rich.tsx';
import { shownPath } from '../paths.ts';
import { useAgentWords } from '../state/hooks.ts';
import { Difference } from '../text/difference.tsx';
import type { DifferenceSource } from '../text/difference-lines.ts';
import { ShownText } from '../text/shown-text.tsx';
import type { AskedDifference, PermissionSubject } from './asked.ts';
import { AskedFilesContext, hasChanged } from './asked-files.ts';
import styles from './questions.module.css';

const css = classNames.bind(styles);

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
      {subject.isEverywhere && <p className={css('ask-note', 'small')}>{t('Every occurrence of the text.')}</p>}
      {fitted.map(({ path, source, whole }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one file may be changed in several places, which do not move.
        <div key={at} data-testid="question-command">
          {fitted.length > 1 && <p className={css('ask-path', 'mono')}>{shownPath(path, cwd)}</p>}
          <Difference path={shownPath(path, cwd)} source={isWhole ? (whole ?? source) : source} isJudged />
        </div>
      ))}
    </>
  );
  const hasWhole = fitted.some(({ whole }) => whole !== null);
  const more = hasWhole && (
    <span className={css('end')}>
      <LinkButton aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? t('Only the changes') : t('Whole file')}
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
          {rich('{path} has changed since {agent} asked.', {
            path: (
              <span className="mono">
                <ShownText text={path} />
              </span>
            ),
            agent: agent.name,
          })}
        </Amber>
      )}
      {unseen !== null && <Amber>{unseen}</Amber>}
    </>
  );
}

/** Why what is written over can't be seen; null if it can, or nothing is. */
function unseenWords({ state }: AskedFile): string | null {
  switch (state) {
    case 'there':
    case 'missing':
      return null;
    case 'too-large':
      return t('The current file can’t be compared: it is over 1 MB.');
    case 'not-text':
      return t('The current file can’t be compared: it is no text.');
    case 'not-a-file':
      return t('The current file can’t be compared: it is no file.');
    case 'unreadable':
      return t('The current file can’t be compared: it can’t be read.');
  }
}

/** `writes over 2 files that git doesn’t know`; null if none that is known of. */
export function overwritesWords(files: readonly AskedFile[] | null): string | null {
  const count = files?.filter(({ isUnknownToGit }) => isUnknownToGit).length ?? 0;
  return count === 0
    ? null
    : t('writes over {count, plural, one {# file} other {# files}} that git doesn’t know', { count });
}

/** A fact that a person could overlook. */
export function Amber({ children }: { children: ReactNode }) {
  return (
    <p className={css('ask-warning', 'small')}>
      <Warning size={14} /> <span>{children}</span>
    </p>
  );
}

/** What would become of one file. */
interface FittedDifference {
  path: string;
  source: DifferenceSource;
  /** Source of the whole file, if it is known. */
  whole: DifferenceSource | null;
}

const fewLines = 8;

type Texts = Extract<DifferenceSource, { kind: 'texts' }>;

/**
 * The differences that an agent asks for, on the files that they are about: then their lines have numbers. Where a file
 * can't be read, or they don't fit it, they stay as they were asked.
 */
export function fitDifferences(
  differences: readonly AskedDifference[],
  files: readonly AskedFile[] | null,
  { isWrite, isEverywhere }: { isWrite: boolean; isEverywhere: boolean },
): FittedDifference[] {
  const paths = [...new Set(differences.map(({ path }) => path))];
  return paths.flatMap((path) => {
    const ofPath = differences.filter((one) => one.path === path);
    const file = files?.find(({ named }) => named === path) ?? null;
    const fitted = file === null ? null : fit(ofPath, file, { isWrite, isEverywhere });
    return fitted ?? ofPath.map(({ source }) => ({ path, source, whole: null }));
  });
}

function fit(
  differences: readonly AskedDifference[],
  { named: path, state, text }: AskedFile,
  { isWrite, isEverywhere }: { isWrite: boolean; isEverywhere: boolean },
): FittedDifference[] | null {
  const before = state === 'missing' ? null : text;
  if (before === null && state !== 'missing') return null;
  let after = before ?? '';
  for (const { source } of differences) {
    if (source.kind !== 'texts') return null;
    const changed = isWrite ? source.after : changedBy(source, after, isEverywhere);
    if (changed === null) return null;
    after = changed;
  }
  const source: Texts = { kind: 'texts', before, after, firstLine: 1 };
  // A short file is seen whole anyway.
  const hasMore = (before ?? '').split('\n', fewLines + 1).length > fewLines;
  return [{ path, source, whole: hasMore ? { ...source, isWholeFile: true } : null }];
}

/** Null if the text doesn't contain it. */
function changedBy({ before, after }: Texts, text: string, isEverywhere: boolean): string | null {
  if (before === null || before === '') return text === '' ? after : null;
  if (before === text) return after;
  // A line that goes takes its end along.
  const isLineGone = after === '' && !before.endsWith('\n') && text.includes(`${before}\n`);
  const old = isLineGone ? `${before}\n` : before;
  if (!text.includes(old)) return null;
  return isEverywhere ? text.split(old).join(after) : text.replace(old, () => after);
}
