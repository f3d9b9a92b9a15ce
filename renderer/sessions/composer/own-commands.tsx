import classNames from 'classnames/bind';
import { type ReactNode, useCallback, useState } from 'react';
import type { Session, TurnCost } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { costWords } from '../../../app/words/charge.ts';
import { hourAndMinute } from '../../../app/words/times.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useAsked } from '../../state/asked.ts';
import { toast } from '../../state/notices.ts';
import { go } from '../../state/routes.ts';
import { useApp, useServices } from '../../state/services.ts';
import { costBeside, costOf, partsInWords } from '../session-costs.ts';
import { useAgentWords, useSessionActions, useSessions } from '../state/hooks.ts';
import type { OwnCommand } from './commands.ts';
import styles from './composer.module.css';
import { openNewSession, useFork } from './open-session.ts';

const css = classNames.bind(styles);

interface OwnCommands {
  run: (command: Exclude<OwnCommand, 'model' | 'permissions'>, rest: string) => void;
  fork: () => Promise<void>;
  dialog: ReactNode;
}

/** What the commands do that Jumpseat answers itself. */
export function useOwnCommands(session: Session): OwnCommands {
  const { store } = useServices();
  const actions = useSessionActions();
  const [shown, setShown] = useState<'cost' | 'rename' | null>(null);
  const close = () => setShown(null);
  const tell = (text: string): void => toast(store, text, { kind: 'info' });

  const { fromEnd } = useFork();
  const fork = (): Promise<void> => fromEnd(session.id);

  /** Words that are not on their way are in the field of the side questions. */
  const askBeside = async (words: string): Promise<void> => {
    actions.showBeside(session.id);
    if (words === '') return;
    const canAsk = session.agent === 'claude' && session.state !== 'provisional';
    if (!canAsk || !(await actions.askBeside(session.id, words))) actions.writeBeside(session.id, words);
  };

  return {
    fork,
    run: (command, rest) => {
      if (command === 'btw') void askBeside(rest);
      else if (command === 'clear') openNewSession(session.cwd);
      else if (command === 'fork') void fork();
      else if (command === 'rename' && rest !== '') void actions.rename(session.id, rest.slice(0, 200));
      else if (session.state === 'provisional') tell(t('Nothing was sent in this session yet.'));
      else setShown(command);
    },
    dialog: (
      <>
        {shown === 'cost' && <CostDialog {...{ session, close }} />}
        {shown === 'rename' && <RenameDialog {...{ session, close }} />}
      </>
    ),
  };
}

interface OwnDialogProps {
  session: Session;
  close: () => void;
}

const mostTurns = 500;

/** `1 user, 3 agent`, `0 user, 0 agent, 1 refused` */
function byWhom({ user, agent, refused = 0 }: TurnCost): string {
  return refused > 0
    ? t('{user} user, {agent} agent, {refused} refused', { user, agent, refused })
    : t('{user} user, {agent} agent', { user, agent });
}

/** What a session cost, turn by turn. */
function CostDialog({ session, close }: OwnDialogProps) {
  const { bridge } = useServices();
  const { quota } = useApp();
  const isPremium = quota?.world === 'premium';
  const { user, agent } = session.cost;
  const { asked } = useAsked(
    // biome-ignore lint/correctness/useExhaustiveDependencies: a turn that runs costs more with each request.
    useCallback(
      () => bridge.sessionTurns({ session: session.id, before: null, limit: mostTurns }),
      [bridge, session.id, user, agent],
    ),
  );
  const costs = useSessions((state) => state.costs);
  const whole = costOf({ id: session.id, held: session }, costs) ?? session.cost;
  const turns = asked.last ?? [];
  const { sideQuestions } = session;
  const beside = [
    { what: t('Side questions'), cost: sideQuestions === undefined ? null : costBeside(sideQuestions.cost, []) },
    // While they are read, all of it would seem to be cut off.
    {
      what: turns.length < mostTurns ? t('Cut off by going back') : t('Earlier, or cut off by going back'),
      cost:
        asked.kind === 'known'
          ? costBeside(session.cost, [
              ...turns.map(({ cost }) => cost),
              ...(sideQuestions === undefined ? [] : [sideQuestions.cost]),
            ])
          : null,
    },
    { what: t('In other programs'), cost: costs?.get(session.id)?.elsewhere ?? null },
  ];
  const world = isPremium ? 'premium' : 'credits';
  const shown = [...turns, ...beside].flatMap(({ cost }) => (cost === null ? [] : [cost]));
  const inWords = partsInWords(world, shown);
  const words = (cost: TurnCost): string => inWords[shown.indexOf(cost)] ?? '';
  const action = {
    label: t('Show its requests'),
    run: () => {
      close();
      go({ place: 'requests', query: `session:${session.id}` });
    },
  };
  return (
    <Dialog
      title={isPremium ? t('Premium requests of this session') : t('Credits of this session')}
      cancel={t('Close')}
      {...{ action, close }}
    >
      {asked.kind === 'failed' && <p role="alert">{asked.text}</p>}
      <table className={css('session-costs')}>
        <thead>
          <tr>
            <th scope="col">{t('Turn')}</th>
            <th scope="col">{t('Began')}</th>
            <th scope="col">{t('Requests')}</th>
            <th scope="col">{isPremium ? t('Premium requests') : t('Credits')}</th>
          </tr>
        </thead>
        <tbody>
          {turns.map(({ id, number, startedAt, cost }) => (
            <tr key={id}>
              <td>{number}</td>
              <td>{hourAndMinute(startedAt)}</td>
              <td>{byWhom(cost)}</td>
              <td>{words(cost)}</td>
            </tr>
          ))}
          {beside.map(
            ({ what, cost }) =>
              cost !== null && (
                <tr key={what}>
                  <td colSpan={2}>{what}</td>
                  <td>{byWhom(cost)}</td>
                  <td>{words(cost)}</td>
                </tr>
              ),
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              {t('Total')}
            </th>
            <td>{byWhom(whole)}</td>
            <td>{costWords(world, whole)}</td>
          </tr>
        </tfoot>
      </table>
    </Dialog>
  );
}

function RenameDialog({ session, close }: OwnDialogProps) {
  const { rename } = useSessionActions();
  const { title: agent } = useAgentWords();
  const [title, setTitle] = useState(session.title ?? '');
  const keep = (): void => {
    close();
    void rename(session.id, title.trim() === '' ? null : title.trim());
  };
  return (
    <Dialog title={t('Rename this session')} close={close} action={{ label: t('Rename'), run: keep }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        <input
          autoFocus
          className={css('field', 'rename-field')}
          aria-label={t('Title')}
          maxLength={200}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <p className="muted">{t('Empty: as {agent} names it.', { agent })}</p>
      </form>
    </Dialog>
  );
}
