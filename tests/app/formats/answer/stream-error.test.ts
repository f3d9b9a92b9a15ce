import { expect, it } from 'vitest';
import { readStreamError } from '../../../../app/formats/answer/stream-error.ts';

const nameless = 'Copilot reported an error without a message.';

it.each([
  ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'overloaded_error', 'Overloaded'],
  ['{"error":{"type":"api_error","message":"m"},"request_id":"r","type":"error","x":[1]}', 'api_error', 'm'],
  ['{"type":"error","error":{"message":"no type"}}', null, 'no type'],
  ['{"type":"error","error":{"type":"api_error"}}', 'api_error', nameless],
  ['{"type":"error","error":"plain words"}', null, 'plain words'],
  ['{"error":{"message":"m","code":"rate_limited:7","type":"server_error"}}', 'rate_limited', 'm'],
  ['{"error":{"message":"m","code":"","type":"server_error"}}', 'server_error', 'm'],
  ['{"message":"flat","code":"model_overloaded"}', 'model_overloaded', 'flat'],
  ['{"type":"error","message":"flat"}', null, 'flat'],
  ['"a string"', null, 'a string'],
  ['upstream connect error', null, 'upstream connect error'],
  ['{}', null, nameless],
  ['null', null, nameless],
  ['', null, nameless],
])('B5.7 %s', (data, type, message) => {
  expect(readStreamError(data)).toEqual({ kind: 'error', type, message });
});
