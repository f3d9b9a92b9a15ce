import { oneLine } from '../../../app/words/one-line.ts';
import { clockTime } from '../../../app/words/times.ts';
import { Person } from '../../parts/icons.tsx';
import type { Turn } from '../state/conversation.ts';
import { saidIn } from './items.ts';

/** The prompt of the turn that is read, where it has scrolled away. A click goes to it. */
export function StuckPrompt({ turn, show }: { turn: Turn; show: () => void }) {
  const line = oneLine(saidIn(turn).split('\n', 1)[0] ?? '', 400);
  return (
    <button type="button" className="stuck" onClick={show} aria-label={`Go to the prompt: ${line.slice(0, 200)}`}>
      <span>
        <Person size={14} />
        <span className="ell" dir="auto">
          {line}
        </span>
        <span className="muted figures">{turn.startedAt === null ? '' : clockTime(turn.startedAt)}</span>
      </span>
    </button>
  );
}
