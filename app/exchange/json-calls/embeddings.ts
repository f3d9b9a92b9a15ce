import { unlessAborted } from '../../account/unless-aborted.ts';
import type { JsonObject } from '../../formats/wire/json.ts';
import type { ClientTurns } from '../admission/client-turns.ts';
import {
  embeddingsBatches,
  joinEmbeddings,
  meterEmbeddings,
  readEmbeddings,
  readEmbeddingsAnswer,
} from '../clients/embeddings/embeddings.ts';
import { openaiErrorWords } from '../clients/openai/recover.ts';
import { recoverBrokenAnswer } from '../recover/broken-answer.ts';
import { recoverFailure } from '../recover/recover-failure.ts';
import { Stopped } from '../recover/stopped.ts';
import { type InteractionIds, idsOfItsOwn } from '../run/interactions.ts';
import type { Sender } from '../run/outgoing.ts';
import type { Run } from '../run/run.ts';
import type { Out } from '../run/serve.ts';
import { takeTurn } from '../run/take-turn.ts';

/** Embeddings say no initiator; the client of Copilot leaves it out there. */
const nobody: Sender = {
  initiator: 'agent',
  interactionType: 'conversation-background',
  intent: 'conversation-agent',
};

/** In as many requests as Copilot's limit makes of it, one after the other. No person prompts here. */
export async function answerEmbeddings(
  run: Run,
  out: Pick<Out<object>, 'release'>,
  { turns }: { turns: ClientTurns },
): Promise<void> {
  const { row } = run;
  const request = readEmbeddings(run.json());
  run.asked(request.model);
  out.release = await takeTurn(turns, run);
  const model = await run.chooseModel(request.model);
  const batches = embeddingsBatches(request, model);
  row.path = '/embeddings';
  row.fits.push(...batches.notes);
  await run.admit(nobody.initiator);
  row.times.sent = run.since();
  const answers: JsonObject[] = [];
  const ids = idsOfItsOwn();
  for (const body of batches.bodies) answers.push(await embed(run, body, ids));
  run.facts.ended = true;
  run.answerJson(openaiErrorWords, joinEmbeddings(request, answers));
}

async function embed(run: Run, body: Buffer, ids: InteractionIds): Promise<JsonObject> {
  const { call, row } = run;
  const plan = { path: '/embeddings', body, vision: false, anthropicVersion: null, anthropicBeta: null } as const;
  const sent = await run.send(plan, nobody, ids);
  row.attempts.push(...sent.attempts);
  row.upstreamRequestIds.push(...(sent.ok ? sent.requestIds : sent.failure.requestIds));
  run.headed();
  if (!sent.ok) throw new Stopped(recoverFailure(sent.failure, run.recoverContext()));
  run.recording.follow(sent.response);
  const answer = await unlessAborted(readEmbeddingsAnswer(sent.response), call.signal);
  if (answer === null) {
    const cut = { kind: 'cut', type: null, message: '' } as const;
    throw new Stopped(recoverBrokenAnswer(cut, null, run.recoverContext()));
  }
  row.times.firstEvent ??= run.since();
  run.accepted = true;
  meterEmbeddings(answer, run.facts);
  return answer;
}
