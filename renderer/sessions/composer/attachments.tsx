import classNames from 'classnames/bind';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { NamedPath } from '../../../app/api/session-surroundings.ts';
import { t } from '../../../app/language/translate.ts';
import { IconButton, LinkButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Close, Comment, File, Folder, Image, Paperclip } from '../../parts/icons.tsx';
import { useAsked } from '../../state/asked.ts';
import { useServices } from '../../state/services.ts';
import { baseName, isOutside } from '../paths.ts';
import { commentText } from '../review/comment-text.ts';
import { shownLines } from '../review/review-lines.ts';
import { useAgentWords } from '../state/hooks.ts';
import text from '../text/text.module.css';
import { imageProblem, linesOf, sizeOfBase64, smaller } from './attach.ts';
import styles from './composer.module.css';
import type { Attachment } from './draft.ts';
import { pathWords } from './mentions.ts';

const css = classNames.bind({ ...text, ...styles });

interface AttachmentsProps {
  session: string;
  attachments: readonly Attachment[];
  /** Where the session may read without asking; its own folder first. */
  directories: readonly string[];
  model: { name: string; takesImages: boolean } | null;
  remove: (id: string) => void;
  replace: (attachment: Attachment) => void;
  failed: (error: unknown) => void;
}

/** Attachments of the message: chips, with each one's problem below it. */
export function Attachments(props: AttachmentsProps) {
  const { session, attachments, directories, model, remove, replace, failed } = props;
  const cwd = directories[0] ?? '';
  const [opened, setOpened] = useState<string | null>(null);
  const named = useNamedPaths(session, attachments);
  if (attachments.length === 0) return null;
  const text = attachments.find(({ id }) => id === opened);
  const shown = attachments.filter((one) => one.kind !== 'comment' || one.text.trim() !== '');
  if (shown.length === 0) return null;
  return (
    <ul className={css('composer-files')} aria-label={t('Attachments')}>
      {shown.map((attachment) => (
        <li key={attachment.id}>
          {attachment.kind === 'image' && <Thumbnail image={attachment} />}
          <Chip
            {...{ attachment }}
            isFolder={attachment.kind === 'path' && named.get(attachment.path) === 'folder'}
            open={() => setOpened(attachment.id)}
            remove={() => remove(attachment.id)}
          />
          <Problem
            {...{ attachment, directories, model }}
            isGone={attachment.kind === 'path' && named.get(attachment.path) === 'gone'}
            shrink={async (image) => {
              try {
                replace({ ...image, ...(await smaller(image)) });
              } catch (error) {
                failed(error);
              }
            }}
          />
        </li>
      ))}
      {(text?.kind === 'text' || text?.kind === 'comment') && (
        <Dialog title={wordsOf(text)} action={null} close={() => setOpened(null)} wide>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys have to reach it. */}
          <pre className={css('pasted-text')} tabIndex={0}>
            {text.kind === 'comment' ? commentText(text, cwd, { state: 'unknown' }) : text.text}
          </pre>
        </Dialog>
      )}
    </ul>
  );
}

interface ChipProps {
  attachment: Attachment;
  isFolder: boolean;
  open: () => void;
  remove: () => void;
}

function Chip({ attachment, isFolder, open, remove }: ChipProps) {
  const words = isFolder ? wordsOf(attachment).replace(/\/?$/, '/') : wordsOf(attachment);
  return (
    <span className={css('file')}>
      {isFolder ? <Folder size={14} /> : iconOf(attachment)}
      {attachment.kind === 'text' || attachment.kind === 'comment' ? (
        <button type="button" className={css('file-name', 'ell')} onClick={open}>
          {words}
        </button>
      ) : (
        <span className={css('file-name', 'ell')} title={words}>
          {words}
        </span>
      )}
      <IconButton
        className={css('file-drop')}
        size="small"
        label={t('Remove {name}', { name: words })}
        icon={<Close size={14} />}
        onClick={remove}
      />
    </span>
  );
}

