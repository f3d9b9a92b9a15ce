import type { Lane, Step } from '../state/conversation.ts';
import { StepIcon } from './step-icon.tsx';
import { stepWords } from './step-words.ts';
import { useTranscript } from './transcript-context.ts';

/** What a subagent does now, in one line of one height. */
export function LiveLine({ lane }: { lane: Lane }) {
  const { cwd } = useTranscript();
  const last = lane.blocks.at(-1);
  return (
    <div className="live">
      {last?.kind === 'step' ? <StepNow step={last} cwd={cwd} /> : <span className="ell">{saying(last?.kind)}</span>}
    </div>
  );
}

function StepNow({ step, cwd }: { step: Step; cwd: string | null }) {
  const { verb, object } = stepWords(step, cwd);
  return (
    <>
      <StepIcon kind={step.stepKind} state="done" />
      <span className="ell">
        {verb} <span className="mono">{object}</span>
      </span>
    </>
  );
}

function saying(kind: string | undefined): string {
  if (kind === undefined) return 'Starting…';
  return kind === 'text' ? 'Writing' : 'Thinking';
}
