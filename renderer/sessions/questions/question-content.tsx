import type { Session } from '../../../app/api/sessions.ts';
import type { GiveAnswer } from './answering.ts';
import { ClaudeQuestions } from './claude-questions.tsx';
import { ServerAddress, ServerForm } from './form.tsx';
import { Permission } from './permission.tsx';
import { Plan } from './plan.tsx';
import type { ReadQuestion } from './question-words.ts';

export interface QuestionContentProps {
  asked: ReadQuestion;
  session: Pick<Session, 'cwd' | 'directories' | 'agent' | 'mode'>;
  give: GiveAnswer;
}

/** The body of a card and its answers, by the kind of its question. */
export function QuestionContent({ asked, session, give }: QuestionContentProps) {
  const { question } = asked;
  if (asked.kind === 'permission') {
    const { subject } = asked.asked;
    if (subject.kind === 'plan') return <Plan question={question} asked={asked.asked} subject={subject} give={give} />;
    return <Permission question={question} asked={asked.asked} session={session} give={give} />;
  }
  const { form } = asked;
  switch (form.kind) {
    case 'questions':
      return <ClaudeQuestions question={question} questions={form.questions} give={give} />;
    case 'form':
      return <ServerForm question={question} give={give} message={form.message} fields={form.fields} />;
    case 'address':
      return (
        <ServerAddress {...{ question, give }} server={form.server} message={form.message} address={form.address} />
      );
  }
}
