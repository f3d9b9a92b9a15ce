import classNames from 'classnames/bind';
import { type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { SessionHolder } from '../../../app/api/session-list.ts';
import type { Session } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { idInTerminal } from '../../../app/words/sessions.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { External } from '../../parts/icons.tsx';
import { rich } from '../../parts/rich.tsx';
import { useActions } from '../../state/actions.ts';
import { copyResumeLine } from '../../state/copy-text.ts';
import { toast } from '../../state/notices.ts';
import { useServices, useWindow } from '../../state/services.ts';
import type { PromptBlock } from '../state/conversation.ts';
import { useAgentWords, useSessionActions } from '../state/hooks.ts';
import { showTemplates, useTemplates } from '../templates/known-templates.ts';
import { TemplateDialogs, takeTemplate } from '../templates/template-dialogs.tsx';
import {
  dropsOf,
  fromDialog,
  isLongText,
  replaced,
  takeFile,
  useDrop,
  withAttachment,
  withoutAttachment,
} from './attach.ts';
import { Attachments } from './attachments.tsx';
import { type CommandMeaning, isOfFile, isOwn, type OwnCommand } from './commands.ts';
import styles from './composer.module.css';
import { type BarMenu, ComposerBar, chosenModel, SendButtons, useUsedModel } from './composer-bar.tsx';
import { isBlank } from './draft.ts';
import { mentionsIn } from './mentions.ts';
import { earlierPrompt, type Key, keyMeaning, MessageField, type Way } from './message-field.tsx';
import { useNeverAsk } from './mode-menu.tsx';
import { type SendingRemedy, sendingLine, workOf } from './sending.ts';
import type { UsedDraft } from './use-draft.ts';
import { useMessage } from './use-message.ts';
import { type ComposerSurroundings, useFiles } from './use-surroundings.ts';

const css = classNames.bind(styles);

interface ComposerProps {
  session: Session;
  used: UsedDraft;
  surroundings: ComposerSurroundings;
  /** Another program that has the session open. */
  openIn: SessionHolder | null;
  /** Its conversation can’t be read, or not yet. */
  isUnread?: boolean;
  /** What was said before, the oldest first. */
  prompts: () => readonly string[];
  /** Answers whether it is on its way; else the words come back. */
  send: (way: Way, prompt: PromptBlock[], id: string) => Promise<boolean>;
  stop: () => void;
  choose: (choice: { model?: string; effort?: string | null; mode?: string }) => void;
  /** What Jumpseat does itself. */
  run: (command: Exclude<OwnCommand, 'model' | 'permissions'>, rest: string) => void;
  remedy: (action: SendingRemedy) => void;
  /** Stands on top. */
  top?: ReactNode;
  /** Stands at the end; `go` sends what is written, null if it can't be sent now. */
  bottom?: (go: (() => void) | null) => ReactNode;
}

/** The message field with its attachments, its choices, and the buttons that send it. */
export function Composer(props: ComposerProps) {
  const { session, used, surroundings, openIn, isUnread = false, choose } = props;
  const { draft, change } = used;
  const { bridge, store } = useServices();
  const { tried } = useActions();
  const app = useWindow((state) => state.app);
  const isLive = useWindow((state) => state.connection.kind === 'live');
  const enterWhileRunning = useWindow(({ preferences }) => preferences?.sessions.enterWhileRunning ?? 'queue');
  const field = useRef<HTMLTextAreaElement>(null);
  const [box, setBox] = useState<HTMLElement | null>(null);
  const [menu, setMenu] = useState<BarMenu | null>(null);
  const [back, setBack] = useState(0);
  const hint = useId();
  const files = useFiles(session.id);
  const neverAsk = useNeverAsk(session.id);
  const { offers, agents } = surroundings;
  const agent = agents?.find(({ name }) => name === session.agent);
  const { title, name } = useAgentWords();
  const model = chosenModel(session, offers, useUsedModel(session.id));
  const row = surroundings.models.find(({ id }) => id === model.name);
  const work = workOf(session.state);
  const blank = isBlank(draft);
  const line =
    app === null
      ? null
      : sendingLine({
          ...{ app, session, openIn, agent: title },
          isFolderGone: surroundings.isFolderGone,
          modelOff: row?.policy === 'disabled' ? model.name : null,
          hasAgent: agent?.isAvailable ?? true,
        });
  const isOff = line?.send === 'off' || !isLive || isUnread;
  const known = useMemo(() => new Set(files.paths ?? []), [files.paths]);
  const { ask: askFiles } = files;
  const hasMentions = useMemo(() => mentionsIn(draft.text).length > 0, [draft.text]);
  useEffect(() => {
    if (hasMentions) askFiles();
  }, [hasMentions, askFiles]);
  const isThere = useCallback((path: string) => known.has(path) || known.has(`${path}/`), [known]);
  const commands = offers?.commands ?? [];
  const failed = (text: string): void => toast(store, text, { kind: 'failed' });

  const message = useMessage({
    ...{ session, used, offers, isOff, isThere, choose, send: props.send, run: props.run },
    neverAsk: neverAsk.ask,
    openMenu: setMenu,
  });
  const setText = (text: string): void => {
    setBack(0);
    message.setText(text);
  };
  const templates = useTemplates(session.id);
  /** Above what is written. The first place that is left in it is marked. */
  const insert = (text: string): void => {
    setBack(0);
    change((now) => ({ ...now, text: now.text.trim() === '' ? text : `${text}\n\n${now.text}` }));
    const place = /\{\{ *[A-Za-z]\w* *\}\}/.exec(text);
    const [start, end] = place === null ? [text.length, text.length] : [place.index, place.index + place[0].length];
    // A dialog that closes gives the focus back first.
    setTimeout(() => {
      field.current?.focus();
      field.current?.setSelectionRange(start, end);
    });
  };
  const isCommand = (name: string): boolean =>
    isOwn(name) || commands.some((command) => command.name === name && !isOfFile(command.origin));
  const go = (way: Way): void => {
    setBack(0);
    // A process that runs doesn’t know what was saved since it started.
    const [, name, rest = ''] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(draft.text.trim()) ?? [];
    const saved = templates.all?.find((one) => one.name === name);
    if (saved !== undefined && !commands.some((command) => command.name === name)) {
      change((now) => ({ ...now, text: '' }));
      takeTemplate(session.id, saved, insert, rest);
      return;
    }
    void message.go(way);
  };
  const showEarlier = (by: 1 | -1): void => {
    const next = Math.max(0, back + by);
    const earlier = earlierPrompt(props.prompts(), next);
    if (earlier === null && next > 0) return;
    change((now) => ({ ...now, text: earlier ?? '' }));
    setBack(next);
  };
  const press = (key: Key): boolean => {
    const isBrowsing = draft.text === '' || back > 0;
    const meaning = keyMeaning(key, { work, isBlank: blank, isBrowsing, enterWhileRunning });
    if (meaning.kind === 'go') go(meaning.way);
    else if (meaning.kind === 'stop') props.stop();
    else if (meaning.kind === 'earlier') showEarlier(1);
    else if (meaning.kind === 'later' && back > 0) showEarlier(-1);
    else {
      // A plain Enter never makes a new line, also where there is nothing to send.
      return key.key === 'Enter' && !key.shiftKey && !key.altKey && !key.isComposing;
    }
    return true;
  };
  const attach = async (given: readonly File[]): Promise<void> => {
    for (const file of given) {
      try {
        const taken = await takeFile(file, bridge.pathOf ?? (() => ''), session.cwd);
        if (taken.kind === 'taken') change((now) => withAttachment(now, taken.attachment));
        else
          failed(
            t('{name} can’t be attached here: it is no text, or too long. Name its path in your message.', {
              name: taken.name,
            }),
          );
      } catch {
        failed(t('{name} can’t be read.', { name: file.name }));
      }
    }
  };
  const { chooseFiles } = useSessionActions();
  const attachChosen = async (chosen: ReturnType<NonNullable<typeof chooseFiles>>): Promise<void> => {
    for (const file of (await chosen) ?? []) change((now) => withAttachment(now, fromDialog(file, session.cwd)));
    // Return then sends, and opens no second dialog.
    field.current?.focus();
  };
  const paste = (data: DataTransfer): boolean => {
    const pasted = dropsOf(data);
    if (pasted.length > 0) {
      void attach(pasted);
      return true;
    }
    const text = data.getData('text/plain');
    if (!isLongText(text)) return false;
    change((now) => withAttachment(now, { kind: 'text', id: crypto.randomUUID(), name: null, text }));
    return true;
  };
  const drop = useDrop((given) => void attach(given));
  const directories = [session.cwd, ...session.directories];

  return (
    <>
      <div ref={setBox} className={css('composer')} {...drop.handlers}>
        {props.top}
        <Attachments
          session={session.id}
          attachments={draft.attachments}
          {...{ directories }}
          model={row === undefined ? null : { name: row.id, takesImages: row.limits.images !== 0 }}
          remove={(id) => change((now) => withoutAttachment(now, id))}
          replace={(attachment) => change((now) => replaced(now, attachment))}
          failed={() => failed(t('This image can’t be made smaller.'))}
        />
        <MessageField
          {...{ field, files, isThere, commands, press, paste }}
          isBrowsing={back > 0}
          anchor={box}
          text={draft.text}
          change={setText}
          placeholder={placeholderOf(session, openIn, name)}
          describedBy={line === null ? undefined : hint}
          agent={title}
          takeCommand={(name, rest) => {
            if (!isOwn(name) || name === 'rename' || name === 'btw') return false;
            message.runOwn(name, rest);
            return true;
          }}
          templates={templates}
          takeTemplate={(template, rest) => {
            change((now) => ({ ...now, text: rest }));
            takeTemplate(session.id, template, insert);
          }}
        />
        <CommandHint
          meaning={message.refused}
          session={session}
          take={(name) => {
            setText(`/${name} `);
            field.current?.focus();
          }}
        />
        <ComposerBar
          {...{ session, offers, choose, menu, setMenu }}
          models={surroundings.models}
          neverAsk={neverAsk.ask}
          attach={(given) => {
            field.current?.focus();
            void attach(given);
          }}
          chooseFiles={chooseFiles && (() => void attachChosen(chooseFiles(session.cwd)))}
          isDisabled={openIn !== null}
          saveTemplate={
            draft.text.trim() === ''
              ? null
              : () => showTemplates(session.id, { kind: 'edit', text: draft.text, before: null })
          }
          showTemplates={() => showTemplates(session.id, { kind: 'list' })}
        >
          <SendButtons
            {...{ work, isOff, enterWhileRunning }}
            isBlank={blank}
            sendsLater={line?.send === 'queue'}
            go={(way) => {
              go(way);
              field.current?.focus();
            }}
            stop={() => {
              props.stop();
              // The button goes, and would take the keyboard with it.
              field.current?.focus();
            }}
          />
        </ComposerBar>
        {line !== null && (
          <div id={hint} className={css('composer-why')} role="status" data-testid="sending">
            {line.kind === 'open-elsewhere' && <External size={14} />}
            <span>{line.text}</span>
            {line.remedy !== null && <RemedyButton label={line.remedy.label} run={remedyOf(line.remedy.action)} />}
          </div>
        )}
        {props.bottom?.(isOff || blank ? null : () => go('send'))}
        {drop.isOver && <div className={css('drop-area')}>{t('Drop to attach')}</div>}
      </div>
      {neverAsk.dialog}
      <TemplateDialogs session={session.id} {...{ templates, isCommand, insert }} />
    </>
  );

  function remedyOf(action: SendingRemedy): (() => void) | null {
    switch (action) {
      case 'proxy-on':
        return bridge.setProxy === null ? null : () => void tried(bridge.setProxy?.(true) ?? Promise.resolve());
      case 'free-port':
        return bridge.moveToFreePort === null ? null : () => void tried(bridge.moveToFreePort?.() ?? Promise.resolve());
      case 'choose-model':
        return () => setMenu('model');
      default:
        return () => props.remedy(action);
    }
  }
}

function RemedyButton({ label, run }: { label: string; run: (() => void) | null }) {
  return run === null ? null : (
    <Button size="small" onClick={run}>
      {label}
    </Button>
  );
}

function placeholderOf(
  session: Pick<Session, 'state' | 'questions'>,
  openIn: SessionHolder | null,
  agent: string,
): string {
  if (openIn !== null)
    return t('This session is open {program, select, terminal {in a terminal} other {in another program}}.', {
      program: openIn.program,
    });
  if (session.questions > 0) return t('You can go on writing. Nothing you type here answers the question.');
  if (workOf(session.state) !== 'idle') return t('Add to this turn or queue the next one.');
  return t('Tell {agent} what to do. Type / for commands, @ for files.', { agent });
}

interface CommandHintProps {
  /** What was not sent; null if nothing was refused. */
  meaning: CommandMeaning | null;
  session: Pick<Session, 'id' | 'agentId' | 'cwd'>;
  /** Puts another command into the field. */
  take: (name: string) => void;
}

/** Why a command wasn't sent, and what to do instead. */
function CommandHint({ meaning, session, take }: CommandHintProps) {
  const services = useServices();
  if (meaning?.kind === 'terminal') {
    const known = idInTerminal(session);
    return (
      <div className={css('composer-why')} role="alert">
        <span>{t('/{name} needs a terminal.', { name: meaning.name })}</span>
        {known !== null && (
          <Button size="small" onClick={() => void copyResumeLine(services, known, session.cwd)}>
            {t('Copy the line for a terminal')}
          </Button>
        )}
      </div>
    );
  }
  if (meaning?.kind !== 'unknown') return null;
  const { name, nearest } = meaning;
  return (
    <div className={css('composer-why')} role="alert">
      <span>
        {nearest === null
          ? t('There’s no command /{name}.', { name })
          : rich('There’s no command /{name}. Did you mean <nearest></nearest>?', {
              name,
              nearest: () => <LinkButton onClick={() => take(nearest)}>/{nearest}</LinkButton>,
            })}
      </span>
    </div>
  );
}
