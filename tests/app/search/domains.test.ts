import { describe, expect, it } from 'vitest';
import { hostsOf, isWanted } from '../../../app/search/domains.ts';

describe('isWanted', () => {
  it.each([
    ['https://nodejs.org/en', ['nodejs.org'], [], true],
    ['https://docs.nodejs.org/', ['nodejs.org'], [], true],
    ['https://docs.nodejs.org/', ['*.nodejs.org'], [], true],
    ['https://nodejs.org/', ['https://NodeJS.org/'], [], true],
    ['https://evilnodejs.org/', ['nodejs.org'], [], false],
    ['https://nodejs.org.evil.example/', ['nodejs.org'], [], false],
    ['https://nodejs.org@evil.example/', ['nodejs.org'], [], false],
    ['https://example.com/blog/x', ['example.com/blog'], [], true],
    ['https://example.com/blogs', ['example.com/blog'], [], false],
    ['https://example.com/', [], ['example.com'], false],
    ['https://example.com/', [], ['example.org'], true],
    ['https://a.example.com/', ['example.com'], ['a.example.com'], false],
    ['https://xn--mnchen-3ya.example/', ['münchen.example'], [], true],
    ['https://münchen.example/', [], ['München.example'], false],
    ['https://example.com./', [], ['example.com'], false],
    ['https://example.com:8443/', ['example.com:443'], [], true],
    ['https://example.com/', ['someone@example.com?x=1'], [], true],
    ['https://example.com/2026/articles/x', ['example.com/*/articles'], [], true],
    ['https://example.com/2026/news', ['example.com/*/articles'], [], false],
    ['https://example.com/', [], ['example.com/*'], false],
    ['http://example.com/', [], [], true],
    ['ftp://example.com/', [], [], false],
    ['no address', [], [], false],
  ])('%s allowed %j blocked %j: %s', (url, allowed, blocked, wanted) => {
    expect(isWanted(url, { allowed, blocked })).toBe(wanted);
  });
});

it('hostsOf leaves out what is no host, and names each once', () => {
  expect(hostsOf(['https://Example.com/blog', '*.example.com', 'example.com', ' ', 'b.example'])).toEqual([
    'example.com',
    'b.example',
  ]);
});
