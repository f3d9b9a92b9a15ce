import type { ReactNode } from 'react';
import type { OfferedMode } from '../../../app/api/session-surroundings.ts';
import { Checklist, Pencil, Shield, ShieldSlash, Zap } from '../../parts/icons.tsx';
import { useAgentWords } from '../state/agent-context.ts';
import { ChoiceMenu } from './choice-menu.tsx';
import { modeWords, refusalWords } from './modes.ts';

export interface ModeMenuProps {
  anchor: HTMLElement;
  modes: readonly OfferedMode[];
  chosen: string | null;
  /** Of the model, for what it doesn't offer. */
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
    <ChoiceMenu label="Permissions" anchor={anchor} groups={[...groups, ...last]} close={close} className="modes" />
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
