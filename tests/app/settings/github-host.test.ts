import { describe, expect, it } from 'vitest';
import { addressesOfHost } from '../../../app/settings/github-addresses.ts';
import { githubHostSchema, keptHost, typedHost } from '../../../app/settings/github-host.ts';

const allowed = (text: string): boolean => githubHostSchema.safeParse(typedHost(text)).success;

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
