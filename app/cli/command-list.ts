import { t } from '../language/translate.ts';
import type { CommandRow } from './command.ts';
import { statusLineFields, usualFormat } from './line-format.ts';
import type { Surroundings } from './surroundings.ts';

/* Every command with its options and its help, in the groups of the help. */

/** Commands that start something, or show clients the way to it. */
export function startCommands(surroundings: Surroundings): CommandRow[] {
  return [
    {
      name: 'login',
      text: t('sign in to GitHub'),
      options: [
        ['--insecure-storage', t('keep the token in a file that only your user can read, where there is no keychain')],
        ['--account <name>', t('the account to sign in; a new name adds an account, and the others stay signed in')],
        ['--way <name>', t('the sign-in for requests from now on: vscode or copilot-sdk (default: unchanged)')],
        ['--token-stdin', t('with copilot-sdk: read a fine-grained token from standard input')],
        ['--copilot-login', t('with copilot-sdk: use the sign-in of the Copilot CLI')],
        ['--fetch-runtime', t('with copilot-sdk: fetch GitHub’s runtime without asking, where it isn’t here')],
      ],
      help: [
        'jumpseat login',
        t(
          'Prints a code and an address, and opens it in the browser. Waits until you have entered the code, and stores ' +
            'the token in the keychain. ' +
            'With --way alone, Jumpseat uses the sign-in that is stored for that way. ' +
            'Without a stored sign-in, copilot-sdk signs in with your own OAuth app (githubClientId in settings.json).',
        ),
        'jumpseat serve',
      ],
      run: async (options) => (await import('./commands/login.ts')).login(surroundings, options),
    },
    {
      name: 'serve',
      text: t('run the proxy and the dashboard, on this machine only'),
      options: [
        ['--port <number>', t('another port than 4180; 0 takes a free one')],
        ['--socket', t('from now on also on a Unix socket that only your user can open, for containers and SSH')],
        ['--address <ip>', t('from now on also on this address of this machine, after a question; "none" ends it')],
        ['--agree', t('with --address: others may reach it; no question')],
        ['--open', t('open the dashboard in the browser')],
        ['--json', t('one JSON object a line: first "listening", then every finished request')],
      ],
      help: [
        'jumpseat serve --port 0',
        t(
          'Prints one line for every finished request. Ctrl-C lets running answers finish for 10 s; a second ' +
            'one ends them.',
        ),
        t('eval "$(jumpseat env)"   in a second terminal, then run claude'),
      ],
      run: async (options) => (await import('./commands/serve.ts')).serve(surroundings, options),
    },
    {
      name: 'dashboard',
      text: t('print a new link to the dashboard of the Jumpseat that runs, which goes on'),
      help: [
        'jumpseat dashboard',
        t('A link works once, within a day, in one browser.'),
        t('open the address in a browser on this machine'),
      ],
      run: async () => (await import('./open-dashboard.ts')).dashboard(surroundings),
    },
    {
      name: 'env',
      text: t('print the lines for Claude Code, or for a client of OpenAI’s APIs or of MCP'),
      options: [
        [
          '--for <what>',
          t(
            'claude-code (default), openai, codex, codex-config (config.toml), vscode, zed (models), ' +
              'zed-key, form (address and key), mcp (Claude Code), mcp-codex, mcp-zed. Agents in editors: acp-zed, acp-jetbrains, acp (a command). ' +
              'Other places: docker, devcontainer, wsl, ssh',
          ),
        ],
        ['--shell <name>', t('bash, zsh, fish, powershell, cmd or json (for settings.json); your own unless given')],
        ['--client <label>', t('the name in the request log; that of the client unless given')],
      ],
      help: [
        'eval "$(jumpseat env)"',
        t('The lines hold the local key of this machine; they go no further than this terminal.'),
        'claude',
      ],
      run: async (options) => (await import('./commands/env.ts')).env(surroundings, options),
    },
    {
      name: 'forward',
      text: t('in a container or on another machine: lead 127.0.0.1 there to the Jumpseat that runs elsewhere'),
      takes: [
        ['[target]', t('path of the socket, or HOST:PORT (default: JUMPSEAT_SOCKET or /run/jumpseat/jumpseat.sock)')],
      ],
      options: [['--port <number>', t('another port than 4180')]],
      help: [
        'jumpseat forward /run/jumpseat/jumpseat.sock',
        t('Needs neither a sign-in nor settings. Requests get error 503 while Jumpseat can’t be reached.'),
        t('jumpseat doctor --inside   to check the way from there'),
      ],
      run: async (target, options) =>
        (await import('./commands/forward.ts')).forwardFrom(surroundings, target, options),
    },
    {
      name: 'setup',
      text: t('put Jumpseat into the settings of Claude Code or another program, or take it out (--undo)'),
      takes: [['[client]', t('claude-code or another program; without one, all of them are listed'), 'list']],
      options: [
        ['--as <use>', t('models, agent or mcp, for programs that take more than one of them')],
        ['--dry-run', t('show what would change, and change nothing')],
        [
          '--private',
          t('Claude Code: make settings.json readable only for you (mode 0600), since it will hold the local key'),
        ],
        ['--statusline', t('Claude Code: also show credits and quota in its status line, beside the one you have')],
        [
          '--skip-webfetch-preflight',
          t('Claude Code: let WebFetch load pages without asking Anthropic about them first'),
        ],
        ['--keep-days [days]', t('Claude Code: how long it keeps conversations, instead of its 30 days')],
        [
          '--undo',
          t(
            'take out exactly what is ours; what you changed since stays. With --as, that use alone; with --keep-days, ' +
              '--statusline or --skip-webfetch-preflight, that key alone',
          ),
        ],
      ],
      help: [
        'jumpseat setup claude-code --dry-run',
        t('Changes only Jumpseat’s own entries, and makes a backup. Without a terminal it doesn’t ask.'),
        t('claude   in any terminal'),
      ],
      run: async (client, options) =>
        client === 'claude-code'
          ? await (await import('./commands/setup.ts')).setup(surroundings, options)
          : await (await import('./commands/setup-client.ts')).setupClient(surroundings, client, options),
    },
    {
      name: 'mcp',
      text: t('be an MCP server over stdio, with web search and pages, through the running Jumpseat'),
      options: [['--client <label>', t('the name in the request log; mcp unless given')]],
      help: [
        'jumpseat mcp',
        t('For a client of MCP that starts its servers itself. It holds no key: the running Jumpseat gives it.'),
        t('jumpseat env --for mcp   for clients that take an address'),
      ],
      run: async (options) => (await import('./commands/mcp.ts')).mcp(surroundings, options),
    },
    {
      name: 'acp',
      text: t('be an agent for editors that speak ACP, over stdio: Zed, JetBrains, Neovim, Emacs'),
      options: [['--agent <name>', t('who leads the sessions: claude or codex'), 'claude']],
      help: [
        'jumpseat acp',
        t('Editors start this command. Sessions are those of the running Jumpseat; without one they run in here.'),
        t('jumpseat env --for acp-zed   for the lines of your editor'),
      ],
      run: async (options) => (await import('./commands/acp.ts')).acp(surroundings, options),
    },
    {
      name: 'statusline',
      text: t('print the status line of Claude Code, which starts this command itself'),
      options: [
        ['--format <text>', t('what the line has; unless given: {format}', { format: usualFormat })],
        ['--with <command>', t('your own status line command, whose output comes first')],
      ],
      help: [
        `echo '{"model":{"display_name":"Opus"}}' | jumpseat statusline --format '{model} · {left}'`,
        t('A part of the format between “ · ” or “ | ” is left out where one of its fields isn’t known.'),
        t('jumpseat setup claude-code --statusline   for Claude Code’s settings'),
        statusLineFields,
      ],
      run: async (options) => {
        const { lineFor, readStandardInput } = await import('./commands/statusline.ts');
        surroundings.terminal.out(await lineFor(readStandardInput(), options, surroundings.env));
        return 0;
      },
    },
    {
      name: 'demo',
      text: t('the whole product against a simulated GitHub and Copilot: no account, no network'),
      options: [
        ['--port <number>', t('another port than 4180; 0 takes a free one')],
        ['--plan <name>', t('whose plan: pro-plus, student, free, business or enterprise'), 'pro-plus'],
        ['--json', t('as with serve')],
      ],
      help: [
        'jumpseat demo',
        t('Saves nothing: settings and log are in a folder that is removed at the end.'),
        t('the lines it prints, in a second terminal'),
      ],
      run: async (options) => (await import('./commands/demo.ts')).demo(surroundings, options),
    },
    {
      name: 'accounts',
      text: t('your accounts: the one in use, and the client labels bound to each'),
      options: [['--json', t('the same as JSON')]],
      help: [
        'jumpseat accounts bind Work work',
        t(
          'You choose the account in use. Clients with a bound label use its account. Jumpseat never switches at a limit.',
        ),
        t('jumpseat env --client work   for the lines of such a client'),
      ],
      run: async (options) => (await import('./commands/accounts.ts')).accounts(surroundings, options),
      below: [
        // Run by shells that complete a name.
        {
          name: 'names',
          text: '',
          isHidden: true,
          run: async () => (await import('./commands/accounts.ts')).printNames(surroundings),
        },
        {
          name: 'use <name>',
          text: t('use this account from now on'),
          run: async (name) => (await import('./commands/accounts.ts')).switchAccount(surroundings, name),
        },
        {
          name: 'bind <name> <label>',
          text: t('clients with this label use this account, whichever is in use'),
          run: async (name, label) => (await import('./commands/accounts.ts')).bindAccount(surroundings, name, label),
        },
        {
          name: 'unbind <label>',
          text: t('clients with this label use the account in use'),
          run: async (label) => (await import('./commands/accounts.ts')).unbindAccount(surroundings, label),
        },
        {
          name: 'rename <name> <new>',
          text: t('give it another name'),
          run: async (name, wished) =>
            (await import('./commands/accounts.ts')).renameAccount(surroundings, name, wished),
        },
        {
          name: 'remove <name>',
          text: t('sign out of an account that is not in use, and forget its name and labels'),
          run: async (name) => (await import('./commands/accounts.ts')).removeAccount(surroundings, name),
        },
      ],
    },
    {
      name: 'keys',
      text: t('further local keys: for which clients each is, when it expires, and when it was used'),
      options: [['--json', t('the same as JSON')]],
      help: [
        'jumpseat keys create ci --client codex --days 30',
        t('The key is shown once. It opens what the local key opens, and can be revoked alone.'),
        'jumpseat keys revoke ci',
      ],
      run: async (options) => (await import('./commands/keys.ts')).keys(surroundings, options),
      below: [
        {
          name: 'create <name>',
          text: t('create a key and print it, once'),
          options: [
            ['--client <labels...>', t('the client labels that it is for (default: all)')],
            ['--days <count>', t('refuse it after so many days (default: never)')],
          ],
          run: async (name, options) => (await import('./commands/keys.ts')).createKey(surroundings, name, options),
        },
        {
          name: 'revoke <name>',
          text: t('refuse it from now on, and end the answers that run with it'),
          run: async (name) => (await import('./commands/keys.ts')).revokeKey(surroundings, name),
        },
      ],
    },
    {
      name: 'rules',
      text: t('your rules: which requests use which model, effort and account'),
      options: [['--json', t('the same as JSON')]],
      help: [
        'jumpseat rules',
        t('In the order in which they are tried. Settings → Rules adds and changes them.'),
        t('jumpseat rules try opus --class subagent   what they would do'),
      ],
      run: async (options) => (await import('./commands/models.ts')).rules(surroundings, options),
      below: [
        {
          name: 'try',
          text: t('what would happen to a request; nothing is sent. Exit code 1 where it would be refused'),
          takes: [['<model>', t('the model that the request asks for')]],
          options: [
            ['--client <label>', t('the client; claude-code unless given')],
            ['--key <name>', t('the further local key that it comes with')],
            ['--folder <path>', t('the whole path of its session’s folder')],
            ['--class <name>', t('main, subagent, compaction or auxiliary; main unless given')],
            ['--json', t('the same as JSON')],
          ],
          help: [
            'jumpseat rules try opus --class subagent',
            t('Says which rule is for it, what it would run on, and what your limits say.'),
            t('jumpseat models --why opus   what the name means for every request'),
          ],
          run: async (model, _, command) =>
            (await import('./commands/models.ts')).tryRules(surroundings, model, command.optsWithGlobals()),
        },
      ],
    },
  ];
}

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

