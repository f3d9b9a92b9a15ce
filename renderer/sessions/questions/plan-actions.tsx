import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { IconButton } from '../../parts/button.tsx';
import { Copy, File } from '../../parts/icons.tsx';
import { copyText } from '../../state/copy-text.ts';
import { useServices } from '../../state/services.ts';
import { useSessionActions } from '../state/hooks.ts';
import type { PermissionSubject } from './asked.ts';
import { useAskedFile } from './asked-files.ts';
import { changedPlan } from './plan-approval.ts';

/** What can be done with a plan beside answering. */
export function PlanActions({
  subject: { plan, file },
  question,
}: {
  subject: Extract<PermissionSubject, { kind: 'plan' }>;
  question: SessionQuestion;
}) {
  const { store } = useServices();
  const { showFile } = useSessionActions();
  const found = useAskedFile(file);
  const text = changedPlan(plan, found, question.askedAt) ?? plan;
  return (
    <>
      {text !== '' && (
        <IconButton
          label="Copy plan"
          icon={<Copy size={14} />}
          onClick={() => void copyText(store, text, 'Plan copied')}
        />
      )}
      {showFile !== null && file !== null && found?.state === 'there' && (
        <IconButton
          label="Open as a file"
          icon={<File size={14} />}
          onClick={() => void showFile({ session: question.sessionId, path: file })}
        />
      )}
    </>
  );
}
