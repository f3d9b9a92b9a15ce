import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { Output } from '../../../app/cli/terminal.ts';
import { soon } from '../../soon.ts';

class Stream extends EventEmitter {
  readonly lines: string[] = [];
  writableLength = 0;
  fault: Error | null = null;
  write(text: string, written?: () => void): boolean {
    if (this.fault !== null) throw this.fault;
    this.lines.push(text);
    if (written !== undefined) queueMicrotask(written);
    return true;
  }
}
const fault = (code: string): Error => Object.assign(new Error(`${code}: not written`), { code });

it.each(['EPIPE', 'EIO', 'ECONNRESET'])(
  '%s: the reader has left, which is no failure, and nothing more is written',
  (code) => {
    const stream = new Stream();
    const failures: Error[] = [];
    const output = new Output(stream, (error) => failures.push(error));
    output.write('one');
    stream.emit('error', fault(code));
    output.write('two');
    expect([output.left.aborted, stream.lines, failures]).toEqual([true, ['one'], []]);
  },
);

it('a full disk is told once, and what fits again is written', () => {
  const stream = new Stream();
  const failures: Error[] = [];
  const output = new Output(stream, (error) => failures.push(error));
  stream.emit('error', fault('ENOSPC'));
  stream.fault = fault('ENOSPC');
  output.write('lost');
  stream.fault = null;
  output.write('kept');
  expect([output.left.aborted, stream.lines, failures.length]).toEqual([false, ['kept'], 1]);
});

it('a reader who stands still is waited for, unless he must hold nothing up', () => {
  const stream = new Stream();
  const output = new Output(stream, () => undefined);
  stream.writableLength = 2_000_000;
  output.write('waits');
  output.dontWait();
  output.write('dropped');
  stream.writableLength = 0;
  output.write('goes on');
  expect(stream.lines).toEqual(['waits', 'goes on']);
});

it('a terminal is told not to block the process', () => {
  const blocking: boolean[] = [];
  const stream = Object.assign(new Stream(), { _handle: { setBlocking: (on: boolean) => blocking.push(on) } });
  new Output(stream, () => undefined).dontWait();
  expect(blocking).toEqual([false]);
});

it('written: when all of it is, when the reader leaves, and at once where nothing is waiting', async () => {
  const output = new Output(new Stream(), () => undefined);
  await output.written();
  const stuck = new Stream();
  stuck.write = () => true;
  const waiting = new Output(stuck, () => undefined);
  const written = waiting.written();
  stuck.emit('error', fault('EPIPE'));
  await written;
  const serving = new Output(stuck, () => undefined);
  serving.dontWait();
  await serving.written();
});

it('what comes in quick succession goes out together, the first of it at once', async () => {
  const stream = new Stream();
  const output = new Output(stream, () => undefined);
  output.dontWait();
  for (const line of ['one\n', 'two\n', 'three\n']) output.write(line);
  expect(stream.lines).toEqual(['one\n']);
  await soon(() => expect(stream.lines).toEqual(['one\n', 'two\nthree\n']));
});

it('what was gathered is written at the end, and before something that is written elsewhere', async () => {
  const stream = new Stream();
  const output = new Output(stream, () => undefined);
  output.dontWait();
  output.write('one\n');
  output.write('two\n');
  output.writeGathered();
  output.write('three\n');
  await output.written();
  expect(stream.lines).toEqual(['one\n', 'two\n', 'three\n']);
});
