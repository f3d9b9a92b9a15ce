import type { Command } from 'commander';
import { t } from '../language/translate.ts';
import type { Surroundings } from './surroundings.ts';
import { example } from './table.ts';

/** The commands below “Look:” in the help. */
export function lookCommands(program: Command, surroundings: Surroundings, ended: (exitCode: number) => void): void {
  program
    .command('status')
    .description(t('whether requests work now, and Claude Code’s where it is set up; exit code 0 if so'))
    .option('--json', t('the same as JSON'))
    .addHelpText(
      'after',
      example(
        'jumpseat status && claude',
        t('Signed in as, plan, host, age of the token, quota, address of the proxy, last success.'),
        t('jumpseat doctor   where it is not ready'),
      ),
    )
    .action(async (options) => ended(await (await import('./commands/status.ts')).status(surroundings, options)));
  program
    .command('log')
    .description(t('the requests: who started them, what they ran on, what they cost'))
    .option('-f, --follow', t('go on with new ones until Ctrl-C'))
    .option('-n, --limit <number>', t('how many; 20 unless given'))
    .option('--why', t('below each request, why it is yours or the agent’s, and what your rules changed'))
    .option('--json', t('one JSON object a line'))
    .addHelpText(
      'after',
      example(
        'jumpseat log --follow',
        t('Oldest at the top. No word of a prompt or an answer is in it.'),
        t('jumpseat log --json --limit 1   for every detail of the last one'),
      ),
    )
    .action(async (options) => ended(await (await import('./commands/log.ts')).log(surroundings, options)));
  program
    .command('usage')
    .description(t('what requests cost, by day, model, client, account, purpose, session or folder'))
    .option('--since <when>', t('days back, today included, or a date: 30d, 2026-11-20'), '7d')
    .option('--by <what>', t('day, model, client, account, purpose, session or folder'), 'day')
    .option('--json', t('the same as JSON'))
    .option('--csv', t('the same for a spreadsheet'))
    .addHelpText(
      'after',
      example(
        'jumpseat usage --since 30d --by model',
        t(
          'The sums of Usage in the window. Billed, free, unknown and No charge add up to all requests. ' +
            'User, agent and neither add up to those with a charge.',
        ),
        t('jumpseat log   for single requests'),
      ),
    )
    .action(async (options) => ended(await (await import('./commands/usage.ts')).usage(surroundings, options)));
  program
    .command('budget')
    .description(t('what is used of the included quota and of the limits you set'))
    .option('--check', t('exit with 1 where one is used up or can’t be used, or a prompt would be held, for scripts'))
    .option('--allow-overage', t('let GitHub bill more than what is included until midnight'))
    .option('--json', t('the same as JSON'))
    .addHelpText(
      'after',
      example(
        'jumpseat budget --check && claude -p "…"',
        t('Limits are in Settings → Limits, or below "limits" in settings.json.'),
        t('jumpseat usage   for what it was used on'),
      ),
    )
    .action(async (options) => ended(await (await import('./commands/budget.ts')).budget(surroundings, options)));
  program
    .command('sessions')
    .description(t('sessions of Claude Code on this machine, whoever started them'))
    .option('-n, --limit <number>', t('how many; 20 unless given'))
    .option('--find <words>', t('those that have these words in their title, folder or id, or in what was said'))
    .option('--program', t('instead: which Claude Code sessions run with'))
    .option('--fetch', t('instead: fetch what is missing for that from the npm registry'))
    .option('--check-newer', t('instead: ask the npm registry for a newer one than the copy that was fetched'))
    .option('--update', t('instead: fetch the newer one; what runs keeps its version'))
    .option('--json', t('one JSON object a line'))
    .addHelpText(
      'after',
      example(
        'jumpseat sessions --find retry',
        t('Read from Claude Code’s own transcripts; nothing is started. The newest session comes first.'),
        'cd FOLDER && claude --resume ID',
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
    .description(t('the models of this account, and the models for Claude Code’s names'))
    .option('--why <name>', t('what this name runs on, or why it runs on nothing (then exit code 1)'))
    .option('--json', t('the same as JSON'))
    .addHelpText(
      'after',
      example(
        'jumpseat models',
        t('Limits, prices and policy as Copilot states them now.'),
        t('turn models on at github.com/settings/copilot'),
      ),
    )
    .action(async (options) => ended(await (await import('./commands/models.ts')).models(surroundings, options)));
  program
    .command('search')
    .argument('<query...>', t('what to look for'))
    .description(t('search the web as it is done for clients; may cost credits'))
    .option('--engine <name>', t('use only this engine, not those in Settings → Web search'))
    .option('--json', t('the same as JSON'))
    .addHelpText(
      'after',
      example(
        'jumpseat search latest stable node version',
        t('Counts as a request of yours, and has a row in the log. Text of pages is quoted.'),
        t('jumpseat log   for what it cost'),
      ),
    )
    .action(async (words, options) =>
      ended(await (await import('./commands/search.ts')).search(surroundings, words, options)),
    );
  program
    .command('doctor')
    .description(t('check everything and say how to fix what is wrong'))
    .option('--json', t('the same as JSON'))
    .option('--inside', t('in a container, WSL or over SSH: only the way to the Jumpseat that runs elsewhere'))
    .option('--forget-learned', t('first forget what Copilot’s refusals have taught, here and in a running Jumpseat'))
    .addHelpText(
      'after',
      example(
        'jumpseat doctor',
        t('Exit 1 where a check fails. Costs no credits.'),
        t('the checks under "Needs attention"'),
      ),
    )
    .action(async (options) => ended(await (await import('./commands/doctor.ts')).doctor(surroundings, options)));

  program
    .command('reach')
    .argument('[how]', t('directly, or through-vscode; unless given, says how it is'))
    .description(t('how Copilot is reached: directly, or through Jumpseat’s extension in VS Code'))
    .addHelpText(
      'after',
      example(
        'jumpseat reach through-vscode',
        t('Holds from the next request on, also of a running Jumpseat. Nothing else changes it.'),
        t('“Jumpseat: Enable” in VS Code'),
      ),
    )
    .action(async (how) => ended(await (await import('./commands/reach.ts')).reach(surroundings, how)));
  program
    .command('completion')
    .argument('<shell>', t('bash, zsh, fish or powershell'))
    .description(t('print what your shell reads to complete the commands of jumpseat'))
    .addHelpText(
      'after',
      example(
        'eval "$(jumpseat completion bash)"',
        t(
          'Packages for Linux bring it along. Elsewhere, put the line into the file that your shell reads at its start.',
        ),
        t('a new terminal, and the Tab key behind "jumpseat "'),
      ),
    )
    .action(async (shell, _options, command) =>
      ended((await import('./completion.ts')).printCompletion(surroundings, command.parent, shell)),
    );
}
