import classNames from 'classnames/bind';
import { type ReactNode, useState } from 'react';
import type { OfferedMode } from '../../../app/api/session-surroundings.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { type AgentWords, type ModeWords, modeWordsOf } from '../../../app/words/agents.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Checklist, Pencil, Shield, ShieldSlash, Zap } from '../../parts/icons.tsx';
import { useAgentWords, useSessionActions } from '../state/hooks.ts';
import { ChoiceMenu } from './choice-menu.tsx';
import styles from './composer.module.css';

const css = classNames.bind(styles);

interface ModeMenuProps {
  anchor: HTMLElement;
  modes: readonly OfferedMode[];
  chosen: string | null;
  /** Model, for modes that it doesn't offer. */
  model: string;
  choose: (mode: string) => void;
  /** Asks, and has nothing asked any more. Null: not from this window. */
  neverAsk: (() => void) | null;
  close: () => void;
}

export function ModeMenu({ anchor, modes, chosen, model, choose, neverAsk, close }: ModeMenuProps) {
  const agent = useAgentWords();
  const choiceOf = (mode: OfferedMode) => {
    const { name, text } = modeWords(mode, agent);
    const refusal = refusalWords(mode, model, agent);
    return {
      id: mode.id,
      name,
      ...((refusal ?? text) !== '' && { text: refusal ?? text }),
      icon: modeIcon(mode.id, 16),
      isRisky: mode.asksNothing,
      isOff: refusal !== null,
      isChosen: mode.id === chosen,
    };
  };
  const usual = modes.filter(({ asksNothing }) => !asksNothing).map(choiceOf);
  const risky = modes.filter(({ asksNothing }) => asksNothing).map(choiceOf);
  const groups = [{ heading: null, choices: usual, choose }];
  const last = neverAsk === null || risky.length === 0 ? [] : [{ heading: null, choices: risky, choose: neverAsk }];
  return (
    <ChoiceMenu
      label={t('Permissions')}
      anchor={anchor}
      groups={[...groups, ...last]}
      close={close}
      className={css('modes')}
    />
  );
}

export function modeIcon(mode: string | null, size: number): ReactNode {
  switch (mode) {
    case 'acceptEdits':
      return <Pencil size={size} />;
    case 'plan':
      return <Checklist size={size} />;
    case 'auto':
      return <Zap size={size} />;
    case 'bypassPermissions':
    case 'agent-full-access':
      return <ShieldSlash size={size} />;
    default:
      return <Shield size={size} />;
  }
}

/** Words for modes, by any agent's names. */
const words: Readonly<Record<string, (typeof modeWordsOf)['default']>> = modeWordsOf;

const neverAsks = (agent: AgentWords): ModeWords => ({
  name: t('Never ask…'),
  text: t(
    '{agent} can delete files, run anything and send your data anywhere, and you see it afterwards. Use it only where losing everything is acceptable.',
    { agent: agent.name },
  ),
});

/** True for the usual modes, all of which ask. */
export function isUsualMode(id: string | null): boolean {
  return id === null || Object.hasOwn(words, id);
}

function modeWords(
  { id, name, asksNothing }: Pick<OfferedMode, 'id' | 'name' | 'asksNothing'>,
  agent: AgentWords,
): ModeWords {
  if (asksNothing) return neverAsks(agent);
  const known = words[id];
  return known === undefined ? { name, text: '' } : { name: translated(known.name), text: translated(known.text) };
}

/** Name of a mode within a sentence. */
export function modeName({ id, name, asksNothing }: Pick<OfferedMode, 'id' | 'name' | 'asksNothing'>): string {
  if (asksNothing) return t('Never ask');
  const known = words[id];
  return known === undefined ? name : translated(known.name);
}

/** Why a mode can't be chosen; null if it can. */
export function refusalWords(
  { refusal }: Pick<OfferedMode, 'refusal'>,
  model: string,
  agent: AgentWords,
): string | null {
  if (refusal === null) return null;
  return refusal === 'root'
    ? t('{agent} refuses this for root.', { agent: agent.title })
    : t('{model} doesn’t offer this.', { model });
}

/** `Ask first`, `Never asks`: the mode in force. */
export function modeInForce(modes: readonly OfferedMode[], id: string | null): { name: string; asksNothing: boolean } {
  const mode = modes.find((one) => one.id === id) ?? (id === null ? modes[0] : undefined);
  if (mode?.asksNothing === true) return { name: t('Never asks'), asksNothing: true };
  if (mode !== undefined) return { name: modeName(mode), asksNothing: false };
  const known = words[id ?? 'default'];
  return { name: known === undefined ? (id ?? '') : translated(known.name), asksNothing: false };
}

/** Asks each time before nothing is asked any more. `ask` is null if this window may not choose it. */
export function useNeverAsk(session: string): { ask: (() => void) | null; dialog: ReactNode } {
  const { neverAsk } = useSessionActions();
  const [isAsked, setAsked] = useState(false);
  return {
    ask: neverAsk === null ? null : () => setAsked(true),
    dialog: isAsked && <NeverAskDialog session={session} close={() => setAsked(false)} />,
  };
}

/** Asked each time. In a browser it isn't offered. */
function NeverAskDialog({ session, close }: { session: string; close: () => void }) {
  const { neverAsk } = useSessionActions();
  const { name } = useAgentWords();
  if (neverAsk === null) return null;
  const run = (): void => {
    close();
    void neverAsk(session);
  };
  return (
    <Dialog
      title={t('Let {agent} do anything without asking?', { agent: name })}
      close={close}
      action={{ label: t('Never ask in this session'), danger: true, run }}
    >
      <p>
        {t(
          'In this session {agent} can delete files, run any command as you and send what it reads anywhere. You see it only afterwards, and commands can’t be undone here.',
          { agent: name },
        )}
      </p>
      <p>
        {t(
          'Text in a file or on a web page can make {agent} do things you never asked for. Use this only in a container or on a machine you can lose.',
          { agent: name },
        )}
      </p>
      <p className="muted">{t('It ends with the session, and when Jumpseat restarts.')}</p>
    </Dialog>
  );
}
