import type { AgentState } from '../../app/api/sessions.ts';
import { bytes } from '../../app/words/numbers.ts';
import { Button } from '../parts/button.tsx';
import { amount } from '../parts/program-choice.tsx';
import { type ClaudeProgram, failureWords } from '../state/claude-program.ts';

/** This Jumpseat leads Claude Code with another version of its adapter than the one before: nothing is chosen anew. */
export function isNewAdapter({ problem, sources }: AgentState): boolean {
  return problem?.code === 'leader-missing' && sources !== null && (sources.wasLed || sources.chosen !== null);
}

/** What stands where sessions would after an update of Jumpseat that brought a new version of the adapter. */
export function NewAdapter({ program, claude }: { program: ClaudeProgram; claude: AgentState }) {
  const { failure, fetch, stop } = program;
  const { fetching, fetchable } = claude;
  const words = failureWords(failure);
  return (
    <div className="begin" data-testid="new-adapter">
      <div className="begin-inner program-choice">
        <h2 className="begin-title">Claude Code needs a new version of its adapter</h2>
        <p className="begin-lead">
          This Jumpseat leads Claude Code with a newer version of Anthropic’s Agent SDK, which has to be fetched once
          from the npm registry: {bytes(fetchable?.bytes ?? 0)}. Your choice of Claude Code stays.
        </p>
        {words !== null && fetching === null && (
          <p className="program-failure" role="alert">
            <strong>The adapter couldn’t be fetched.</strong> {words.text}
          </p>
        )}
        <div className="program-actions">
          {fetching === null ? (
            <Button look="primary" large onClick={() => void fetch()}>
              {words === null ? 'Fetch' : 'Try again'}
            </Button>
          ) : (
            <>
              <Button large onClick={stop}>
                Cancel
              </Button>
              <span role="status">Fetching, {amount(fetching.received, fetching.total)}</span>
            </>
          )}
        </div>
      </div>
    </div>
  );
}
