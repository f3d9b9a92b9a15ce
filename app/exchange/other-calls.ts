import { unlessAborted } from '../account/unless-aborted.ts';
import type { ClientApi } from '../api/exchange.ts';
import type { CatalogModel } from '../copilot/model-entry.ts';
import { ReplayBudget } from '../copilot/outgoing.ts';
import type { AnswerReader } from '../formats/answer/answer.ts';
import { ResponsesCollector, ResponsesRelay } from '../formats/responses/relay.ts';
import type { JsonObject } from '../formats/wire/json.ts';
import { type ClientCall, EndedHere, readJson } from './client-call.ts';
import { type AnswerTarget, collecting, type RelayEnd, wholeOf } from './client-stream.ts';
import {
  type EmbeddingsRequest,
  embeddingsBatches,
  joinEmbeddings,
  meterEmbeddings,
  nobody,
  readEmbeddings,
  readEmbeddingsAnswer,
} from './clients/embeddings.ts';
import { anthropicWords, messages } from './clients/messages.ts';
import { openaiErrorWords } from './clients/openai.ts';
import type { Cause } from './dependencies.ts';
import type { Said } from './initiator/verdict.ts';
import { takeTurn } from './limits/queue.ts';
import {
  type AskedHere,
  causeOf,
  furtherVerdict,
  type OwnAnswer,
  type OwnRequest,
  ownCall,
  ownIds,
  ownPlan,
  ownVerdict,
  type ServedHere,
} from './own-requests.ts';
import type { Plan } from './plan.ts';
import type { Run } from './record.ts';
import { recoverBrokenAnswer } from './recover/broken-answer.ts';
import { type ErrorWords, Stopped } from './recover/error.ts';
import { idsOfItsOwn, type Sending } from './send.ts';
import { learnedBy, type Steps } from './steps.ts';
import { TokenCounter } from './tokens/count.ts';

const nothing = Buffer.alloc(0);

/** What is no answer of a model's to a client, with the steps of exchange.ts as far as it needs them. */
export class OtherCalls {
  readonly #steps: Steps;
  readonly #counter = new TokenCounter();

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  /** One more request to Copilot for the answer of `first`, with a row, a charge and times of its own. */
  async further(first: Run, sending: Sending, { plan, said, reader, target }: Further): Promise<RelayEnd> {
    const { row: before, call, chosen, reading } = first;
    const { clock } = this.#steps.dependencies;
    const run = this.#steps.begin(ownCall(call, call.signal, plan.body, clock), before.api, first.used);
    const { row } = run;
    if (first.rule !== null) run.follows(first.rule);
    try {
      // Only a refusal of it concerns them: they end with the client's own request.
      const parts = first.parts.flatMap(({ refused }) => (refused === undefined ? [] : [{ refused }]));
      const verdict = this.#steps.decided(run, furtherVerdict(first.verdict, said), reading, parts);
      row.prompt = before.prompt;
      if (chosen !== null) run.chose(chosen);
      row.askedModel = before.askedModel;
      row.streamed = before.streamed;
      row.path = plan.path;
      row.fits = plan.notes;
      await this.#steps.limits.admit(run, verdict.initiator);
      const response = this.#steps.delivered(run, await this.#steps.send(run, plan, { ...sending, sender: verdict }));
      run.facts = reader.facts;
      const end = await this.#steps.relay(run, response, reader, target);
      this.#steps.whole(run, reader, end.cause);
      row.status = 200;
      return end;
    } catch (error) {
      const failed = this.#steps.recovery.failed(run, error, run.facts);
      if (failed !== null) row.status ??= failed.status;
      throw error;
    } finally {
      run.end();
    }
  }

  /**
   * One request that Jumpseat itself makes for a client, on the way that all requests go: limits, token, replays,
   * recording, a row and its charge. Rejects with `ClientLeft` alone.
   */
  async own(request: OwnRequest): Promise<OwnAnswer> {
    const { model, signal, cause } = request;
    const plan = ownPlan(request);
    const { clock } = this.#steps.dependencies;
    const run = this.#steps.begin(ownCall(cause, signal, plan.body, clock), 'responses', cause.used);
    const { row } = run;
    if (cause.rule !== undefined) run.follows(cause.rule);
    try {
      row.session = cause.session;
      row.prompt = cause.prompt;
      const verdict = this.#steps.decided(run, ownVerdict(request));
      run.chose({ model, auto: null, offered: [] });
      row.askedModel = model.id;
      row.path = plan.path;
      await this.#steps.limits.admit(run, verdict.initiator);
      const sending = { sender: verdict, ids: ownIds(cause), budget: new ReplayBudget() };
      const response = this.#steps.delivered(run, await this.#steps.send(run, plan, sending));
      const reader = new ResponsesRelay({ model: model.id });
      run.facts = reader.facts;
      const collector = new ResponsesCollector();
      const { cause: broken } = await this.#steps.relay(run, response, reader, collecting(collector));
      this.#steps.whole(run, reader, broken);
      const answer = wholeOf(collector);
      row.status = 200;
      run.end();
      return { ok: true, response: answer, exchange: row.id, charge: row.charge };
    } catch (error) {
      const failed = this.#steps.recovery.failed(run, signal.aborted ? signal.reason : error, run.facts);
      if (failed !== null) row.status = failed.status;
      run.end();
      if (failed === null) throw signal.reason;
      return { ok: false, error: failed, exchange: row.id, charge: row.charge };
    }
  }

