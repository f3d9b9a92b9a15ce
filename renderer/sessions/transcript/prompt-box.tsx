import classNames from 'classnames/bind';
import { memo, type ReactNode, useCallback, useMemo, useState } from 'react';
import { t } from '../../../app/language/translate.ts';
import { bytes } from '../../../app/words/numbers.ts';
import { clockTime } from '../../../app/words/times.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { File, Fork, GoBack, Person, Template } from '../../parts/icons.tsx';
import { Menu, type MenuItem } from '../../parts/menu.tsx';
import { useAsked } from '../../state/asked.ts';
import { copyText } from '../../state/copy-text.ts';
import { useServices } from '../../state/services.ts';
import type { PromptBlock, Turn } from '../state/conversation.ts';
import { imageName, leftOutBytes, textOf } from '../state/fields.ts';
import { Code } from '../text/code.tsx';
import { CopyButton } from '../text/copy-button.tsx';
import { fencedParts } from '../text/lines.ts';
import { LongText, useIsSought } from '../text/long-text.tsx';
import text from '../text/text.module.css';
import { saidIn } from './items.ts';
import { ToolImage } from './output.tsx';
import { shownPath } from './step-words.ts';
import styles from './transcript.module.css';
import { useTranscript } from './transcript-context.ts';

const css = classNames.bind({ ...text, ...styles });

const foldedOver = 4_000;

interface PromptBoxProps {
  turn: Turn;
  /** True for the session's first turn, which has nothing to go back to. */
  isFirst: boolean;
  isIdle: boolean;
}

/** What a person said, with what they attached. */
export const PromptBox = memo(function PromptBox({ turn, isFirst, isIdle }: PromptBoxProps) {
  const { actions } = useTranscript();
  const { goBack, fork, saveTemplate } = actions;
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);
  const { store } = useServices();
  const { id, prompt, startedAt } = turn;
  const said = saidIn(turn);
  const items: MenuItem[] = [
    { label: t('Copy'), run: () => void copyText(store, said, t('Copied')) },
    ...(saveTemplate === undefined || said === ''
      ? []
      : [{ label: t('Save as a template…'), run: () => saveTemplate(said) }]),
    ...(goBack === undefined
      ? []
      : [{ label: t('Go back to before this…'), run: () => goBack(id), disabled: isFirst || !isIdle }]),
    ...(fork === undefined ? [] : [{ label: t('Fork after this turn'), run: () => fork(id), disabled: !turn.canFork }]),
  ];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons do the same.
    <div
      className={css('prompt')}
      onContextMenu={(event) => {
        // What was selected has the system's own menu.
        if (window.getSelection()?.isCollapsed === false) return;
        event.preventDefault();
        setMenuAt({ x: event.clientX, y: event.clientY });
      }}
    >
      <Person size={16} />
      <PromptWords text={said} />
      <span className={css('time')}>{startedAt === null ? '' : clockTime(startedAt)}</span>
      <Attached prompt={prompt ?? []} turn={id} />
      <div className={css('prompt-acts')}>
        <CopyButton label={t('Copy')} text={() => said} />
        {saveTemplate !== undefined && said !== '' && (
          <IconButton
            size="small"
            label={t('Save as a template…')}
            icon={<Template size={14} />}
            onClick={() => saveTemplate(said)}
          />
        )}
        {goBack !== undefined && (
          <Button
            look="quiet"
            size="small"
            icon={<GoBack size={14} />}
            disabled={isFirst || !isIdle}
            title={isFirst ? t('Nothing is before it. Start a new session.') : isIdle ? undefined : t('Stop first.')}
            onClick={() => goBack(id)}
          >
            {t('Go back to before this…')}
          </Button>
        )}
        {fork !== undefined && (
          <Button
            look="quiet"
            size="small"
            icon={<Fork size={14} />}
            disabled={!turn.canFork}
            title={turn.canFork ? undefined : t('There is no answer to fork from yet.')}
            onClick={() => fork(id)}
          >
            {t('Fork after this turn')}
          </Button>
        )}
      </div>
      {menuAt !== null && <Menu label={t('Prompt')} items={items} at={menuAt} close={() => setMenuAt(null)} />}
    </div>
  );
});

function PromptWords({ text }: { text: string }) {
  const isSought = useIsSought(text);
  if (text.length <= foldedOver) return <SaidWords text={text} />;
  return (
    <details className={css('prompt-text')} open={isSought || undefined}>
      <summary dir="auto">{text.slice(0, 400)}…</summary>
      <SaidWords text={text} />
    </details>
  );
}

