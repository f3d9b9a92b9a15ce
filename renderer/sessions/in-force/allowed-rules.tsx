import { useCallback } from 'react';
import { ruleNotation } from '../../../app/words/rule-notation.ts';
import { Button } from '../../parts/button.tsx';
import { useAsked } from '../../state/asked.ts';
import { useServices } from '../../state/services.ts';
import { useSessionActions } from '../state/hooks.ts';
import { ShownText } from '../text/shown-text.tsx';

/** What a person allowed for the rest of this session, each to be taken back. Nothing where nothing was allowed. */
export function AllowedRules({ session }: { session: string }) {
  const { bridge } = useServices();
  const actions = useSessionActions();
  const { asked, again } = useAsked(useCallback(() => bridge.sessionRules(session), [bridge, session]));
  const rules = asked.last ?? [];
  const takeBack = async (rule: string): Promise<void> => {
    await actions.takeBackRule(session, rule);
    await again();
  };
  if (rules.length === 0) return null;
  return (
    <section aria-label="Allowed for this session">
      <h3>
        Allowed for this session <span className="count">{rules.length}</span>
      </h3>
      <p className="muted">Done without asking, until the session ends.</p>
      <ul>
        {rules.map((rule) => {
          const notation = ruleNotation(rule);
          return (
            <li key={rule.id}>
              <span className="name mono">
                <ShownText text={notation} />
              </span>
              <Button aria-label={`Take back ${notation}`} onClick={() => void takeBack(rule.id)}>
                Take back
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
