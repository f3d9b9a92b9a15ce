import type { History } from '../../history/history.ts';
import { emulateSearch } from '../features/web-search/emulate.ts';
import type { WebSearch } from '../features/web-search/port.ts';
import type { Run } from '../record.ts';
import { idsOfItsOwn } from '../send.ts';
import type { TokenCounter } from '../tokens/count.ts';
import { anthropicWords, readMessages } from './messages.ts';

/** Copilot's own count, or an estimate that is called one. */
export async function answerCount(
  run: Run,
  { counter, search, history }: { counter: TokenCounter; search: WebSearch; history: Pick<History, 'sends'> },
): Promise<void> {
  const { call, row } = run;
  const asked = readMessages(await run.json());
  run.asked(asked.model);
  const verdict = run.decide(asked);
  const model = await run.chooseModel(asked.model);
  // Counted as it would be sent.
  const emulated = search.isOn() ? emulateSearch(asked, '/v1/messages') : null;
  const request = emulated?.request ?? asked;
  const counted = await counter.count(request, model, {
    verdict,
    ids: idsOfItsOwn(),
    client: run.used.client,
    reach: run.used.reach,
    auto: run.auto,
    call,
    recording: run.recording,
    sends: (path) => {
      row.path = path;
      history.sends(row);
    },
  });
  row.path = counted.path;
  row.attempts = counted.attempts;
  row.times.sent = counted.attempts[0]?.at ?? null;
  run.headed();
  row.fits = counted.notes;
  run.answerJson(anthropicWords, { input_tokens: counted.tokens });
}
