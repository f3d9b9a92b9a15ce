import { describe, expect, it } from 'vitest';
import {
  AddressError,
  addressesOfHost,
  addressUnder,
  githubAddresses,
  isAllowedAddress,
  isGithubHost,
  keptHost,
  typedHost,
} from '../../../app/settings/github-addresses.ts';

const read = (web?: string, api?: string) => {
  const { web: w, api: a } = githubAddresses({ JUMPSEAT_GITHUB_URL: web, JUMPSEAT_GITHUB_API_URL: api });
  return [w.href, a.href];
};

describe('the addresses of GitHub', () => {
  it('are those of github.com when nothing is said', () => {
    expect(read()).toEqual(['https://github.com/', 'https://api.github.com/']);
    expect(read('', '')).toEqual(['https://github.com/', 'https://api.github.com/']);
    expect(read('https://github.com')).toEqual(['https://github.com/', 'https://api.github.com/']);
  });

  it('B2.6 a tenant of GHE.com brings its own API address, unless another is given', () => {
    expect(read('https://octo.ghe.com')).toEqual(['https://octo.ghe.com/', 'https://api.octo.ghe.com/']);
    expect(read('https://octo.ghe.com', 'https://rest.octo.example')).toEqual([
      'https://octo.ghe.com/',
      'https://rest.octo.example/',
    ]);
  });

  it('are https where a host is written alone', () => {
    expect(read('octo.ghe.com')).toEqual(['https://octo.ghe.com/', 'https://api.octo.ghe.com/']);
    expect(read('github.com:443/', 'api.github.com')).toEqual(['https://github.com/', 'https://api.github.com/']);
  });

  it('may be http on a loopback address', () => {
    expect(read('http://127.0.0.1:9000', 'http://localhost:9001')).toEqual([
      'http://127.0.0.1:9000/',
      'http://localhost:9001/',
    ]);
    expect(read('http://[::1]:9000', 'http://[::1]:9000')).toEqual(['http://[::1]:9000/', 'http://[::1]:9000/']);
  });

  it.each([
    [
      'http://github.com',
      'JUMPSEAT_GITHUB_URL has to be https, or http on a loopback address. Write it like https://github.com.',
    ],
    [
      'http://127.0.0.1.example.com',
      'JUMPSEAT_GITHUB_URL has to be https, or http on a loopback address. Write it like https://github.com.',
    ],
    [
      'ftp://github.com',
      'JUMPSEAT_GITHUB_URL has to be https, or http on a loopback address. Write it like https://github.com.',
    ],
    [
      'https://me:secret@github.com',
      'JUMPSEAT_GITHUB_URL may not hold a user name or a password. Write it like https://github.com.',
    ],
    [
      'https://github.com?x=1',
      'JUMPSEAT_GITHUB_URL may not have a query or a fragment. Write it like https://github.com.',
    ],
    ['git hub', 'JUMPSEAT_GITHUB_URL is not an address. Write it like https://github.com.'],
    [
      'me:secret@github.com',
      'JUMPSEAT_GITHUB_URL may not hold a user name or a password. Write it like https://github.com.',
    ],
  ])('B3.4 %s is refused with the reason, and without what it held', (address, sentence) => {
    expect(() => read(address)).toThrow(new AddressError(sentence));
  });

  it('of the REST API is refused with an address of an API', () => {
    expect(() => read('https://github.com', 'no sense')).toThrow(
      new AddressError('JUMPSEAT_GITHUB_API_URL is not an address. Write it like https://api.github.com.'),
    );
  });

  it('does not guess the API of another host: a token would go to the wrong one', () => {
    expect(() => read('https://github.example.com')).toThrow(/Set JUMPSEAT_GITHUB_API_URL too/);
    expect(() => read('https://ghe.com')).toThrow(AddressError);
  });
});

describe('an address for a bearer', () => {
  it.each([
    ['https://api.individual.githubcopilot.com', true],
    ['https://copilot-api.octo.ghe.com/base', true],
    ['http://127.0.0.1:4141', true],
    ['http://127.8.9.10', true],
    ['http://localhost', true],
    ['http://[::1]:80', true],
    ['http://api.githubcopilot.com', false],
    ['http://10.0.0.1', false],
    ['http://localhost.example.com', false],
    ['https://user@api.githubcopilot.com', false],
    ['https://api.githubcopilot.com?', false],
    ['https://api.githubcopilot.com?a=b', false],
    ['https://api.githubcopilot.com#x', false],
    ['ws://127.0.0.1', false],
    ['file:///etc/passwd', false],
  ])('B3.4 %s → %s', (address, allowed) => {
    expect(isAllowedAddress(new URL(address))).toBe(allowed);
  });

  it('keeps a path of its own in front', () => {
    expect(addressUnder(new URL('https://h/base/'), '/models').href).toBe('https://h/base/models');
    expect(addressUnder(new URL('https://h'), '/v1/messages?x=1').href).toBe('https://h/v1/messages?x=1');
  });
});

const allowed = (text: string): boolean => isGithubHost(typedHost(text));

describe('the host of GitHub as a person types it', () => {
  it.each([
    ['github.com', null, 'https://github.com/', 'https://api.github.com/'],
    [' https://GitHub.com/ ', null, 'https://github.com/', 'https://api.github.com/'],
    ['octo.ghe.com', 'octo.ghe.com', 'https://octo.ghe.com/', 'https://api.octo.ghe.com/'],
    ['https://Octo-Corp.ghe.com', 'octo-corp.ghe.com', 'https://octo-corp.ghe.com/', 'https://api.octo-corp.ghe.com/'],
  ])('%j may be used', (text, kept, web, api) => {
    const host = typedHost(text);
    expect(allowed(text)).toBe(true);
    expect(keptHost(host)).toBe(kept);
    const addresses = addressesOfHost(host);
    expect([addresses.web.href, addresses.api.href]).toEqual([web, api]);
  });

  it.each([
    '',
    'ghe.com',
    '.ghe.com',
    '-a.ghe.com',
    'a.b.ghe.com',
    'octo.ghe.com.evil.example',
    'evil.example',
    'github.com.evil.example',
    'http://octo.ghe.com',
    'octo.ghe.com:8443',
    'me:secret@octo.ghe.com',
    'octo.ghe.com/login',
    'https://octo.ghe.com?x=1',
    'git hub.com',
    '127.0.0.1',
  ])('%j may not', (text) => {
    expect(allowed(text)).toBe(false);
  });
});