/** A message as it was written. Fenced code, such as a comment's lines, is shown in boxes. */
export function SaidWords({ text }: { text: string }) {
  const parts = useMemo(() => fencedParts(text), [text]);
  return (
    <div className={css('prompt-text')}>
      {parts.map((part, index) =>
        part.kind === 'code' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said stays as it is.
          <Code key={index} text={part.text} language={part.language} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <div key={index} dir="auto">
            <LongText text={part.text} />
          </div>
        ),
      )}
    </div>
  );
}

/** Files as chips with their lines, images small. `turn`: whose prompt it is; null if it began none. */
export function Attached({ prompt, turn = null }: { prompt: readonly PromptBlock[]; turn?: string | null }) {
  const parts = prompt.flatMap((part, block) => (part.type === 'text' ? [] : [{ part, block }]));
  if (parts.length === 0) return null;
  return (
    <div className={css('files')}>
      {parts.map(({ part, block }) => (
        <AttachedPart key={block} {...{ part, block, turn }} />
      ))}
    </div>
  );
}

interface AttachedPartProps {
  part: PromptBlock;
  /** Its place in the prompt. */
  block: number;
  turn: string | null;
}

function AttachedPart({ part, block, turn }: AttachedPartProps) {
  const { actions, cwd } = useTranscript();
  const [data, mimeType] = [textOf(part, 'data'), textOf(part, 'mimeType')];
  const size = leftOutBytes(part);
  if (part.type === 'image' && size !== null) {
    const chip = (
      <span className={css('file')}>
        <File size={14} />
        <span className="ell">
          {imageName(part) ?? t('Image')} <i>{bytes(size)}</i>
        </span>
      </span>
    );
    return turn === null ? chip : <StoredImage {...{ turn, block }} name={imageName(part)} chip={chip} />;
  }
  if (part.type === 'image' && data !== null && mimeType !== null) {
    const name = imageName(part);
    return (
      <>
        <OpenedImage image={{ mimeType, data }} name={name} />
        {name !== null && <span className={css('file')}>{name}</span>}
      </>
    );
  }
  const { openPath } = actions;
  const resource = 'resource' in part ? part.resource : part;
  const address = textOf(resource, 'uri') ?? '';
  const path = shownPath(pathOfAddress(address), cwd);
  const lines = /#L(\d+)(?:[-:]L?(\d+))?$/.exec(address);
  const label = textOf(part, 'title') ?? (path === '' ? (textOf(part, 'name') ?? t('Attached')) : path);
  const range = lines === null ? '' : `:${lines[1]}${lines[2] === undefined ? '' : `-${lines[2]}`}`;
  const inner = (
    <>
      <File size={14} />
      <span className="ell">
        {label}
        <i>{range}</i>
      </span>
    </>
  );
  if (openPath === undefined || path === '') return <span className={css('file')}>{inner}</span>;
  return (
    <button
      type="button"
      className={css('file')}
      onClick={() => openPath(path, lines === null ? null : Number(lines[1]))}
    >
      {inner}
    </button>
  );
}

/** One whose prompt is stored whole; `chip` is all there is of another. */
function StoredImage(props: { turn: string; block: number; name: string | null; chip: ReactNode }) {
  const { turn, block, name, chip } = props;
  const { bridge } = useServices();
  const { asked } = useAsked(useCallback(() => bridge.promptImage({ turn, block }), [bridge, turn, block]));
  return (
    <>
      {asked.last !== null && <OpenedImage image={asked.last} name={name} />}
      {chip}
    </>
  );
}

/** A small picture that opens large. */
function OpenedImage({ image, name }: { image: { mimeType: string; data: string }; name: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const title = name ?? t('Image');
  return (
    <>
      <button
        type="button"
        className={css('thumb-button')}
        aria-label={t('Open {name}', { name: title })}
        title={t('Open {name}', { name: title })}
        onClick={() => setOpen(true)}
      >
        <ToolImage {...image} small />
      </button>
      {isOpen && (
        <Dialog title={title} action={null} close={() => setOpen(false)} wide>
          <ToolImage {...image} />
        </Dialog>
      )}
    </>
  );
}

function pathOfAddress(address: string): string {
  if (!address.startsWith('file:') || !URL.canParse(address)) return '';
  const { pathname } = new URL(address);
  try {
    return decodeURIComponent(pathname).replace(/^\/([A-Za-z]:)/, '$1');
  } catch {
    return pathname;
  }
}
