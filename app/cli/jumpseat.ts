import { keepSmall } from '../adapters/heap.ts';
import { run } from './program.ts';
import { nodeTerminal } from './terminal.ts';

/** The terminal front. */

keepSmall();

// `jumpseat log | head` closes the pipe early; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2), nodeTerminal(), process.env);
// Everything is closed by now; a connection that lingers does not keep the person waiting.
setTimeout(() => process.exit(), 500).unref();
