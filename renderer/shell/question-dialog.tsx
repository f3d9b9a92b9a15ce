import { Dialog } from '../parts/dialog.tsx';
import { useServices, useWindow } from '../state/services.ts';

/** What is asked now, over everything else. */
export function QuestionDialog() {
  const { store } = useServices();
  const question = useWindow((state) => state.question);
  if (question === null) return null;
  const close = (): void => store.setState({ question: null });
  return (
    <Dialog
      title={question.title}
      cancel={question.safe}
      close={close}
      action={{
        label: question.action,
        danger: true,
        run: () => {
          close();
          question.run();
        },
      }}
    >
      {question.text}
    </Dialog>
  );
}
