import { useCallback } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { t } from '../../app/language/translate.ts';
import { shortened } from '../../app/words/text.ts';
import { clockTime } from '../../app/words/times.ts';
import { useAsked } from '../state/asked.ts';
import { useServices } from '../state/services.ts';
import { ChoiceMenu } from './composer/choice-menu.tsx';
import { ModelMenu } from './composer/model-menu.tsx';
import type { Turn } from './state/conversation.ts';
import { useConversation } from './state/hooks.ts';
import { saidIn } from './transcript/items.ts';

/** What has to be chosen before a turn is tried again, at the button that was clicked. */
interface AgainMenu {
  kind: 'model' | 'fork';
  session: string;
  turn: string;
  button: HTMLElement;
  chosen: (id: string) => void;
}

const open = createStore<{ menu: AgainMenu | null }>(() => ({ menu: null }));

export function askAgain(menu: AgainMenu): void {
  open.setState({ menu });
}

/** The one of them that is open in a session. */
export function AgainMenus({ sessionId }: { sessionId: string }) {
  const menu = useStore(open, (state) => state.menu);
  if (menu === null || menu.session !== sessionId) return null;
  const close = (): void => open.setState({ menu: null });
  return menu.kind === 'model' ? <OtherModel menu={menu} close={close} /> : <EarlierTurns menu={menu} close={close} />;
}

function OtherModel({ menu, close }: { menu: AgainMenu; close: () => void }) {
  const { bridge } = useServices();
  const { session, button, chosen } = menu;
  const offers = useAsked(useCallback(() => bridge.sessionOffers(session), [bridge, session])).asked.last;
  const models = useAsked(useCallback(async () => (await bridge.models()).models, [bridge])).asked.last;
  // The focus goes to the first entry: it has to be there.
  if (offers === null || models === null) return null;
  return (
    <ModelMenu
      {...{ anchor: button, offered: offers.models, rows: models, chosen: null, close }}
      choose={chosen}
      effort={null}
    />
  );
}

const mostTurns = 30;

function EarlierTurns({ menu, close }: { menu: AgainMenu; close: () => void }) {
  const { session, turn, button, chosen } = menu;
  const turns = useConversation(session, ({ turns }) => turns) ?? [];
  const before = turns
    .slice(
      0,
      Math.max(
        0,
        turns.findIndex(({ id }) => id === turn),
      ),
    )
    .filter(({ canFork }) => canFork);
  const choices = before.slice(-mostTurns).reverse().map(choiceOf);
  const note = choices.length === 0 ? { note: t('There is no answer to fork from yet.') } : {};
  return (
    <ChoiceMenu
      label={t('Fork from an earlier turn')}
      anchor={button}
      groups={[{ heading: t('Fork after'), choices, choose: chosen, ...note }]}
      close={close}
    />
  );
}

function choiceOf(turn: Turn) {
  const name = shortened(saidIn(turn).split('\n')[0]?.trim() || t('A background task'), 60);
  const beside = turn.startedAt === null ? {} : { beside: clockTime(turn.startedAt).slice(0, 5) };
  return { id: turn.id, name, isChosen: false, ...beside };
}