/** The commands below “End:” in the help. */
export function endCommands(surroundings: Surroundings): CommandRow[] {
  return [
    {
      name: 'logout',
      text: t('forget the GitHub token everywhere on this machine'),
      options: [
        ['--account <name>', t('the account (default: the one in use). The others stay signed in')],
        ['--yes', t('sign out without a question where another folder of Jumpseat shares the sign-in')],
      ],
      help: [
        'jumpseat logout',
        t('Claude Code stops working through Jumpseat. Your history stays.'),
        t('jumpseat uninstall   if you are done with it'),
      ],
      run: async (options) => (await import('./commands/logout.ts')).logout(surroundings, options),
    },
    {
      name: 'uninstall',
      text: t('undo what Jumpseat changed on this machine, before you remove the program'),
      options: [
        ['--purge', t('also delete what Jumpseat stored: sign-ins, keys, settings, history')],
        ['--yes', t('without questions')],
        ['--json', t('what was done, as JSON; without questions, and deletes only with --purge --yes')],
      ],
      help: [
        'jumpseat uninstall',
        t(
          'Quit Jumpseat first. Undoes every setup of Claude Code and other programs, and “Open at login”. Lists what is stored before ' +
            'anything is deleted.',
        ),
        t('the line it prints: it removes the program'),
      ],
      run: async (options) => (await import('./commands/uninstall.ts')).uninstall(surroundings, options),
    },
  ];
}
