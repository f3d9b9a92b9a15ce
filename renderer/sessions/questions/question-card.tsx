import { useCallback, useEffect, useRef } from 'react';
import type { SessionQuestion } from '../../../app/api/sessions.ts';
import type { AgentWords } from '../../../app/words/agents.ts';
import { isMac } from '../../parts/command-key.ts';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import { toComposer } from '../composer/open-session.ts';
import type { Conversation } from '../state/conversation.ts';
import { useAgentWords, useConversation, useHeld, useOpenConversation, useQuestions } from '../state/hooks.ts';
import { useGiveAnswer } from './answering.ts';
import { QuestionStack } from './question-stack.tsx';
import { askerOf, asksWords, readQuestion, whyGone } from './question-words.ts';

/** What a session waits for, in its dock. Nothing is to be seen where it waits for nothing. */
export function QuestionCard({ sessionId }: { sessionId: string }) {
  return <Card key={sessionId} sessionId={sessionId} />;
}

const none: readonly SessionQuestion[] = [];

function Card({ sessionId }: { sessionId: string }) {
  const session = useHeld(sessionId);
  const conversation = useConversation(sessionId);
  const open = useQuestions(sessionId);
  const { failure } = useOpenConversation(sessionId);
  // One can be answered also where what was said before it can’t be read.
  const questions = conversation?.questions ?? (failure === null ? none : open);
  const agent = useAgentWords();
  const { give, isGiven } = useGiveAnswer();
  const asker = useCallback(
    ({ child }: SessionQuestion) => (conversation === null ? null : askerOf(conversation, child)),
    [conversation],
  );
  useGone(conversation, isGiven, agent);
  const newest = questions.at(-1);
  return (
    <>
      <div className="sr" aria-live="assertive">
        {newest !== undefined && spoken(newest, agent)}
      </div>
      {session !== null && questions.length > 0 && (
        <QuestionStack session={session} questions={questions} asker={asker} leave={toComposer} give={give} />
      )}
    </>
  );
}

/** `Claude asks to run a command. Control period to answer.` */
function spoken(question: SessionQuestion, agent: AgentWords): string {
  const who = question.child === null ? agent.name : 'A subagent';
  return `${who} asks${asksWords(readQuestion(question))}. ${isMac() ? 'Command' : 'Control'} period to answer.`;
}

/** Says why a question is no longer there, where it was not answered here. */
function useGone(conversation: Conversation | null, isGiven: (id: string) => boolean, agent: AgentWords): void {
  const { store } = useServices();
  const before = useRef<readonly SessionQuestion[]>(none);
  useEffect(() => {
    if (conversation === null) return;
    const gone = before.current.filter(({ id }) => !conversation.questions.some((one) => one.id === id));
    before.current = conversation.questions;
    for (const question of gone) {
      if (isGiven(question.id)) continue;
      const why = whyGone(conversation, readQuestion(question), agent);
      toast(store, `The question is gone: ${why}.`, { kind: 'told' });
    }
  }, [conversation, isGiven, store, agent]);
}
