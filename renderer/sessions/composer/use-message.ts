import { useState } from 'react';
import type { OfferedMode, SessionOffers } from '../../../app/api/session-surroundings.ts';
import type { Session } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import { placesNow } from '../review/places-now.ts';
import type { PromptBlock } from '../state/conversation.ts';
import { type CommandMeaning, type OwnCommand, readCommand } from './commands.ts';
import type { BarMenu } from './composer-bar.tsx';
import { type Draft, isBlank } from './draft.ts';
import { mentionsIn } from './mentions.ts';
import type { Way } from './message-field.tsx';
import { modeName } from './mode-menu.tsx';
import { promptOf } from './prompt-blocks.ts';
import type { UsedDraft } from './use-draft.ts';
import type { ComposerSurroundings } from './use-surroundings.ts';

interface MessageGiven {
  session: Pick<Session, 'id' | 'cwd' | 'agent'>;
  used: UsedDraft;
  offers: ComposerSurroundings['offers'];
  /** Nothing can be sent now. */
  isOff: boolean;
  /** True if a path of the folder exists, as far as it is known without asking. */
  isThere: (path: string) => boolean;
  send: (way: Way, prompt: PromptBlock[], id: string) => Promise<boolean>;
  choose: (choice: { model?: string; mode?: string }) => void;
  neverAsk: (() => void) | null;
  openMenu: (menu: BarMenu) => void;
  run: (command: Exclude<OwnCommand, 'model' | 'permissions'>, rest: string) => void;
}

interface Message {
  /** Sends what is written, or does what it says where that is a command of Jumpseat’s. */
  go: (way: Way) => Promise<void>;
  runOwn: (command: OwnCommand, rest: string) => void;
  /** A command that wasn't sent, and is still in the field; null if there is none. */
  refused: CommandMeaning | null;
  setText: (text: string) => void;
}

/** What is written, on its way out of the field. */
export function useMessage(given: MessageGiven): Message {
  const { session, used, offers, isOff, isThere } = given;
  const { draft, change } = used;
  const { bridge, store } = useServices();
  const [refused, setRefused] = useState<CommandMeaning | null>(null);

  const setText = (text: string): void => {
    setRefused(null);
    change((now) => ({ ...now, text }));
  };
  /** Answers whether the words behind the command were for it. Others stay in the field. */
  const take = (command: OwnCommand, rest: string, offers: MessageGiven['offers']): boolean => {
    if (command === 'model') {
      const model = namedModel(offers, rest);
      if (model === null) given.openMenu('model');
      else given.choose({ model });
      return model !== null;
    }
    if (command === 'permissions') {
      const mode = namedMode(offers, rest);
      if (mode === null) given.openMenu('mode');
      else if (!mode.asksNothing) given.choose({ mode: mode.id });
      else if (given.neverAsk === null) given.openMenu('mode');
      else given.neverAsk();
      return mode !== null;
    }
    given.run(command, rest);
    return command === 'rename' || command === 'btw';
  };
  const runOwn = (command: OwnCommand, rest: string): void => {
    if (offers !== null || rest === '' || (command !== 'model' && command !== 'permissions')) {
      setText(take(command, rest, offers) ? '' : rest);
      return;
    }
    // Sent before it is known what there is to choose from.
    const isAsSent = ({ text }: Draft): boolean => text === draft.text;
    void bridge
      .sessionOffers(session.id)
      .catch(() => null)
      .then((known) => {
        const left = take(command, rest, known) ? '' : rest;
        change((now) => (isAsSent(now) ? { ...now, text: left } : now));
      });
  };

  const promptFor = async (sent: Draft): Promise<PromptBlock[]> => {
    // Also those that git ignores, which no list of the folder has.
    const named = [...new Set(mentionsIn(sent.text).map(({ path }) => path))].slice(0, 200);
    const found =
      named.length === 0 ? [] : await bridge.namedPaths({ session: session.id, paths: named }).catch(() => []);
    const places = await placesNow(bridge, session.id, sent.attachments);
    const isNamed = (path: string): boolean => {
      const kind = found[named.indexOf(path)];
      return kind === undefined ? isThere(path) : kind !== 'gone';
    };
    return promptOf(sent, session.cwd, isNamed, (id) => places.get(id) ?? { state: 'unknown' });
  };
  const go = async (way: Way): Promise<void> => {
    if (isOff || isBlank(draft)) return;
    const meaning = readCommand(draft.text, offers?.commands ?? [], {
      areAll: offers?.areCommandsCurrent ?? false,
      agent: session.agent,
    });
    if (meaning.kind === 'own') return runOwn(meaning.command, meaning.rest);
    if (meaning.kind === 'terminal' || meaning.kind === 'unknown') return setRefused(meaning);
    const id = draft.messageId ?? crypto.randomUUID();
    const sent: Draft = { ...draft, messageId: id };
    try {
      await used.sending(sent, async () => given.send(way, await promptFor(sent), id));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      toast(store, t('This message couldn’t be sent; it is back in the field. {why}', { why }), { kind: 'failed' });
    }
  };
  return { go, runOwn, refused, setText };
}

/** What `/model` is to choose by the words behind it; null if they name none that is offered. */
export function namedModel(offers: Pick<SessionOffers, 'models'> | null, words: string): string | null {
  const wanted = words.toLowerCase();
  const offered = offers?.models ?? [];
  const found = offered.find(({ id }) => id.toLowerCase() === wanted) ?? offered.find(({ model }) => model === wanted);
  return found?.id ?? null;
}

/** What `/permissions` is to choose by the words behind it, by its id or as it is shown. */
export function namedMode(offers: Pick<SessionOffers, 'modes'> | null, words: string): OfferedMode | null {
  const wanted = words.toLowerCase();
  const names = (mode: OfferedMode): string[] => [mode.id, modeName(mode)];
  const found = offers?.modes.find((mode) => names(mode).some((name) => name.toLowerCase() === wanted));
  return found === undefined || found.refusal !== null ? null : found;
}
