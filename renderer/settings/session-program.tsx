import { bytes } from '../../app/words/numbers.ts';
import { Button } from '../parts/button.tsx';
import { type ClaudeProgram, useClaudeProgram } from '../state/claude-program.ts';
import { Setting } from './setting.tsx';

/** Which Claude Code leads the sessions. */
export function ProgramSetting() {
  const program = useClaudeProgram();
  const { claude, unknown, isFetching, failure, fetch } = program;
  const fetchable = claude?.fetchable ?? null;
  const error =
    failure === null || isFetching || fetchable === null ? unknown : `The copy couldn’t be fetched. ${failure}`;
  return (
    <Setting title="Claude Code" help={found(claude)} error={error}>
      {fetchable !== null && (
        <Button disabled={isFetching} aria-busy={isFetching} onClick={fetch}>
          {isFetching ? 'Fetching…' : failure === null ? `Fetch (${bytes(fetchable.bytes)})` : 'Try again'}
        </Button>
      )}
    </Setting>
  );
}

function found(claude: ClaudeProgram['claude']): string {
  if (claude === null) return '…';
  const { version, from, problem } = claude;
  if (problem !== null) return `${problem.text} ${problem.mend}`;
  const whose = from === 'fetched' ? 'The copy that Jumpseat fetched' : 'The claude on this machine';
  return version === null ? `${whose}.` : `${whose}, version ${version}.`;
}
