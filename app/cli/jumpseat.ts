import { keepMemoryLow } from '../adapters/v8.ts';
import { inOwnWords } from '../api/shell.ts';
import { run } from './program.ts';
import { breakLinesWith, brokenLines } from './table.ts';
import { nodeTerminal } from './terminal.ts';
import { chooseTerminalLanguage } from './terminal-language.ts';
import { ownCommand } from './this-program.ts';

/** The terminal front. */

keepMemoryLow();

let couldPrint = true;
const command = ownCommand(process.env);
if (command !== 'jumpseat') breakLinesWith(command);
const terminal = nodeTerminal(
  () => {
    couldPrint = false;
  },
  brokenLines,
  command === 'jumpseat' ? undefined : (text) => inOwnWords(text, command),
);
const args = process.argv.slice(2);
await chooseTerminalLanguage(args, process.env);
const exitCode = await run(args, terminal, process.env);
await terminal.written();
process.exitCode = exitCode === 0 && !couldPrint ? 1 : exitCode;
// Everything is closed by now; what lingers does not keep the person waiting: a connection, or a keychain that waits
// for its password. That one holds a thread, and `process.exit()` would wait for it; another program in its place
// doesn’t.
setTimeout(() => {
  if (process.platform !== 'win32') process.execve?.('/bin/sh', ['sh', '-c', `exit ${process.exitCode}`], {});
  process.exit();
}, 500).unref();
