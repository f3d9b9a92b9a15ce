import type { Command } from 'commander';
import { statusLineFields, usualFormat } from './line-format.ts';
import type { Surroundings } from './surroundings.ts';
import { example } from './table.ts';

/* Every command with its options and its help. Each is loaded when it is asked for. */

/** Commands that start something, or show clients the way to it. */
export function startCommands(program: Command, surroundings: Surroundings, ended: (exitCode: number) => void): void {
  program
    .command('login')
    .description('sign in to GitHub')
    .option('--insecure-storage', 'keep the token in a file that only your user can read, where there is no keychain')
    .option('--account <name>', 'the account to sign in; a new name adds an account, and the others stay signed in')
    .option('--way <name>', 'the sign-in for requests from now on: vscode or copilot-sdk (default: unchanged)')
    .option('--token-stdin', 'with copilot-sdk: read a fine-grained token from standard input')
    .option('--copilot-login', 'with copilot-sdk: use the sign-in of the Copilot CLI')
    .option('--fetch-runtime', 'with copilot-sdk: fetch GitHub’s runtime without asking, where it isn’t here')
    .addHelpText(
      'after',
      example(
        'jumpseat login',
        'Prints a code and an address, and opens it in the browser. Waits until you have entered the code, and stores ' +
          'the token in the keychain. ' +
          'With --way copilot-sdk alone, you sign in with your own OAuth app (githubClientId in settings.json).',
        'jumpseat serve',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/login.ts')).login(surroundings, options)));
  program
    .command('serve')
    .description('run the proxy and the dashboard, on this machine only')
    .option('--port <number>', 'another port than 4180; 0 takes a free one')
    .option('--socket', 'from now on also on a Unix socket that only your user can open, for containers and SSH')
    .option('--address <ip>', 'from now on also on this address of this machine, after a question; "none" ends it')
    .option('--agree', 'with --address: others may reach it; no question')
    .option('--open', 'open the dashboard in the browser')
    .option('--json', 'one JSON object a line: first "listening", then every finished request')
    .addHelpText(
      'after',
      example(
        'jumpseat serve --port 0',
        'Prints one line for every finished request. Ctrl-C lets running answers finish for 10 s; a second ' +
          'one ends them.',
        'eval "$(jumpseat env)"   in a second terminal, then run claude',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/serve.ts')).serve(surroundings, options)));
  program
    .command('dashboard')
    .description('print a new link to the dashboard of the Jumpseat that runs, which goes on')
    .addHelpText(
      'after',
      example(
        'jumpseat dashboard',
        'A link works once, within a day, in one browser.',
        'open the address in a browser on this machine',
      ),
    )
    .action(async () => ended(await (await import('./open-dashboard.ts')).dashboard(surroundings)));
  program
    .command('env')
    .description('print the lines for Claude Code, or for a client of OpenAI’s APIs or of MCP')
    .option(
      '--for <what>',
      'claude-code (default), openai, codex, codex-config (config.toml), vscode, zed (models), ' +
        'zed-key, form (address and key), mcp (Claude Code), mcp-codex, mcp-zed. Agents in editors: acp-zed, acp-jetbrains, acp (a command). ' +
        'Other places: docker, devcontainer, wsl, ssh',
    )
    .option('--shell <name>', 'bash, zsh, fish, powershell, cmd or json (for settings.json); your own unless given')
    .option('--client <label>', 'the name in the request log; that of the client unless given')
    .addHelpText(
      'after',
      example(
        'eval "$(jumpseat env)"',
        'The lines hold the local key of this machine; they go no further than this terminal.',
        'claude',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/env.ts')).env(surroundings, options)));
  program
    .command('forward')
    .argument('[target]', 'path of the socket, or HOST:PORT (default: JUMPSEAT_SOCKET or /run/jumpseat/jumpseat.sock)')
    .description('in a container or on another machine: lead 127.0.0.1 there to the Jumpseat that runs elsewhere')
    .option('--port <number>', 'another port than 4180')
    .addHelpText(
      'after',
      example(
        'jumpseat forward /run/jumpseat/jumpseat.sock',
        'Needs neither a sign-in nor settings. Requests get error 503 while Jumpseat can’t be reached.',
        'jumpseat doctor --inside   to check the way from there',
      ),
    )
    .action(async (target, options) =>
      ended(await (await import('./commands/forward.ts')).forwardFrom(surroundings, target, options)),
    );
  program
    .command('setup')
    .argument('[client]', 'claude-code or another program; without one, all of them are listed', 'list')
    .description('put Jumpseat into the settings of Claude Code or another program, or take it out (--undo)')
    .option('--as <use>', 'models, agent or mcp, for programs that take more than one of them')
    .option('--dry-run', 'show what would change, and change nothing')
    .option(
      '--private',
      'Claude Code: make settings.json readable only for you (mode 0600), since it will hold the local key',
    )
    .option('--statusline', 'Claude Code: also show credits and quota in its status line, beside the one you have')
    .option(
      '--skip-webfetch-preflight',
      'Claude Code: let WebFetch load pages without asking Anthropic about them first',
    )
    .option('--keep-days [days]', 'Claude Code: how long it keeps conversations, instead of its 30 days')
    .option(
      '--undo',
      'take out exactly what is ours; what you changed since stays. With --as, that use alone; with --keep-days, ' +
        '--statusline or --skip-webfetch-preflight, that key alone',
    )
    .addHelpText(
      'after',
      example(
        'jumpseat setup claude-code --dry-run',
        'Changes only Jumpseat’s own entries, and makes a backup. Without a terminal it doesn’t ask.',
        'claude   in any terminal',
      ),
    )
    .action(async (client, options) =>
      ended(
        client === 'claude-code'
          ? await (await import('./commands/setup.ts')).setup(surroundings, options)
          : await (await import('./commands/setup-client.ts')).setupClient(surroundings, client, options),
      ),
    );
  program
    .command('mcp')
    .description('be an MCP server over stdio, with web search and pages, through the running Jumpseat')
    .option('--client <label>', 'the name in the request log; mcp unless given')
    .addHelpText(
      'after',
      example(
        'jumpseat mcp',
        'For a client of MCP that starts its servers itself. It holds no key: the running Jumpseat gives it.',
        'jumpseat env --for mcp   for clients that take an address',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/mcp.ts')).mcp(surroundings, options)));
  program
    .command('acp')
    .description('be an agent for editors that speak ACP, over stdio: Zed, JetBrains, Neovim, Emacs')
    .option('--agent <name>', 'who leads the sessions: claude or codex', 'claude')
    .addHelpText(
      'after',
      example(
        'jumpseat acp',
        'Editors start this command. Sessions are those of the running Jumpseat; without one they run in here.',
        'jumpseat env --for acp-zed   for the lines of your editor',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/acp.ts')).acp(surroundings, options)));
  program
    .command('statusline')
    .description('print the status line of Claude Code, which starts this command itself')
    .option('--format <text>', `what the line has; unless given: ${usualFormat}`)
    .option('--with <command>', 'your own status line command, whose output comes first')
    .addHelpText(
      'after',
      example(
        `echo '{"model":{"display_name":"Opus"}}' | jumpseat statusline --format '{model} · {left}'`,
        'A part of the format between “ · ” or “ | ” is left out where one of its fields isn’t known.',
        'jumpseat setup claude-code --statusline   for Claude Code’s settings',
        statusLineFields,
      ),
    )
    .action(async (options) => {
      const { lineFor, readStandardInput } = await import('./commands/statusline.ts');
      surroundings.terminal.out(await lineFor(readStandardInput(), options, surroundings.env));
    });
  program
    .command('demo')
    .description('the whole product against a simulated GitHub and Copilot: no account, no network')
    .option('--port <number>', 'another port than 4180; 0 takes a free one')
    .option('--plan <name>', 'whose plan: pro-plus, student, free, business or enterprise', 'pro-plus')
    .option('--json', 'as with serve')
    .addHelpText(
      'after',
      example(
        'jumpseat demo',
        'Saves nothing: settings and log are in a folder that is removed at the end.',
        'the lines it prints, in a second terminal',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/demo.ts')).demo(surroundings, options)));
}

export function endCommands(program: Command, surroundings: Surroundings, ended: (exitCode: number) => void): void {
  program
    .command('logout')
    .description('forget the GitHub token everywhere on this machine')
    .option('--account <name>', 'the account (default: the one in use). The others stay signed in')
    .option('--yes', 'sign out without a question where another folder of Jumpseat shares the sign-in')
    .addHelpText(
      'after',
      example(
        'jumpseat logout',
        'Claude Code stops working through Jumpseat. Your history stays.',
        'jumpseat uninstall   if you are done with it',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/logout.ts')).logout(surroundings, options)));
  program
    .command('uninstall')
    .description('undo what Jumpseat changed on this machine, before you remove the program')
    .option('--purge', 'also delete what Jumpseat stored: sign-ins, keys, settings, history')
    .option('--yes', 'without questions')
    .option('--json', 'what was done, as JSON; without questions, and deletes only with --purge --yes')
    .addHelpText(
      'after',
      example(
        'jumpseat uninstall',
        'Quit Jumpseat first. Undoes every setup of Claude Code and other programs, and “Open at login”. Lists what is stored before ' +
          'anything is deleted.',
        'the line it prints: it removes the program',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/uninstall.ts')).uninstall(surroundings, options)));
}

/** What says how things are. */
export function lookCommands(program: Command, surroundings: Surroundings, ended: (exitCode: number) => void): void {
  program
    .command('status')
    .description('whether requests work now, and Claude Code’s where it is set up; exit code 0 if so')
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
    .option('--why', 'below each request, why it is yours or the agent’s, and what your rules changed')
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
    .command('usage')
    .description('what requests cost, by day, model, client, account, purpose, session or folder')
    .option('--since <when>', 'days back, today included, or a date: 30d, 2026-11-20', '7d')
    .option('--by <what>', 'day, model, client, account, purpose, session or folder', 'day')
    .option('--json', 'the same as JSON')
    .option('--csv', 'the same for a spreadsheet')
    .addHelpText(
      'after',
      example(
        'jumpseat usage --since 30d --by model',
        'The sums of Usage in the window. Billed, free, unknown and No charge add up to all requests. ' +
          'User, agent and neither add up to those with a charge.',
        'jumpseat log   for single requests',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/usage.ts')).usage(surroundings, options)));
  program
    .command('budget')
    .description('what is used of the included quota and of the limits you set')
    .option('--check', 'exit with 1 where one is used up or can’t be used, or a prompt would be held, for scripts')
    .option('--allow-overage', 'let GitHub bill more than what is included until midnight')
    .option('--json', 'the same as JSON')
    .addHelpText(
      'after',
      example(
        'jumpseat budget --check && claude -p "…"',
        'Limits are in Settings → Limits, or below "limits" in settings.json.',
        'jumpseat usage   for what it was used on',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/budget.ts')).budget(surroundings, options)));
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
        'Read from Claude Code’s own transcripts; nothing is started. The newest session comes first.',
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
    .description('the models of this account, and the models for Claude Code’s names')
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
    .option('--engine <name>', 'use only this engine, not those in Settings → Web search')
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
    .description('check everything and say how to fix what is wrong')
    .option('--json', 'the same as JSON')
    .option('--inside', 'in a container, WSL or over SSH: only the way to the Jumpseat that runs elsewhere')
    .option('--forget-learned', 'first forget what Copilot’s refusals have taught, here and in a running Jumpseat')
    .addHelpText(
      'after',
      example('jumpseat doctor', 'Exit 1 where a check fails. Costs no credits.', 'the checks under "Needs attention"'),
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
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh, fish or powershell')
    .description('print what your shell reads to complete the commands of jumpseat')
    .addHelpText(
      'after',
      example(
        'eval "$(jumpseat completion bash)"',
        'Packages for Linux bring it along. Elsewhere, put the line into the file that your shell reads at its start.',
        'a new terminal, and the Tab key behind "jumpseat "',
      ),
    )
    .action(async (shell, _options, command) =>
      ended((await import('./completion.ts')).printCompletion(surroundings, command.parent, shell)),
    );
}
