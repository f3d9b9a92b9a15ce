import { duration } from '../../../app/words/times.ts';
import { useTenth } from '../../parts/now.ts';

export interface TookProps {
  startedAt: number | null;
  endedAt: number | null;
  isRunning: boolean;
}

/** How long it took, or takes so far. */
export function Took({ startedAt, endedAt, isRunning }: TookProps) {
  const now = useTenth(isRunning && startedAt !== null);
  const until = isRunning ? now : endedAt;
  return (
    <span className="took" aria-hidden="true">
      {startedAt === null || until === null ? '' : duration(Math.max(0, until - startedAt))}
    </span>
  );
}
