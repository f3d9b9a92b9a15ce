import { expect, it } from 'vitest';
import { noFacts } from '../../../../app/formats/answer/answer.ts';
import { MessagesWriter } from '../../../../app/formats/messages/writer.ts';

const end = {
  stopReason: 'end_turn',
  stopSequence: null,
  stopDetails: null,
  usage: { output_tokens: 1 },
  copilotUsage: null,
};

it('hands out what was written since the last time, once', () => {
  const writer = new MessagesWriter(noFacts());
  expect(writer.takeBytes()).toBeNull();
  writer.start('msg_1', 'm', { input_tokens: 1, output_tokens: 0 });
  writer.openToolUse('t', 'T');
  writer.takeBytes();
  writer.add('{"a":"\n"');
  expect(writer.takeBytes()?.toString()).toBe(
    'event: content_block_delta\ndata: ' +
      '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\\"a\\":\\"\\n\\""}}\n\n',
  );
  expect(writer.takeBytes()).toBeNull();
});

it('throws where a message would come out of order', () => {
  const writer = new MessagesWriter(noFacts());
  expect(() => writer.openText()).toThrow('content_block_start before message_start');
  writer.start('msg_1', 'm', {});
  expect(() => writer.add('x')).toThrow('A delta without its block.');
  expect(() => writer.close()).toThrow('content_block_stop 0 without its block');
  writer.openText();
  expect(() => writer.sign('s')).toThrow('signature_delta in a text block');
  expect(() => writer.openText()).toThrow('content_block_start while block 0 is open');
  expect(() => writer.end(end)).toThrow('message_delta while block 0 is open');
  writer.close();
  expect(() => writer.add('x')).toThrow('A delta without its block.');
  writer.end(end);
  expect(() => writer.end(end)).toThrow('message_delta after the end');
});
