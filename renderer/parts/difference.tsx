import { useState } from 'react';
import type { SetupPlan } from '../../app/api/setup.ts';
import { changedValues, writtenValue } from '../../app/words/setup.ts';

type Change = SetupPlan['changes'][number];

const firstShown = 3;

/** What a plan changes in settings.json: what goes in red, what comes in green, each with its sign. */
export function Difference({ plan, short = false }: { plan: SetupPlan; short?: boolean }) {
  const [all, setAll] = useState(!short);
  const shown = all ? plan.changes : plan.changes.slice(0, firstShown);
  const variables = shown.filter(isVariable);
  const beside = shown.filter((change) => !isVariable(change));
  const rest = plan.changes.length - shown.length;
  const last = rest > 0 ? undefined : shown.at(-1);
  // Of a file that is made, all there will be is shown.
  const around = plan.createsFile ? 'added' : 'same';
  return (
    <figure className="difference">
      <figcaption>{plan.shown}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <pre tabIndex={0}>
        {plan.createsFile && <span className="added">{'+{'}</span>}
        <span className={around}>{`${signs[around]} "env": {`}</span>
        {variables.map((change) => (
          <Lines key={change.name} change={change} isLast={change === variables.at(-1) && rest === 0} />
        ))}
        {rest === 0 && <span className={around}>{`${signs[around]} }${beside.length > 0 ? ',' : ''}`}</span>}
        {beside.map((change) => (
          <Lines key={change.name} change={change} isLast={change === last} />
        ))}
        {plan.createsFile && rest === 0 && <span className="added">{'+}'}</span>}
        {rest > 0 && (
          <button type="button" className="link more" onClick={() => setAll(true)}>
            … {rest} more
          </button>
        )}
      </pre>
    </figure>
  );
}

function isVariable({ place }: Change): boolean {
  return place === 'env';
}

function Lines({ change, isLast }: { change: Change; isLast: boolean }) {
  return changedValues(change).map(({ look, value }) => (
    <Line key={look} look={look} change={change} value={value} isLast={isLast} />
  ));
}

const signs = { added: '+', removed: '−', same: ' ' } as const;

function Line({
  look,
  change,
  value,
  isLast,
}: {
  look: keyof typeof signs;
  change: Change;
  value: string | null;
  isLast: boolean;
}) {
  return (
    <span className={look}>
      {signs[look]}
      {isVariable(change) ? '   ' : ' '}
      {`"${change.name}": ${writtenValue(change, value)}${isLast ? '' : ','}`}
    </span>
  );
}
