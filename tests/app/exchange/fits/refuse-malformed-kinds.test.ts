import { expect, it } from 'vitest';
import { refuseMalformed } from '../../../../app/exchange/fits/fields.ts';
import { type MessagesRequest, readMessagesRequest } from '../../../../app/formats/messages/request.ts';

function request(more: object): MessagesRequest {
  const read = readMessagesRequest({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...more });
  if (!read.ok) throw new Error(read.message);
  return read.request;
}

it.each([
  [{ stop_sequences: 'x' }, 'stop_sequences: Input should be a list of strings'],
  [{ tool_choice: 'auto' }, 'tool_choice: Input should be an object'],
  [{ tools: [{ name: 5 }] }, 'tools.0.name: Input should be a string'],
  [{ tools: [{ description: 'd' }] }, 'tools.0.name: Field required'],
  [{ messages: [{ role: 'user', content: [null] }] }, 'messages.0.content.0: Input should be an object'],
])('%j is refused by its name', (more, message) => {
  expect(refuseMalformed(request(more))).toMatchObject({ ok: false, status: 400, message });
});

it('null is none, and a tool of the API needs no name', () => {
  const fine = request({ stop_sequences: null, thinking: null, tools: [{ type: 'mcp_toolset' }] });
  expect(refuseMalformed(fine)).toMatchObject({ ok: true });
});