function iconOf(attachment: Attachment) {
  if (attachment.kind === 'image') return <Image size={14} />;
  if (attachment.kind === 'text') return <Paperclip size={14} />;
  if (attachment.kind === 'comment') return <Comment size={14} />;
  return attachment.kind === 'path' && attachment.path.endsWith('/') ? <Folder size={14} /> : <File size={14} />;
}

function wordsOf(attachment: Attachment): string {
  switch (attachment.kind) {
    case 'image':
      return attachment.name;
    case 'text':
      return (
        attachment.name ??
        t('Pasted text, {count, plural, one {# line} other {# lines}}', { count: linesOf(attachment.text) })
      );
    case 'path':
      return pathWords(attachment.path, attachment.lines);
    case 'comment':
      return t('Comment on {file}, {lines}', { file: baseName(attachment.path), lines: shownLines(attachment.lines) });
  }
}

function Thumbnail({ image: { mimeType, data } }: { image: Extract<Attachment, { kind: 'image' }> }) {
  const address = useMemo(() => `data:${mimeType};base64,${data}`, [mimeType, data]);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return null;
  return <img className={css('thumb', 'composer-thumb')} src={address} alt="" onError={() => setBroken(true)} />;
}

interface ProblemProps extends Pick<AttachmentsProps, 'directories' | 'model'> {
  attachment: Attachment;
  isGone: boolean;
  shrink: (image: Extract<Attachment, { kind: 'image' }>) => Promise<void>;
}

function Problem({ attachment, isGone, directories, model, shrink }: ProblemProps) {
  const agent = useAgentWords();
  const [isShrinking, setShrinking] = useState(false);
  const size = useMemo(() => (attachment.kind === 'image' ? sizeOfBase64(attachment.data) : 0), [attachment]);
  if (isGone) return <p className={css('file-problem', 'muted', 'small', 'warning')}>{t('It no longer exists.')}</p>;
  if (attachment.kind === 'path') {
    if (!isOutside(attachment.path, directories)) return null;
    return (
      <p className={css('file-problem', 'muted', 'small')}>
        {t('It’s outside of this session’s folder. {agent} will ask to read it.', { agent: agent.name })}
      </p>
    );
  }
  const problem = attachment.kind === 'image' ? imageProblem({ size, model }) : null;
  if (attachment.kind !== 'image' || problem === null) return null;
  return (
    <p className={css('file-problem', 'muted', 'small', 'warning')} role="status">
      {problem.text}{' '}
      {problem.kind === 'too-large' && (
        <LinkButton
          disabled={isShrinking}
          onClick={() => {
            setShrinking(true);
            void shrink(attachment).finally(() => setShrinking(false));
          }}
        >
          {t('Make it smaller')}
        </LinkButton>
      )}
    </p>
  );
}

/** What attached paths lead to. One that is not in it is not known. Looked at again when the person comes back. */
function useNamedPaths(session: string, attachments: readonly Attachment[]): ReadonlyMap<string, NamedPath> {
  const { bridge } = useServices();
  const all = attachments.flatMap((one) => (one.kind === 'path' ? [one.path] : []));
  // The same paths are the same list, however often the draft is another one.
  const key = JSON.stringify([...new Set(all)].slice(0, 200));
  const { asked, again } = useAsked(
    useCallback(async () => {
      const paths: string[] = JSON.parse(key);
      const found = paths.length === 0 ? [] : await bridge.namedPaths({ session, paths });
      return new Map(paths.flatMap((path, index) => (found[index] === undefined ? [] : [[path, found[index]]])));
    }, [bridge, session, key]),
  );
  const hasPaths = key !== '[]';
  useEffect(() => {
    if (!hasPaths) return;
    const look = (): void => void again();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [hasPaths, again]);
  const { last } = asked;
  return useMemo(() => last ?? new Map<string, NamedPath>(), [last]);
}
