import type { Command } from 'commander';
import { example } from './example.ts';
import type { Surroundings } from './surroundings.ts';

/** What says how things are. */
export function lookCommands(program: Command, surroundings: Surroundings, ended: (exitCode: number) => void): void {
  program
    .command('status')
    .description('whether Claude Code can work now; exit 0 if so')
    .option('--json', 'the same as JSON')
    .addHelpText(
      'after',
      example(
        'jumpseat status && claude',
        'Signed in as, plan, host, age of the token, quota, address of the proxy, last success.',
        'jumpseat doctor   where it is not ready',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/status.ts')).status(surroundings, options)));
  program
    .command('log')
    .description('the requests: who started them, what they ran on, what they cost')
    .option('-f, --follow', 'go on with new ones until Ctrl-C')
    .option('-n, --limit <number>', 'how many; 20 unless given')
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      example(
        'jumpseat log --follow',
        'Oldest at the top. No word of a prompt or an answer is in it.',
        'jumpseat log --json --limit 1   for every detail of the last one',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/log.ts')).log(surroundings, options)));
  program
    .command('sessions')
    .description('sessions of Claude Code on this machine, whoever started them')
    .option('-n, --limit <number>', 'how many; 20 unless given')
    .option('--find <words>', 'those that have these words in their title, folder or id, or in what was said')
    .option('--program', 'instead: which Claude Code sessions run with')
    .option('--fetch', 'instead: fetch what is missing for that from the npm registry')
    .option('--check-newer', 'instead: ask the npm registry for a newer one than the copy that was fetched')
    .option('--update', 'instead: fetch the newer one; what runs keeps its version')
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      example(
        'jumpseat sessions --find retry',
        'Read from Claude Code’s own transcripts; nothing is started. The last one stands at the top.',
        'claude --resume ID   in the session’s folder',
      ),
    )
    .action(async (options) => {
      const { program: isAsked, fetch, checkNewer, update } = options;
      if (!(isAsked || fetch || checkNewer || update)) {
        return ended(await (await import('./commands/sessions.ts')).sessions(surroundings, options));
      }
      return ended(await (await import('./commands/session-program.ts')).sessionProgram(surroundings, options));
    });
  program
    .command('models')
    .description('the models of this account, and what Claude Code’s names run on')
    .option('--why <name>', 'what this name runs on, or why it runs on nothing (then exit code 1)')
    .option('--json', 'the same as JSON')
    .addHelpText(
      'after',
      example(
        'jumpseat models',
        'Limits, prices and policy as Copilot states them now.',
        'turn models on at github.com/settings/copilot',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/models.ts')).models(surroundings, options)));
  program
    .command('search')
    .argument('<query...>', 'what to look for')
    .description('search the web as it is done for clients; may cost credits')
    .option('--engine <name>', 'this one alone, instead of those in Settings → Web search')
    .option('--json', 'the same as JSON')
    .addHelpText(
      'after',
      example(
        'jumpseat search latest stable node version',
        'Counts as a request of yours, and has a row in the log. Text of pages is quoted.',
        'jumpseat log   for what it cost',
      ),
    )
    .action(async (words, options) =>
      ended(await (await import('./commands/search.ts')).search(surroundings, words, options)),
    );
  program
    .command('doctor')
    .description('check everything, with a mend for what is wrong')
    .option('--json', 'the same as JSON')
    .option('--forget-learned', 'first forget what Copilot’s refusals have taught, here and in a running Jumpseat')
    .addHelpText(
      'after',
      example(
        'jumpseat doctor',
        'Exit 1 where a check fails. Costs no credits.',
        'what stands under "Needs attention"',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/doctor.ts')).doctor(surroundings, options)));

  program
    .command('reach')
    .argument('[how]', 'directly, or through-vscode; unless given, says how it is')
    .description('how Copilot is reached: directly, or through Jumpseat’s extension in VS Code')
    .addHelpText(
      'after',
      example(
        'jumpseat reach through-vscode',
        'Holds from the next request on, also of a running Jumpseat. Nothing else changes it.',
        '“Jumpseat: Enable” in VS Code',
      ),
    )
    .action(async (how) => ended(await (await import('./commands/reach.ts')).reach(surroundings, how)));
}
