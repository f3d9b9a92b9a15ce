import { describe, expect, it } from 'vitest';
import { nothingFromOutside, readSearchVariables } from '../../../app/search/from-outside.ts';

describe('readSearchVariables', () => {
  it('reads order, keys and addresses; what is empty is absent', () => {
    expect(readSearchVariables({ JUMPSEAT_SEARCH_ENGINES: ' ', JUMPSEAT_EXA_KEY: '' })).toEqual(nothingFromOutside);
    expect(
      readSearchVariables({
        JUMPSEAT_SEARCH_ENGINES: 'brave, copilot',
        JUMPSEAT_BRAVE_KEY: ' a-key-of-brave ',
        JUMPSEAT_BRAVE_URL: 'http://127.0.0.1:9/brave',
      }),
    ).toEqual({
      engines: ['brave', 'copilot'],
      keys: { brave: 'a-key-of-brave' },
      addresses: { brave: new URL('http://127.0.0.1:9/brave') },
    });
  });

  it.each([
    [{ JUMPSEAT_SEARCH_ENGINES: 'brave,gogle' }, /^JUMPSEAT_SEARCH_ENGINES is a list of copilot, github/],
    [{ JUMPSEAT_TAVILY_KEY: 'a key with blanks' }, /^JUMPSEAT_TAVILY_KEY can’t be used/],
    [{ JUMPSEAT_EXA_URL: 'http://exa.example' }, /^JUMPSEAT_EXA_URL has to be https/],
    [{ JUMPSEAT_SEARXNG_URL: 'https://x.example/?a=1' }, /^JUMPSEAT_SEARXNG_URL has to be https/],
  ])('refuses %j by its name, without its value', (env, message) => {
    expect(() => readSearchVariables(env)).toThrow(message);
    expect(() => readSearchVariables(env)).not.toThrow(/gogle|blanks/);
  });
});
