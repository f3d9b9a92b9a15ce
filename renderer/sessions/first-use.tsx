import { bytes } from '../../app/words/numbers.ts';
import { Button } from '../parts/button.tsx';
import { Tree } from '../parts/icons.tsx';
import type { ClaudeProgram } from '../state/claude-program.ts';
import { useWindow } from '../state/services.ts';

/** What stands where sessions would, as long as there is no Claude Code that could lead them. */
export function FirstUse({ program }: { program: ClaudeProgram }) {
  const { claude, isFetching, failure, fetch } = program;
  const asksAnthropic = useWindow(
    ({ preferences }) =>
      preferences?.sessions.webFetchPreflight === true || preferences?.search.engines.includes('anthropic') === true,
  );
  const { problem = null, fetchable = null } = claude ?? {};
  return (
    <div className="empty" data-testid="first-use">
      <div className="empty-inner">
        <Tree size={24} />
        <h2>Run Claude Code in this window</h2>
        <p>Jumpseat starts it for you, on your Copilot subscription. It asks before it changes anything.</p>
        {problem !== null && (
          <p>
            {problem.text} {problem.mend}
          </p>
        )}
        {failure !== null && !isFetching && fetchable !== null && (
          <p role="alert">
            <strong>The copy couldn’t be fetched.</strong> {failure}
          </p>
        )}
        {fetchable !== null && (
          <>
            <p>
              A copy that Jumpseat fetches comes from the npm registry, {bytes(fetchable.bytes)}, checked against the
              published checksum. It is kept apart from yours.
            </p>
            <div className="actions">
              <Button look="primary" disabled={isFetching} aria-busy={isFetching} onClick={fetch}>
                {isFetching ? 'Fetching…' : failure === null ? 'Fetch and use' : 'Try again'}
              </Button>
            </div>
          </>
        )}
        <p className="small first-use-foot">
          Claude Code is made by Anthropic and comes under its own terms. Requests go to Copilot through the proxy on
          this machine{asksAnthropic ? '.' : '; nothing is sent to Anthropic.'}
        </p>
      </div>
    </div>
  );
}
