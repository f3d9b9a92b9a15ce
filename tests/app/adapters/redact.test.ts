import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileSecrets } from '../../../app/adapters/file-secrets.ts';
import { keychainSecrets } from '../../../app/adapters/keychain-secrets.ts';
import { fileLog, redactFacts } from '../../../app/adapters/log.ts';
import { memorySecrets } from '../../../app/adapters/movable-secrets.ts';
import { addSecret, redact } from '../../../app/adapters/redact.ts';
import { secretShapes } from './secret-shapes.ts';

describe('redact', () => {
  it.each([
    ['token ghu_0123456789abcdefghijABCDEFGHIJ012345 was refused', 'token [redacted] was refused'],
    ['x=gho_0123456789abcdefghijABCDEFGHIJ012345;', 'x=[redacted];'],
    ['github_pat_11AAAAAAA0abcdefghij_0123456789', '[redacted]'],
    ['got tid=0a1b2c;exp=1795000000;sku=free;8kp=1:0123abcdef, then', 'got [redacted] then'],
    ['"exp=1795000000;sku=free;8kp=1:0123abcdef"', '"[redacted]"'],
    ['Authorization: Bearer abcdefgh.claude-code', 'Authorization: [redacted]'],
    ['bearer abcdefgh.claude-code, next', 'bearer [redacted] next'],
    ['{"x-api-key":"sk-ant-1","a":1}', '{"x-api-key":"[redacted]","a":1}'],
    ['set-cookie: a=b; Path=/\nnext: 1', 'set-cookie: [redacted]\nnext: 1'],
    ['via http://me:word@proxy.example:8080/x', 'via http://[redacted]@proxy.example:8080/x'],
    ['/ui/start?once_token=abc&view=log', '/ui/start?once_token=[redacted]&view=log'],
  ])('%s', (text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  it.each([
    'max_tokens 128000 → 64000',
    'results of Bash, Read',
    'the bearer was refused with 401',
    'background task-notification-of-a-long-name finished',
    'https://api.individual.githubcopilot.com/v1/messages',
    'claude-opus-5.5 via /v1/messages, 402 quota_exceeded',
    'new prompt 1ec2',
  ])('leaves “%s” alone', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('B1.17 leaves nothing of a secret, wherever it stands in a text', () => {
    fc.assert(
      fc.property(fc.string(), secretShapes, fc.constantFrom('', ' ', '"', "'", ',', '\n'), (before, secret, after) => {
        expect(redact(`${before} ${secret.text}${after} end`)).not.toContain(secret.core);
      }),
    );
  });

  it('knows the keys it was told, also escaped', () => {
    addSecret('S3"sam\\e open/now');
    const texts = [
      'the key is S3"sam\\e open/now.',
      JSON.stringify({ key: 'S3"sam\\e open/now' }),
      encodeURIComponent('S3"sam\\e open/now'),
    ];
    expect(texts.map(redact)).toEqual(['the key is [redacted].', '{"key":"[redacted]"}', '[redacted]']);
  });

  it('knows the last 64, whatever their length, and the longer one first', () => {
    addSecret('forgotten-by-now');
    addSecret('a-very-long-secret-that-was-told-early-enough');
    addSecret('a-very-long');
    for (let count = 0; count < 62; count++) addSecret(`secret-number-${count}`);
    expect(redact('forgotten-by-now')).toBe('forgotten-by-now');
    expect(redact('(a-very-long-secret-that-was-told-early-enough)')).toBe('([redacted])');
    expect(redact('(a-very-long)')).toBe('([redacted])');
  });

  it('knows the tokens of 32 conversations', () => {
    const token = (count: number) => `auto-token-of-${count}-conversations`;
    for (let count = 0; count < 33; count++) addSecret(token(count), 'passing');
    expect([0, 1, 32].map((count) => redact(token(count)))).toEqual([token(0), '[redacted]', '[redacted]']);
  });

  it('takes no short word for a secret', () => {
    addSecret('log');
    expect(redact('the log')).toBe('the log');
  });

  it('takes a time that grows with the length alone', () => {
    const beginnings = [
      'ghu_',
      'tid=',
      'bearer ',
      'authorization:',
      'exp=1',
      '://',
      '?token',
      'sk-',
      'a=b;',
      'github_pat_',
      '?a',
      ' ',
    ];
    for (const beginning of beginnings) {
      const text = beginning.repeat(Math.ceil(1_000_000 / beginning.length));
      const began = performance.now();
      redact(text);
      // A square of this length would take minutes.
      expect({ beginning, slow: performance.now() - began > 5_000 }).toEqual({ beginning, slow: false });
    }
  });
});

describe('facts', () => {
  it('are copied without secrets, bodies, circles and endless texts', () => {
    const circle: Record<string, unknown> = { name: 'circle' };
    circle.self = circle;
    const facts = {
      headers: { Authorization: 'anything at all', 'x-api-key': 'k', cookie: ['a', 'b'], host: '127.0.0.1:4180' },
      githubToken: 'anything',
      device_code: 'anything',
      localKey: 'anything',
      tokens: { input: 5 },
      inputTokens: 7,
      maxToken: 8,
      key: 'a-name',
      body: Buffer.from('a body'),
      error: Object.assign(new TypeError('bad ghu_0123456789'), {
        code: 'ERR_X',
        stack: 'at ghu_0123456789',
        cause: 'gho_0123456789',
      }),
      url: new URL('https://me:word@example.com/?access_token=abc'),
      when: new Date(0),
      big: 12n,
      map: new Map([['authorization', 'Bearer abcdefgh']]),
      nothing: null,
      list: Array.from({ length: 103 }, (_, index) => index),
      circle,
    };
    expect(redactFacts(facts)).toEqual({
      headers: { Authorization: '[redacted]', 'x-api-key': '[redacted]', cookie: '[redacted]', host: '127.0.0.1:4180' },
      githubToken: '[redacted]',
      device_code: '[redacted]',
      localKey: '[redacted]',
      tokens: { input: 5 },
      inputTokens: 7,
      maxToken: 8,
      key: 'a-name',
      body: '[6 bytes]',
      error: {
        name: 'TypeError',
        message: 'bad [redacted]',
        code: 'ERR_X',
        stack: 'at [redacted]',
        cause: '[redacted]',
      },
      url: 'https://[redacted]@example.com/?access_token=[redacted]',
      when: '1970-01-01T00:00:00.000Z',
      big: '12',
      map: [['authorization', 'Bearer [redacted]']],
      nothing: null,
      list: [...Array.from({ length: 100 }, (_, index) => index), '[3 more]'],
      circle: {
        name: 'circle',
        self: {
          name: 'circle',
          self: { name: 'circle', self: { name: 'circle', self: { name: 'circle', self: '[deeper]' } } },
        },
      },
    });
  });

  it('shorten a long text, and a secret on the edge does not show', () => {
    addSecret('a-local-key-of-some-length');
    const long = `${'x'.repeat(63_990)}a-local-key-of-some-length${'y'.repeat(1_000)}`;
    expect(redactFacts(long)).toBe(`${'x'.repeat(4_000)}… [65016 characters]`);
    const full = 'a-local-key-of-some-length '.repeat(3_000);
    expect(redactFacts(full)).not.toContain('a-local');
  });
});

it.each(['memory', 'file', 'keychain'] as const)(
  'B1.17 what the %s store was given or gave is in no log line',
  async (kind) => {
    const home = mkdtempSync(join(tmpdir(), 'jumpseat-hidden-'));
    // Shapes that no pattern of the redaction knows.
    const written = `plain-words-${kind}-written`;
    const found = `plain-words-${kind}-found`;
    const keychain = {
      getPassword: async () => `octo.ghe.com ${found}`,
      setPassword: async () => {},
      deletePassword: async () => true,
    };
    const secrets = {
      memory: () => memorySecrets({ 'github-token': `octo.ghe.com ${found}` }),
      file: () => fileSecrets(join(home, 'secrets', 'secrets.json')),
      keychain: () => keychainSecrets({ load: async () => keychain }),
    }[kind]();
    await secrets.set('local-key', `octo.ghe.com ${written}`);
    await secrets.get('github-token');
    const log = fileLog(join(home, 'logs'));
    log.write('info', 'test', { written, found: kind === 'file' ? '' : found, inside: `a ${written} b` });
    await log.close();
    const text = readFileSync(join(home, 'logs', 'jumpseat.log'), 'utf8');
    expect(text).toContain('"test"');
    expect(text).not.toContain(written);
    expect(text).not.toContain(found);
    rmSync(home, { recursive: true, force: true });
  },
);
