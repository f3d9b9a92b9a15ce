import { expect, it } from 'vitest';
import { pointsAtOurselves, proxyCircle } from '../../../app/claude-code/leading-variables.ts';

it('C16.5 knows itself by any name of this machine, and by no other', () => {
  const ours = [
    'http://127.0.0.1:4180',
    'http://localhost:4180/v1',
    'localhost:4180',
    '127.0.0.9:4180',
    'http://[::1]:4180',
    'https://x.localhost:4180',
    'socks5://127.0.0.1:4180',
    'http://user:pass@127.0.0.1:4180',
  ];
  const theirs = [
    'http://127.0.0.1:4181',
    'https://api.github.com',
    'http://example.com:4180',
    '',
    'not an address',
    'http://127.0.0.1',
  ];
  expect(ours.filter((address) => !pointsAtOurselves(address, 4180))).toEqual([]);
  expect(theirs.filter((address) => pointsAtOurselves(address, 4180))).toEqual([]);
  expect(pointsAtOurselves('http://localhost', 80)).toBe(true);
});

it('names the variable that leads in a circle', () => {
  expect(proxyCircle({ HTTPS_PROXY: 'http://proxy.example:8080', http_proxy: 'localhost:4180' }, 4180)).toBe(
    'http_proxy',
  );
  expect(proxyCircle({ HTTPS_PROXY: 'http://proxy.example:8080' }, 4180)).toBe(null);
});
