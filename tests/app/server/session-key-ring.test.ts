import { describe, expect, it } from 'vitest';
import { redact } from '../../../app/adapters/redact.ts';
import { type Admission, Door } from '../../../app/server/door.ts';
import { SessionKeyRing } from '../../../app/server/session-key-ring.ts';

const localKey = 'k'.repeat(43);
const keys = new SessionKeyRing();
const door = new Door({ port: 4180, key: localKey, sessionOf: (key) => keys.sessionOf(key) });

function knock(key: string, path = '/v1/messages'): Admission {
  return door.admit({
    ...{
      path,
      method: 'POST',
      host: '127.0.0.1:4180',
      origin: undefined,
      site: undefined,
      contentLength: '2',
      apiKey: undefined,
    },
    authorization: `Bearer ${key}`,
  });
}

describe('the key of a hosted session', () => {
  it.each([
    '/v1/messages',
    '/v1/messages/count_tokens',
    '/v1/models',
    '/models',
    '/v1/chat/completions',
    '/chat/completions',
    '/v1/responses',
    '/v1/embeddings',
    '/mcp',
  ])('opens %s under the name of the session', (path) => {
    expect(knock(keys.mint('a-session'), path)).toEqual({ ok: true, client: 'a-session', key: null });
  });

  it.each(['/metrics', '/acp', '/search', '/mcp/x', '/status', '/v1/other', '/v1/modelsX', '/'])(
    'does not open %s',
    (path) => {
      expect(knock(keys.mint('a-session'), path)).toMatchObject({ ok: false, status: 401 });
    },
  );

  it('opens nothing under another name', () => {
    expect(knock(`${keys.mint('a-session')}.claude-code`)).toMatchObject({ ok: false, status: 401 });
  });

  it('opens nothing once it was taken back', () => {
    const key = keys.mint('a-session');
    keys.revoke('a-session');
    keys.revoke('a-session');
    expect(knock(key)).toMatchObject({ ok: false, status: 401 });
  });

  it('opens nothing once the session has another one; other sessions keep theirs', () => {
    const [first, other] = [keys.mint('a-session'), keys.mint('b-session')];
    const second = keys.mint('a-session');
    expect(knock(first)).toMatchObject({ ok: false });
    expect(knock(second)).toEqual({ ok: true, client: 'a-session', key: null });
    expect(knock(other)).toEqual({ ok: true, client: 'b-session', key: null });
  });

  it('leaves the local key as it was', () => {
    keys.mint('a-session');
    expect(knock(`${localKey}.cli`, '/metrics')).toEqual({ ok: true, client: 'cli', key: null });
    expect(knock(localKey)).toMatchObject({ ok: false, status: 401 });
  });

  it('is known to be a secret wherever it is written', () => {
    expect(redact(`it said ${keys.mint('a-session')}, then ended`)).toBe('it said [redacted], then ended');
  });
});