  /**
   * A search or a page that Jumpseat itself is asked for: it has a row, in which nothing goes to Copilot. Where a model
   * of Copilot's searches, its request has one of its own, and counts as the person's: no prompt is known that this
   * belongs to. Rejects with what `steps` reject with.
   */
  async here<Result>(
    { signal, ...asker }: AskedHere,
    steps: (cause: Cause) => Promise<ServedHere<Result>>,
  ): Promise<Result> {
    const run = this.#steps.begin(ownCall(asker, signal, nothing, this.#steps.dependencies.clock), 'web');
    const { row } = run;
    try {
      const { result, note, failure } = await steps(causeOf(run, false));
      row.fits.push(note);
      row.status = failure?.status ?? 200;
      row.failure = failure;
      if (failure !== null) row.outcome = 'failed';
      run.facts.ended = true;
      return result;
    } catch (error) {
      if (signal.aborted && !(signal.reason instanceof EndedHere)) run.left();
      else row.status = this.#steps.recovery.failed(run, signal.aborted ? signal.reason : error, null)?.status ?? null;
      throw error;
    } finally {
      run.end();
    }
  }

  /** `POST /v1/messages/count_tokens`: Copilot's own count, or an estimate that is called one. */
  countTokens(call: ClientCall): Promise<void> {
    return this.#serve(call, 'count-tokens', anthropicWords, async (run) => {
      const { row, used } = run;
      const asked = messages.read(await readJson(call.body));
      run.asked(asked.model);
      if (this.#hasRules()) await this.#steps.ruled.follow(run, asked);
      const verdict = this.#steps.decide(run, asked);
      const { model, auto } = await this.#steps.chooseModel(run, asked.model);
      // Counted as it would be sent.
      const changes = run.parts.find((part) => part.request !== undefined)?.request;
      const counted = await this.#counter.count(changes?.(asked, '/v1/messages')?.request ?? asked, model, {
        ...{ verdict, auto, call, recording: run.recording, headers: run.headers },
        ids: idsOfItsOwn(),
        client: used.client,
        reach: used.reach,
        learned: learnedBy(run)(model, '/v1/messages'),
        sends: (path) => {
          row.path = path;
          this.#steps.dependencies.history.sends(row);
        },
      });
      row.path = counted.path;
      row.attempts = counted.attempts;
      row.times.sent = counted.attempts[0]?.at ?? null;
      run.onResponseHeaders();
      row.fits = counted.notes;
      this.#steps.answerJson(run, anthropicWords, { input_tokens: counted.tokens });
    });
  }

  /**
   * `POST /v1/embeddings`: in as many requests as Copilot's limit makes of it, one after the other. No person prompts
   * here, so there is no initiator.
   */
  embeddings(call: ClientCall): Promise<void> {
    return this.#serve(call, 'embeddings', openaiErrorWords, async (run) => {
      const request = readEmbeddings(await readJson(call.body));
      run.asked(request.model);
      if (this.#hasRules()) await this.#steps.ruled.follow(run, request);
      run.atEnd(await takeTurn(this.#steps.turns, run));
      const { model } = await this.#steps.chooseModel(run, request.model);
      const answers = await this.#embed(run, request, model);
      run.facts.ended = true;
      this.#steps.answerJson(run, openaiErrorWords, joinEmbeddings(request, answers));
    });
  }

  #hasRules(): boolean {
    return this.#steps.dependencies.settings.current().models.rules.length > 0;
  }

  async #embed(run: Run, request: EmbeddingsRequest, model: CatalogModel): Promise<JsonObject[]> {
    const { row, call } = run;
    const { bodies, notes } = embeddingsBatches(request, model);
    row.path = '/embeddings';
    row.fits.push(...notes);
    await this.#steps.limits.admit(run, nobody.initiator);
    const sending = { sender: nobody, ids: idsOfItsOwn(), budget: new ReplayBudget() };
    const common = { path: '/embeddings', vision: false, anthropicVersion: null, anthropicBeta: null } as const;
    const answers: JsonObject[] = [];
    for (const body of bodies) {
      const response = this.#steps.delivered(run, await this.#steps.send(run, { ...common, body }, sending));
      run.recording?.follow(response);
      const answer = await unlessAborted(readEmbeddingsAnswer(response), call.signal);
      if (answer === null) {
        const cut = { kind: 'cut', type: null, message: '' } as const;
        throw new Stopped(recoverBrokenAnswer(cut, null, this.#steps.recovery.context(run)));
      }
      row.times.firstEvent ??= run.since();
      run.accept();
      meterEmbeddings(answer, run.facts);
      answers.push(answer);
    }
    return answers;
  }

  /** `POST /v1/alpha/search`: Codex's own search tool. No model is asked. */
  alphaSearch(call: ClientCall): Promise<void> {
    return this.#serve(call, 'responses', openaiErrorWords, async (run) => {
      const { model, verdict, answer } = this.#steps.features.alphaSearch(await readJson(call.body), run);
      if (model !== null) run.asked(model);
      this.#steps.decided(run, verdict);
      const output = await answer();
      run.facts.ended = true;
      this.#steps.answerJson(run, openaiErrorWords, { output });
    });
  }

  /** A request that is no stream: its run begins and ends here, whatever `steps` meet. Never rejects. */
  async #serve<Envelope extends object>(
    call: ClientCall,
    api: ClientApi,
    words: ErrorWords<Envelope>,
    steps: (run: Run) => Promise<void>,
  ): Promise<void> {
    const run = this.#steps.begin(call, api);
    try {
      await steps(run);
    } catch (error) {
      this.#steps.recovery.recover(run, words, error, null, null);
    } finally {
      run.end();
    }
  }
}

interface Further {
  plan: Plan;
  said: Said;
  reader: AnswerReader;
  target: AnswerTarget;
}
