import { t } from '../language/translate.ts';
import type { CommandRow } from './command.ts';
import type { Surroundings } from './surroundings.ts';

/** The commands below “Look:” in the help. */
export function lookCommands(surroundings: Surroundings): CommandRow[] {
  return [
    {
      name: 'status',
      text: t('whether requests work now, and Claude Code’s where it is set up; exit code 0 if so'),
      options: [['--json', t('the same as JSON')]],
      help: [
        'jumpseat status && claude',
        t('Signed in as, plan, host, age of the token, quota, address of the proxy, last success.'),
        t('jumpseat doctor   where it is not ready'),
      ],
      run: async (options) => (await import('./commands/status.ts')).status(surroundings, options),
    },
    {
      name: 'log',
      text: t('the requests: who started them, what they ran on, what they cost'),
      options: [
        ['-f, --follow', t('go on with new ones until Ctrl-C')],
        ['-n, --limit <number>', t('how many; 20 unless given')],
        ['--why', t('below each request, why it is yours or the agent’s, and what your rules changed')],
        ['--json', t('one JSON object a line')],
      ],
      help: [
        'jumpseat log --follow',
        t('Oldest at the top. No word of a prompt or an answer is in it.'),
        t('jumpseat log --json --limit 1   for every detail of the last one'),
      ],
      run: async (options) => (await import('./commands/log.ts')).log(surroundings, options),
    },
    {
      name: 'usage',
      text: t('what requests cost, by day, model, client, account, purpose, session or folder'),
      options: [
        ['--since <when>', t('days back, today included, or a date: 30d, 2026-11-20'), '7d'],
        ['--by <what>', t('day, model, client, account, purpose, session or folder'), 'day'],
        ['--json', t('the same as JSON')],
        ['--csv', t('the same for a spreadsheet')],
      ],
      help: [
        'jumpseat usage --since 30d --by model',
        t(
          'The sums of Usage in the window. Billed, free, unknown and No charge add up to all requests. ' +
            'User, agent and neither add up to those with a charge.',
        ),
        t('jumpseat log   for single requests'),
      ],
      run: async (options) => (await import('./commands/usage.ts')).usage(surroundings, options),
    },
    {
      name: 'budget',
      text: t('what is used of the included quota and of the limits you set'),
      options: [
        ['--check', t('exit with 1 where one is used up or can’t be used, or a prompt would be held, for scripts')],
        ['--allow-overage', t('let GitHub bill more than what is included until midnight')],
        ['--json', t('the same as JSON')],
      ],
      help: [
        'jumpseat budget --check && claude -p "…"',
        t('Limits are in Settings → Limits, or below "limits" in settings.json.'),
        t('jumpseat usage   for what it was used on'),
      ],
      run: async (options) => (await import('./commands/budget.ts')).budget(surroundings, options),
    },
    {
      name: 'sessions',
      text: t('sessions of Claude Code on this machine, whoever started them'),
      options: [
        ['-n, --limit <number>', t('how many; 20 unless given')],
        ['--find <words>', t('those that have these words in their title, folder or id, or in what was said')],
        ['--program', t('instead: which Claude Code sessions run with')],
        ['--fetch', t('instead: fetch what is missing for that from the npm registry')],
        ['--check-newer', t('instead: ask the npm registry for a newer one than the copy that was fetched')],
        ['--update', t('instead: fetch the newer one; what runs keeps its version')],
        ['--json', t('one JSON object a line')],
      ],
      help: [
        'jumpseat sessions --find retry',
        t('Read from Claude Code’s own transcripts; nothing is started. The newest session comes first.'),
        'cd FOLDER && claude --resume ID',
      ],
      run: async (options) => {
        const { program: isAsked, fetch, checkNewer, update } = options;
        if (!(isAsked || fetch || checkNewer || update)) {
          return (await import('./commands/sessions.ts')).sessions(surroundings, options);
        }
        return (await import('./commands/sessions.ts')).sessionProgram(surroundings, options);
      },
    },
    {
      name: 'models',
      text: t('the models of this account, and the models for Claude Code’s names'),
      options: [
        ['--why <name>', t('what this name runs on, or why it runs on nothing (then exit code 1)')],
        ['--json', t('the same as JSON')],
      ],
      help: [
        'jumpseat models',
        t('Limits, prices and policy as Copilot states them now.'),
        t('turn models on at github.com/settings/copilot'),
      ],
      run: async (options) => (await import('./commands/models.ts')).models(surroundings, options),
    },
    {
      name: 'search',
      text: t('search the web as it is done for clients; may cost credits'),
      takes: [['<query...>', t('what to look for')]],
      options: [
        ['--engine <name>', t('use only this engine, not those in Settings → Web search')],
        ['--json', t('the same as JSON')],
      ],
      help: [
        'jumpseat search latest stable node version',
        t('Counts as a request of yours, and has a row in the log. Text of pages is quoted.'),
        t('jumpseat log   for what it cost'),
      ],
      run: async (words, options) => (await import('./commands/search.ts')).search(surroundings, words, options),
    },
    {
      name: 'doctor',
      text: t('check everything and say how to fix what is wrong'),
      options: [
        ['--json', t('the same as JSON')],
        ['--inside', t('in a container, WSL or over SSH: only the way to the Jumpseat that runs elsewhere')],
        ['--forget-learned', t('first forget what Copilot’s refusals have taught, here and in a running Jumpseat')],
      ],
      help: [
        'jumpseat doctor',
        t('Exit 1 where a check fails. Costs no credits.'),
        t('the checks under "Needs attention"'),
      ],
      run: async (options) => (await import('./commands/doctor.ts')).doctor(surroundings, options),
    },
    {
      name: 'reach',
      text: t('how Copilot is reached: directly, or through Jumpseat’s extension in VS Code'),
      takes: [['[how]', t('directly, or through-vscode; unless given, says how it is')]],
      help: [
        'jumpseat reach through-vscode',
        t('Holds from the next request on, also of a running Jumpseat. Nothing else changes it.'),
        t('“Jumpseat: Enable” in VS Code'),
      ],
      run: async (how) => (await import('./commands/reach.ts')).reach(surroundings, how),
    },
    {
      name: 'completion',
      text: t('print what your shell reads to complete the commands of jumpseat'),
      takes: [['<shell>', t('bash, zsh, fish or powershell')]],
      help: [
        'eval "$(jumpseat completion bash)"',
        t(
          'Packages for Linux bring it along. Elsewhere, put the line into the file that your shell reads at its start.',
        ),
        t('a new terminal, and the Tab key behind "jumpseat "'),
      ],
      run: async (shell, _options, command) =>
        (await import('./completion.ts')).printCompletion(surroundings, command.parent, shell),
    },
  ];
}
