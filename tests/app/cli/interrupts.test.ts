import { afterEach, expect, it } from 'vitest';
import { type Interrupts, takeInterrupts } from '../../../app/cli/interrupts.ts';

let interrupts: Interrupts | null = null;
afterEach(() => interrupts?.release());
const aborted = () => [interrupts?.first.aborted, interrupts?.second.aborted];

it.each(['SIGINT', 'SIGTERM'] as const)('%s: once stops in order, twice at once', (signal) => {
  interrupts = takeInterrupts();
  process.emit(signal);
  expect(aborted()).toEqual([true, false]);
  process.emit(signal);
  expect(aborted()).toEqual([true, true]);
});

it('a terminal that is closed stops in order, however often that is said', () => {
  interrupts = takeInterrupts();
  process.emit('SIGHUP');
  process.emit('SIGHUP');
  expect(aborted()).toEqual([true, false]);
  process.emit('SIGTERM');
  expect(aborted()).toEqual([true, true]);
});
