import { expect, it } from 'vitest';
import { toCurl } from '../../../renderer/requests/copy-request.ts';
import { toCsv, toHar, toJsonLines } from '../../../renderer/requests/export.ts';
import { exchange } from '../../exchange.ts';

it('JSONL holds one request per line', () => {
  const text = toJsonLines([exchange({ id: 'a' }), exchange({ id: 'b' })]);
  expect(text.endsWith('\n')).toBe(true);
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(['a', 'b']);
});

it('CSV quotes what needs it and begins no cell like a formula', () => {
  const failure = {
    source: 'copilot',
    status: 400,
    code: 'x',
    message: '=HYPERLINK("a"),\nb',
    clientMessage: null,
  } as const;
  const [head, ...rest] = toCsv([exchange({ failure, askedModel: null, key: 'ci', account: 'work' })], {
    [exchange().session ?? '']: '/srv/shop',
  }).split('\r\n');
  expect(head).toBe(
    'id,started_at,client,key,account,folder,endpoint,session,prompt,class,initiator,reason,asked_model,served_model,path,status,outcome,' +
      'first_token_ms,took_ms,input_tokens,cache_read_tokens,cache_write_tokens,output_tokens,charge,credits,estimated_credits,premium_requests,changes,error',
  );
  expect(rest.join('\r\n')).toContain(
    ',user,prompt,,claude-opus-4.8,/v1/messages,200,done,1240,18620,412,58214,2310,1187,billed,7.528,,,,',
  );
  expect(rest.join('\r\n')).toContain(',claude-code,ci,work,/srv/shop,messages,');
  expect(rest.join('\r\n')).toContain(`"'=HYPERLINK(""a""),\nb"`);
});

it('HAR 1.2 holds times and no content', () => {
  const { log } = JSON.parse(toHar([exchange()], '0.1.0', 'http://127.0.0.1:4180'));
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'Jumpseat', version: '0.1.0' } });
  expect(log.entries[0]).toMatchObject({
    time: 18_620,
    request: { method: 'POST', url: 'http://127.0.0.1:4180/v1/messages', headers: [] },
    response: { status: 200, content: { size: -1, mimeType: 'text/event-stream' } },
    timings: { blocked: 17, send: 0, wait: 925, receive: 17_678 },
  });
});

it('cURL goes to the local proxy, with a variable for the key', () => {
  expect(toCurl(exchange(), 'http://127.0.0.1:4180')).toBe(
    [
      '# The next line reads the local key, with the client label "replay".',
      'JUMPSEAT_KEY=$(eval "$(jumpseat env --shell bash --client replay)"; echo "$ANTHROPIC_AUTH_TOKEN")',
      '# The body was not recorded: save one as request.json here. With “Record bodies” on, it is copied too.',
      'curl http://127.0.0.1:4180/v1/messages \\',
      '  -H "Authorization: Bearer $JUMPSEAT_KEY" \\',
      "  -H 'content-type: application/json' \\",
      "  -H 'anthropic-version: 2023-06-01' \\",
      '  --data-binary @request.json',
    ].join('\n'),
  );
});

const headers = {
  client: [{ name: 'authorization', value: null }],
  sent: [],
  answered: [{ name: 'content-type', value: 'text/event-stream' }],
};
const said = new Map([['b', { bodies: { received: '{"a":1}', sent: '{"a":2}', answer: 'data: x' }, headers }]]);

it('what was said is in it only where it is handed in', () => {
  const both = [exchange({ id: 'a' }), exchange({ id: 'b' })];
  expect(toJsonLines(both)).not.toContain('bodies');
  const [first, second] = toJsonLines(both, said).trim().split('\n');
  expect(first).not.toContain('bodies');
  expect(JSON.parse(second ?? '').bodies).toEqual({ received: '{"a":1}', sent: '{"a":2}', answer: 'data: x' });
  const { log } = JSON.parse(toHar(both, '0.1.0', 'http://127.0.0.1:4180', said));
  expect(log.entries[0].request).not.toHaveProperty('postData');
  expect(log.entries[1]).toMatchObject({
    request: {
      headers: [{ name: 'authorization', value: '[redacted]' }],
      postData: { mimeType: 'application/json', text: '{"a":1}' },
    },
    response: {
      headers: [{ name: 'content-type', value: 'text/event-stream' }],
      content: { text: 'data: x' },
    },
    _jumpseat: { id: 'b', bodies: { sent: '{"a":2}' } },
  });
});

it('cURL brings a recorded body with it, whatever stands in it', () => {
  const lines = toCurl(exchange(), 'http://127.0.0.1:4180', '{"text":"$HOME `id` \'BODY\'"}').split('\n');
  expect(lines.filter((line) => !line.startsWith('#'))[1]).toBe('curl http://127.0.0.1:4180/v1/messages \\');
  expect(lines.slice(-3)).toEqual(["  --data-binary @- <<'BODY_1'", '{"text":"$HOME `id` \'BODY\'"}', 'BODY_1']);
});
