import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchOutcome } from '../../../app/api/search.ts';
import { defaultModels } from '../../../app/simulator/plans.ts';
import { type Stack, startStack } from '../stack.ts';

/** Copilot's own search, through the product and a strict Copilot. */

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  await stack.app.models();
});
afterEach(() => stack.close());

const sent = () => stack.simulator.requests.filter(({ path }) => path === '/responses');
const search = (words: string): Promise<SearchOutcome> => stack.app.search(words, { engine: 'copilot' });

describe('a search', () => {
  it('asks the cheapest model that can search, and tells pages, summary and cost', async () => {
    const answer = await search('latest node version');
    const [row] = await stack.rows(1);
    expect(answer).toMatchObject({
      kind: 'found',
      engine: 'copilot',
      query: 'latest node version',
      cut: false,
      results: [
        {
          title: 'docs.example on latest node version',
          url: 'https://docs.example/latest-node-version',
          pageAge: null,
          text: 'What docs.example has to say about latest node version is simulated.',
          snippets: ['What docs.example has to say about latest node version is simulated.'],
        },
        { url: 'https://news.example/latest-node-version' },
        { url: 'https://forum.example/latest-node-version' },
      ],
      summary: expect.stringContaining('What news.example has to say'),
      cost: { nanoAiu: row?.charge.nanoAiu, premiumRequests: null, dollars: null, exchange: row?.id },
      notes: [],
    });
    expect(row?.charge.nanoAiu).toBeGreaterThan(0);
    expect(sent()).toMatchObject([
      {
        initiator: 'user',
        body: {
          model: 'gpt-5-mini',
          stream: true,
          store: false,
          tools: [{ type: 'web_search' }],
          include: ['web_search_call.action.sources'],
          reasoning: { effort: 'low' },
          input: [{ role: 'user', content: [{ type: 'input_text', text: 'latest node version' }] }],
        },
      },
    ]);
  });

  it('has a row of its own that holds no word of the query', async () => {
    await search('a very private question');
    const [row] = await stack.rows(1);
    expect(row).toMatchObject({
      api: 'responses',
      client: 'jumpseat',
      path: '/responses',
      servedModel: 'gpt-5-mini',
      initiator: 'user',
      reason: { code: 'prompt', rule: 'own-prompt' },
      status: 200,
      outcome: 'done',
      stopReason: 'completed',
      charge: { kind: 'billed' },
    });
    expect(JSON.stringify([row, stack.log])).not.toContain('private');
  });

  it('asks the model that was chosen, and no other where that one cannot search', async () => {
    await stack.app.changePreferences({ search: { model: 'gpt-5.4' } });
    await search('node');
    expect(sent()).toMatchObject([{ body: { model: 'gpt-5.4' } }]);
    await stack.app.changePreferences({ search: { model: 'claude-sonnet-4.6' } });
    expect(await search('node')).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('claude-sonnet-4.6'),
    });
    expect(sent()).toHaveLength(1);
  });

  it('goes to the next cheapest model where Copilot refuses the tool for one, and remembers it', async () => {
    stack.simulator.script.next(
      { kind: 'answer', status: 400, body: { error: { message: 'The use of the web search tool is not supported.' } } },
      '/responses',
    );
    expect(await search('node')).toMatchObject({ kind: 'found' });
    expect(await search('node')).toMatchObject({ kind: 'found' });
    expect(sent().map(({ body }) => Reflect.get(Object(body), 'model'))).toEqual(['gpt-5-mini', 'gpt-5.4', 'gpt-5.4']);
  });

  it('blames no model for a query that every one of them refuses', async () => {
    const models = defaultModels();
    const spare = ['gpt-5.4-spare', 'gpt-5.4-other'].map((id) => ({
      ...Object(models.find((model) => Object(model).id === 'gpt-5.4')),
      id,
    }));
    stack.simulator.script.setModels([...models, ...spare]);
    await stack.app.refresh();
    const stop = stack.simulator.script.always(
      { kind: 'answer', status: 400, body: { error: { message: 'The prompt was refused.' } } },
      '/responses',
    );
    expect(await search('refused')).toMatchObject({ kind: 'failed' });
    const tried = sent().length;
    stop();
    expect(await search('node')).toMatchObject({ kind: 'found' });
    expect([tried, Reflect.get(Object(sent()[tried]?.body), 'model')]).toEqual([3, 'gpt-5-mini']);
  });

  it.each([
    [429, 'too_many_requests'],
    [500, 'unavailable'],
  ])('a refusal with %i is %s, and its row says why', async (status, code) => {
    const stop = stack.simulator.script.always(
      { kind: 'answer', status, body: { error: { message: 'no' } } },
      '/responses',
    );
    expect(await search('node')).toMatchObject({ kind: 'failed', engine: 'copilot', code });
    stop();
    expect(await stack.rows(2)).toMatchObject([
      { outcome: 'failed', status, failure: { source: 'copilot', status } },
      {
        ...{ api: 'web', outcome: 'failed', status: status === 429 ? 429 : 503, path: null },
        fits: [{ text: `web search by copilot failed: ${code}` }],
        failure: { source: 'jumpseat', message: expect.stringMatching(/^The search engine /) },
      },
    ]);
  });

  it('that was cut in the middle finds nothing, and its row says so', async () => {
    stack.simulator.script.next({ kind: 'usual', cutAfter: 6 }, '/responses');
    expect(await search('node')).toMatchObject({ kind: 'failed', code: 'unavailable' });
    expect(await stack.rows(2)).toMatchObject([{ outcome: 'cut' }, { api: 'web', outcome: 'failed' }]);
  });

  it('whose model did not search is none', async () => {
    const response = {
      status: 'completed',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I know it.' }] }],
    };
    stack.simulator.script.next(
      { kind: 'stream', events: [{ event: 'response.completed', data: { type: 'response.completed', response } }] },
      '/responses',
    );
    expect(await search('node')).toMatchObject({ kind: 'failed', code: 'unavailable' });
  });

  it('ends at Copilot when the person leaves', async () => {
    const leaving = new AbortController();
    stack.simulator.script.next({ kind: 'silence' }, '/responses');
    const arrived = stack.simulator.script.arrival('/responses');
    const searching = stack.app.search('node', { engine: 'copilot' }, leaving.signal);
    await arrived;
    const aborted = stack.simulator.script.aborted('/responses');
    leaving.abort(new Error('left'));
    await expect(searching).rejects.toThrow('left');
    await aborted;
    const outcomes = (await stack.rows(2)).map(({ api, outcome }) => `${api} ${outcome}`);
    expect(outcomes.sort()).toEqual(['responses failed', 'web cancelled']);
  });
});
