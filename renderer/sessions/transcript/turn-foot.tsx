import { memo } from 'react';
import { costUnknown, costWithUnit, partlyUnknown, unknownBecause } from '../../../app/words/charge.ts';
import { counted, grouped, tokenCount } from '../../../app/words/numbers.ts';
import { oneLine } from '../../../app/words/text.ts';
import { duration, firstTokenTime } from '../../../app/words/times.ts';
import { IconButton, LinkButton } from '../../parts/button.tsx';
import { Agent, Fork, Person, Undo } from '../../parts/icons.tsx';
import type { Turn } from '../state/conversation.ts';
import { CopyButton } from '../text/copy-button.tsx';
import { answerOf, hasAnswer, hasEdits } from './items.ts';
import { useTranscript } from './transcript-context.ts';

/** What a turn took and cost, and what can be done with it. */
export const TurnFoot = memo(function TurnFoot({ turn }: { turn: Turn }) {
  const { actions, model } = useTranscript();
  const { fork, undoTurn } = actions;
  const { id, cost, startedAt, firstWordAt, endedAt } = turn;
  const answer = answerOf(turn);
  const first =
    startedAt === null || firstWordAt === null || !hasAnswer(turn)
      ? null
      : `first word after ${firstTokenTime(firstWordAt - startedAt)}`;
  const tokens = cost === null || cost.input + cost.cached + cost.output === 0 ? null : tokenWords(cost);
  const others = turn.models.filter((name) => name !== model);
  // Of a turn that was led elsewhere, also of one that a fork copied, no edit is kept that could be undone here.
  const canUndo = turn.number !== null && hasEdits(turn);
  const title = [first, tokens].filter((part) => part !== null).join(', ');
  return (
    <div className="turn-foot" data-testid={`turn-figures-${id}`} title={title === '' ? undefined : title}>
      <span className="acts">
        {answer !== '' && <CopyButton label="Copy answer" text={() => answer} />}
        {fork !== undefined && (
          <IconButton
            label={turn.canFork ? 'Fork after this turn' : 'There is no answer to fork from yet.'}
            icon={<Fork size={14} />}
            disabled={!turn.canFork}
            onClick={() => fork(id)}
          />
        )}
        {undoTurn !== undefined && canUndo && (
          <IconButton label="Undo the edits of this turn…" icon={<Undo size={14} />} onClick={() => undoTurn(id)} />
        )}
      </span>
      {startedAt !== null && endedAt !== null && <span>{duration(endedAt - startedAt)}</span>}
      {first !== null && (
        <span className="w2" title={firstWordBasis}>
          {first}
        </span>
      )}
      {tokens !== null && <span className="w1">{tokens}</span>}
      {others.length > 0 && <span className="w1">with {oneLine(others.join(', '))}</span>}
      {cost !== null && <Sum turnId={id} cost={cost} />}
    </div>
  );
});

/** The first token in the log and in Health is that of single requests. */
const firstWordBasis = 'From the start of the turn to the first word, with the agent’s own time';

type Cost = NonNullable<Turn['cost']>;

/** Only tokens before the first word are counted for a request that was stopped. */
function tokenWords({ input, cached, output, isPartlyUnknown }: Cost): string {
  const out = tokenCount(output);
  const known = output > 0 ? `${isPartlyUnknown ? partlyUnknown(out) : out} out` : 'output unknown';
  return `${tokenCount(input)} in · ${tokenCount(cached)} cached · ${isPartlyUnknown ? known : `${out} out`}`;
}

function Sum({ turnId, cost }: { turnId: string; cost: Cost }) {
  const { actions } = useTranscript();
  const { showRequests } = actions;
  const { user, agent, refused = 0 } = cost;
  const free = refused === 0 ? '' : ` ${counted(refused, 'request')} refused, at no charge.`;
  const said = `${grouped(user)} user and ${counted(agent, 'agent request')}.${free}`;
  const inner = (
    <>
      <Person size={14} />
      <span aria-hidden="true">{grouped(user)}</span>
      <Agent size={14} />
      <span aria-hidden="true">{grouped(agent)}</span>
      {refused > 0 && <span aria-hidden="true">· {grouped(refused)} refused</span>}
    </>
  );
  return (
    <span className="sum">
      {showRequests === undefined ? (
        <span className="by-whom" title={said}>
          <span className="sr">{said}</span>
          {inner}
        </span>
      ) : (
        <LinkButton className="by-whom" title={`${said} Show them.`} onClick={() => showRequests(turnId)}>
          <span className="sr">{said} Show them.</span>
          {inner}
        </LinkButton>
      )}
      <span className="c" title={basisOf(cost)}>
        {spent(cost)}
      </span>
    </span>
  );
}

function basisOf({ premiumRequests, isPartlyUnknown }: Cost): string {
  if (isPartlyUnknown) return unknownBecause;
  return premiumRequests > 0 ? 'Premium requests, as counted by Copilot' : 'Credits, as reported by Copilot';
}

/** A turn has only one of the two: what a plan bills by changes at a turn of its month. */
function spent(cost: Cost): string {
  if (cost.running > 0) return '…';
  const words = costWithUnit(cost.nanoAiu > 0 || cost.premiumRequests === 0 ? 'credits' : 'premium', cost);
  return words === costUnknown ? `${words}: not reported by Copilot` : words;
}
