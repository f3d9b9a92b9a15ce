import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { memorySecrets } from '../../../app/adapters/movable-secrets.ts';
import { nothingFromOutside } from '../../../app/search/from-outside.ts';
import { until } from '../../soon.ts';
import { type Stack, startStack } from '../stack.ts';

/** Searching as fronts ask for it. */

let stack: Stack;
afterEach(() => stack.close());

describe('the app', () => {
  it('falls back from Copilot to GitHub and no further, and says so', async () => {
    stack = await startStack();
    stack.simulator.script.always(
      { kind: 'answer', status: 400, body: { error: { message: 'not supported' } } },
      '/responses',
    );
    expect(await stack.app.search('node')).toMatchObject({
      kind: 'found',
      engine: 'github',
      notes: [expect.stringMatching(/^copilot failed: /)],
    });
    stack.simulator.script.always({ kind: 'answer', status: 500, body: '' }, '/mcp');
    expect(await stack.app.search('node')).toMatchObject({ kind: 'failed', engine: 'github' });
    expect(stack.simulator.engineRequests).toEqual([]);
  });

  it('holds query and sources for the row, in memory alone, until the history is deleted', async () => {
    stack = await startStack();
    const answer = await stack.app.search('a private matter');
    const [row] = await stack.rows(1);
    expect(await stack.app.searched(row?.id ?? '')).toEqual([{ query: 'a private matter', outcome: answer }]);
    expect(await stack.app.searched('another')).toEqual([]);
    await stack.app.deleteHistory();
    expect(await stack.app.searched(row?.id ?? '')).toEqual([]);
    for (const file of ['history.db', 'history.db-wal'])
      expect(readFileSync(join(stack.home, file)).includes('private')).toBe(false);
  });

  it('counts searches for Usage', async () => {
    stack = await startStack();
    await stack.app.search('one');
    await stack.app.search('two');
    expect(await stack.app.searchTotals(0)).toMatchObject([{ engine: 'copilot', searches: 2, failed: 0 }]);
  });

  it('keeps a key beside the token and never in the settings, and uses it', async () => {
    stack = await startStack({ secrets: memorySecrets() });
    const { searchKey, enginesUrl } = stack.simulator;
    await stack.app.setSearchKey('brave', searchKey);
    await stack.app.changePreferences({ search: { engines: ['brave', 'off', 'copilot'] } });
    expect(await stack.app.searchReport()).toEqual({
      engines: ['brave'],
      enginesFixedBy: null,
      keys: { brave: 'kept', tavily: 'none', exa: 'none', serpapi: 'none', anthropic: 'none' },
      models: null,
      reach: 'directly',
      searxng: 'none',
    });
    expect(readFileSync(join(stack.home, 'settings.json'), 'utf8')).not.toContain(searchKey);
    expect(JSON.stringify(stack.log)).not.toContain(searchKey);
    expect(enginesUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(await stack.app.check('server.search')).toMatchObject({ verdict: 'passed', finding: 'Brave' });
  });

  it('takes no address of SearXNG that is neither https nor on this machine, and says so of one in the file', async () => {
    stack = await startStack();
    const { changePreferences, preferences, searchReport, check } = stack.app;
    for (const searxngUrl of [
      'http://searx.example',
      'searx',
      'https://me:word@searx.example',
      'https://x.example/?q',
    ]) {
      await expect(changePreferences({ search: { searxngUrl } })).rejects.toThrow('has to be https');
      expect(preferences().search.searxngUrl).toBeNull();
    }
    await changePreferences({ search: { engines: ['searxng'], searxngUrl: 'http://127.0.0.1:8080' } });
    expect(await searchReport()).toMatchObject({ searxng: 'usable' });
    const search = { engines: ['searxng'], model: null, searxngUrl: 'http://searx.example' };
    writeFileSync(join(stack.home, 'settings.json'), JSON.stringify({ version: 1, search }));
    await until(async () => (await searchReport()).searxng === 'refused');
    expect(await check('server.search')).toMatchObject({
      verdict: 'warning',
      finding: expect.stringContaining('is neither https nor http on this machine'),
    });
  });

  it('asks no engine while the file holds a search that cannot be used', async () => {
    stack = await startStack();
    const wrong = { version: 1, search: { engines: ['brave', 'gogle'] } };
    writeFileSync(join(stack.home, 'settings.json'), JSON.stringify(wrong));
    await until(async () => (await stack.app.searchReport()).engines.length === 0);
    expect(await stack.app.search('node')).toMatchObject({
      kind: 'failed',
      reason: 'The search settings in settings.json can’t be used.',
    });
    expect(stack.simulator.requests.filter(({ path }) => path === '/responses')).toEqual([]);
    expect(await stack.app.check('server.settings')).toMatchObject({
      finding: expect.stringMatching(/search\.engines.*No search engine of the file is used; the rest/),
    });
  });

  it('takes order, keys and addresses from outside', async () => {
    stack = await startStack();
    const { enginesUrl, searchKey } = stack.simulator;
    const search = {
      ...nothingFromOutside,
      engines: ['exa'] as const,
      keys: { exa: searchKey },
      addresses: { exa: new URL(`${enginesUrl}/exa`) },
    };
    await stack.close();
    stack = await startStack({ app: { search } });
    expect(await stack.app.searchReport()).toMatchObject({
      engines: ['exa'],
      enginesFixedBy: 'JUMPSEAT_SEARCH_ENGINES',
    });
  });
});
