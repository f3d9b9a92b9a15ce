import { fileLog } from '../../app/adapters/log.ts';
import { endAfterFaults } from '../../main/crash.ts';

/**
 * A process that forgets a rejection, goes on, and then throws an uncaught exception. Its argument is the folder of its
 * log.
 */
const log = fileLog(process.argv[2] ?? '');
endAfterFaults(process, {
  log,
  stop: async () => log.write('info', 'stopped'),
  leave: () => process.exit(1),
  age: () => 0,
});
void Promise.reject(new Error('gho_0123456789abcdef was refused'));
setTimeout(() => {
  log.write('info', 'still-here');
  throw new Error('Bearer gho_0123456789abcdef');
});
