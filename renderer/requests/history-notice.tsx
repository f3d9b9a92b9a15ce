import { Button, IconButton } from '../parts/button.tsx';
import { Close, Warning } from '../parts/icons.tsx';
import { useActions } from '../state/actions.ts';
import { dismiss } from '../state/notices.ts';
import { useApp, useServices, useWindow } from '../state/services.ts';

/** Troubles of the history that are over: read once, they can be put away. */
const past: ReadonlySet<string> = new Set(['history-newer', 'history-damaged']);

/** Above the list: rows that are shown but not kept, or a history that began anew. */
export function HistoryNotice() {
  const { store } = useServices();
  const { warnings } = useApp();
  const { openFolder } = useActions();
  const dismissed = useWindow((state) => state.dismissed);
  const problem = warnings.find(({ code, text }) => code.startsWith('history-') && !dismissed.has(text));
  if (problem === undefined) return null;
  return (
    <div className="list-notice" role="status">
      <span className="list-notice-sign">
        <Warning size={16} />
      </span>
      <p>
        {problem.text} {problem.mend}
      </p>
      {!past.has(problem.code) && openFolder !== null && (
        <Button onClick={() => openFolder('home')}>Open folder</Button>
      )}
      {past.has(problem.code) && (
        <IconButton label="Dismiss" icon={<Close size={16} />} onClick={() => dismiss(store, problem.text)} />
      )}
    </div>
  );
}
