import { describe, expect, it } from 'vitest';
import { chooseStorage, RefusedVariableError, readEnvironment } from '../../app/environment.ts';

describe('the variables of Jumpseat', () => {
  it('are read; empty ones count as absent', () => {
    const empty = { JUMPSEAT_PORT: '', JUMPSEAT_KEY: '', JUMPSEAT_SECRETS: '', JUMPSEAT_GITHUB_TOKEN: ' ' };
    expect([readEnvironment(empty), readEnvironment({ JUMPSEAT_PORT: '0', JUMPSEAT_SECRETS: 'memory' })]).toMatchObject(
      [
        { port: null, storage: null, key: null, githubToken: null, github: { web: new URL('https://github.com/') } },
        { port: 0, storage: 'memory' },
      ],
    );
  });

  it.each([
    [
      { JUMPSEAT_PORT: '70000' },
      'JUMPSEAT_PORT must be a whole number from 1024 to 65535, or 0 for a free port, not "70000".',
    ],
    [
      { JUMPSEAT_PORT: '0x10' },
      'JUMPSEAT_PORT must be a whole number from 1024 to 65535, or 0 for a free port, not "0x10".',
    ],
    [{ JUMPSEAT_SECRETS: 'drawer' }, 'JUMPSEAT_SECRETS must be one of keychain, file, memory, not "drawer".'],
    [{ JUMPSEAT_KEY: 'my.secret' }, 'JUMPSEAT_KEY may hold no dot, no blank and no accents.'],
    [{ JUMPSEAT_CA_FILE: 'company.pem' }, 'JUMPSEAT_CA_FILE can’t be used. The CA file needs its whole path.'],
    [
      { JUMPSEAT_KEY: 'fifteen-letters' },
      'JUMPSEAT_KEY has fewer than 16 characters, so that other programs on this machine could guess it.',
    ],
    [
      { JUMPSEAT_GITHUB_URL: 'http://127.0.0.1:4180', JUMPSEAT_GITHUB_API_URL: 'https://api.github.com' },
      'JUMPSEAT_GITHUB_URL is Jumpseat itself. Requests would run in a circle.',
    ],
    [
      {
        JUMPSEAT_GITHUB_API_URL: 'http://localhost:5000',
        JUMPSEAT_PORT: '5000',
        JUMPSEAT_GITHUB_URL: 'https://github.com',
      },
      'JUMPSEAT_GITHUB_API_URL is Jumpseat itself. Requests would run in a circle.',
    ],
  ])('refused: %j', (env, message) => {
    const read = () => readEnvironment(env);
    expect(read).toThrow(RefusedVariableError);
    expect(read).toThrow(message);
  });

  it('Node’s switch for certificates is told and not followed', () => {
    expect(readEnvironment({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }).warnings).toEqual([
      {
        code: 'tls-check-kept',
        text:
          'NODE_TLS_REJECT_UNAUTHORIZED=0 isn’t followed: Jumpseat checks every certificate, so that nobody ' +
          'in between gets your token.',
        remedy:
          'Unset it. A company’s own certificate belongs into the system’s store, or its file into ' +
          'JUMPSEAT_CA_FILE.',
      },
    ]);
    expect(readEnvironment({ NODE_TLS_REJECT_UNAUTHORIZED: '1' }).warnings).toEqual([]);
  });

  it('a key of sixteen characters will do', () => {
    expect(readEnvironment({ JUMPSEAT_KEY: 'sixteen-letters!' }).key).toBe('sixteen-letters!');
  });

  it.each([
    [{}, null],
    [{ JUMPSEAT_GITHUB_URL: '', JUMPSEAT_GITHUB_TOKEN: ' ' }, null],
    [{ JUMPSEAT_GITHUB_URL: 'https://github.com' }, 'JUMPSEAT_GITHUB_URL'],
    [{ JUMPSEAT_GITHUB_API_URL: 'https://api.github.com' }, 'JUMPSEAT_GITHUB_API_URL'],
    // A token from outside is for the host it came with.
    [{ JUMPSEAT_GITHUB_TOKEN: `ghu_${'x'.repeat(36)}` }, 'JUMPSEAT_GITHUB_TOKEN'],
  ])('the host of GitHub with %j is fixed by %s', (env, fixedBy) => {
    expect(readEnvironment(env).githubFixedBy).toBe(fixedBy);
  });

  it('a token of the wrong kind is refused and not repeated', () => {
    const token = `ghp_${'x'.repeat(36)}`;
    expect(() => readEnvironment({ JUMPSEAT_GITHUB_TOKEN: token })).toThrow(/JUMPSEAT_GITHUB_TOKEN can’t be used/);
    expect(() => readEnvironment({ JUMPSEAT_GITHUB_TOKEN: token })).not.toThrow(token);
  });
});

it('plain text only after the person agreed to it', () => {
  const file = readEnvironment({ JUMPSEAT_SECRETS: 'file' });
  const none = readEnvironment({});
  expect([
    chooseStorage(file, { secretsStorage: 'file' }),
    chooseStorage(none, { secretsStorage: 'file' }),
    chooseStorage(none, { secretsStorage: 'keychain' }),
    chooseStorage(none, { secretsStorage: 'memory' }),
    chooseStorage(readEnvironment({ JUMPSEAT_SECRETS: 'memory' }), { secretsStorage: 'file' }),
  ]).toEqual(['file', 'file', 'keychain', 'memory', 'memory']);
  expect(() => chooseStorage(file, { secretsStorage: 'keychain' })).toThrow(RefusedVariableError);
});
