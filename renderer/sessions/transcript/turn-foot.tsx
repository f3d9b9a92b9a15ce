import classNames from 'classnames/bind';
import { memo } from 'react';
import { sentences } from '../../../app/language/sentences.ts';
import { t } from '../../../app/language/translate.ts';
import { costWithUnit, costWords, unknownBecause } from '../../../app/words/charge.ts';
import type { World } from '../../../app/words/exchange-cells.ts';
import { grouped, tokenCount } from '../../../app/words/numbers.ts';
import { oneLine } from '../../../app/words/text.ts';
import { duration, firstTokenTime } from '../../../app/words/times.ts';
import { IconButton, LinkButton } from '../../parts/button.tsx';
import { Agent, Fork, Person, Undo } from '../../parts/icons.tsx';
import { useWindow } from '../../state/services.ts';
import type { Turn } from '../state/conversation.ts';
import { CopyButton } from '../text/copy-button.tsx';
import { answerOf, hasAnswer, hasEdits } from './items.ts';
import styles from './transcript.module.css';
import { useTranscript } from './transcript-context.ts';

const css = classNames.bind(styles);

/** What a turn took and cost, and what can be done with it. */
export const TurnFoot = memo(function TurnFoot({ turn }: { turn: Turn }) {
  const { actions, model } = useTranscript();
  const { fork, undoTurn } = actions;
  const { id, cost, startedAt, firstWordAt, endedAt } = turn;
  const answer = answerOf(turn);
  const first =
    startedAt === null || firstWordAt === null || !hasAnswer(turn)
      ? null
      : t('first word after {time}', { time: firstTokenTime(firstWordAt - startedAt) });
  const tokens = cost === null || cost.input + cost.cached + cost.output === 0 ? null : tokenWords(cost);
  const others = turn.models.filter((name) => name !== model);
  // Of a turn that was led elsewhere, also of one that a fork copied, no edit is kept that could be undone here.
  const canUndo = turn.number !== null && hasEdits(turn);
  const title = [first, tokens].filter((part) => part !== null).join(', ');
  return (
    <div className={css('turn-foot')} data-testid={`turn-figures-${id}`} title={title === '' ? undefined : title}>
      <span className={css('acts')}>
        {answer !== '' && <CopyButton label={t('Copy answer')} text={() => answer} />}
        {fork !== undefined && (
          <IconButton
            size="small"
            label={turn.canFork ? t('Fork after this turn') : t('There is no answer to fork from yet.')}
            icon={<Fork size={14} />}
            disabled={!turn.canFork}
            onClick={() => fork(id)}
          />
        )}
        {undoTurn !== undefined && canUndo && (
          <IconButton
            size="small"
            label={t('Undo the edits of this turn…')}
            icon={<Undo size={14} />}
            onClick={() => undoTurn(id)}
          />
        )}
      </span>
      {startedAt !== null && endedAt !== null && <span>{duration(endedAt - startedAt)}</span>}
      {first !== null && (
        // The first token in the log and in Health is that of single requests.
        <span
          className={css('w2')}
          title={t('From the start of the turn to the first word, with the agent’s own time')}
        >
          {first}
        </span>
      )}
      {tokens !== null && <span className={css('w1')}>{tokens}</span>}
      {others.length > 0 && (
        <span className={css('w1')}>{t('with {models}', { models: oneLine(others.join(', ')) })}</span>
      )}
      {cost !== null && <Sum turnId={id} cost={cost} />}
    </div>
  );
});

type Cost = NonNullable<Turn['cost']>;

/** Only tokens before the first word are counted for a request that was stopped. */
function tokenWords(cost: Cost): string {
  const [input, cached, output] = [tokenCount(cost.input), tokenCount(cost.cached), tokenCount(cost.output)];
  if (!cost.isPartlyUnknown) return t('{input} in · {cached} cached · {output} out', { input, cached, output });
  return cost.output > 0
    ? t('{input} in · {cached} cached · at least {output} out', { input, cached, output })
    : t('{input} in · {cached} cached · output unknown', { input, cached });
}

function Sum({ turnId, cost }: { turnId: string; cost: Cost }) {
  const { actions } = useTranscript();
  const { showRequests } = actions;
  const { user, agent, refused = 0 } = cost;
  const world = useWindow(({ app }) => app?.quota?.world ?? 'unknown');
  if (user + agent + refused + cost.running === 0) {
    // Nothing was billed that is known of: that is no price of zero.
    return (
      <span className={css('sum')} title={t('Jumpseat saw no request of this turn. Its cost isn’t known.')}>
        {t('No requests')}
      </span>
    );
  }
  const requests = t('{user} user and {agent, plural, one {# agent request} other {# agent requests}}.', {
    user: grouped(user),
    agent,
  });
  const free = t('{refused, plural, one {# request} other {# requests}} refused, at no charge.', { refused });
  const said = refused === 0 ? requests : sentences(requests, free);
  const link = sentences(said, t('Show them.'));
  const inner = (
    <>
      <Person size={14} />
      <span aria-hidden="true">{grouped(user)}</span>
      <Agent size={14} />
      <span aria-hidden="true">{grouped(agent)}</span>
      {refused > 0 && <span aria-hidden="true">· {t('{count} refused', { count: grouped(refused) })}</span>}
    </>
  );
  return (
    <span className={css('sum')}>
      {showRequests === undefined ? (
        <span className={css('by-whom')} title={said}>
          <span className="sr">{said}</span>
          {inner}
        </span>
      ) : (
        <LinkButton className={css('by-whom')} title={link} onClick={() => showRequests(turnId)}>
          <span className="sr">{link}</span>
          {inner}
        </LinkButton>
      )}
      <span className={css('c')} title={basisOf(cost, world)}>
        {spent(cost, world)}
      </span>
    </span>
  );
}

function basisOf(cost: Cost, world: World): string {
  if (cost.isPartlyUnknown) return unknownBecause(cost);
  return worldOf(cost, world) === 'premium'
    ? t('Premium requests, as counted by Copilot')
    : t('Credits, as reported by Copilot');
}

/** A turn has only one of the two: what a plan bills by changes at a turn of its month. None: it is that of now. */
function worldOf({ nanoAiu, premiumRequests }: Cost, now: World): World {
  if (nanoAiu > 0) return 'credits';
  return premiumRequests > 0 ? 'premium' : now;
}

function spent(cost: Cost, world: World): string {
  if (cost.running > 0) return '…';
  const { nanoAiu, premiumRequests, estimate = 0 } = cost;
  if (cost.isPartlyUnknown && nanoAiu === 0 && premiumRequests === 0)
    return estimate === 0
      ? t('Cost unknown: not reported by Copilot')
      : t('{amount} credits, not reported by Copilot', { amount: costWords('credits', cost) });
  return costWithUnit(worldOf(cost, world), cost);
}
