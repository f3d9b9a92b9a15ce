import type { Command } from 'commander';
import { t } from '../language/translate.ts';
import { statusLineFields, usualFormat } from './line-format.ts';
import type { Surroundings } from './surroundings.ts';
import { example } from './table.ts';

/* Commands that start and end something, with their options and help. Each is loaded when it is asked for. */

/** Commands that start something, or show clients the way to it. */
export function startCommands(program: Command, surroundings: Surroundings, ended: (exitCode: number) => void): void {
  program
    .command('login')
    .description(t('sign in to GitHub'))
    .option(
      '--insecure-storage',
      t('keep the token in a file that only your user can read, where there is no keychain'),
    )
    .option('--account <name>', t('the account to sign in; a new name adds an account, and the others stay signed in'))
    .option('--way <name>', t('the sign-in for requests from now on: vscode or copilot-sdk (default: unchanged)'))
    .option('--token-stdin', t('with copilot-sdk: read a fine-grained token from standard input'))
    .option('--copilot-login', t('with copilot-sdk: use the sign-in of the Copilot CLI'))
    .option('--fetch-runtime', t('with copilot-sdk: fetch GitHub’s runtime without asking, where it isn’t here'))
    .addHelpText(
      'after',
      example(
        'jumpseat login',
        t(
          'Prints a code and an address, and opens it in the browser. Waits until you have entered the code, and stores ' +
            'the token in the keychain. ' +
            'With --way alone, Jumpseat uses the sign-in that is stored for that way. ' +
            'Without a stored sign-in, copilot-sdk signs in with your own OAuth app (githubClientId in settings.json).',
        ),
        'jumpseat serve',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/login.ts')).login(surroundings, options)));
  program
    .command('serve')
    .description(t('run the proxy and the dashboard, on this machine only'))
    .option('--port <number>', t('another port than 4180; 0 takes a free one'))
    .option('--socket', t('from now on also on a Unix socket that only your user can open, for containers and SSH'))
    .option('--address <ip>', t('from now on also on this address of this machine, after a question; "none" ends it'))
    .option('--agree', t('with --address: others may reach it; no question'))
    .option('--open', t('open the dashboard in the browser'))
    .option('--json', t('one JSON object a line: first "listening", then every finished request'))
    .addHelpText(
      'after',
      example(
        'jumpseat serve --port 0',
        t(
          'Prints one line for every finished request. Ctrl-C lets running answers finish for 10 s; a second ' +
            'one ends them.',
        ),
        t('eval "$(jumpseat env)"   in a second terminal, then run claude'),
      ),
    )
    .action(async (options) => ended(await (await import('./commands/serve.ts')).serve(surroundings, options)));
  program
    .command('dashboard')
    .description(t('print a new link to the dashboard of the Jumpseat that runs, which goes on'))
    .addHelpText(
      'after',
      example(
        'jumpseat dashboard',
        t('A link works once, within a day, in one browser.'),
        t('open the address in a browser on this machine'),
      ),
    )
    .action(async () => ended(await (await import('./open-dashboard.ts')).dashboard(surroundings)));
  program
    .command('env')
    .description(t('print the lines for Claude Code, or for a client of OpenAI’s APIs or of MCP'))
    .option(
      '--for <what>',
      t(
        'claude-code (default), openai, codex, codex-config (config.toml), vscode, zed (models), ' +
          'zed-key, form (address and key), mcp (Claude Code), mcp-codex, mcp-zed. Agents in editors: acp-zed, acp-jetbrains, acp (a command). ' +
          'Other places: docker, devcontainer, wsl, ssh',
      ),
    )
    .option('--shell <name>', t('bash, zsh, fish, powershell, cmd or json (for settings.json); your own unless given'))
    .option('--client <label>', t('the name in the request log; that of the client unless given'))
    .addHelpText(
      'after',
      example(
        'eval "$(jumpseat env)"',
        t('The lines hold the local key of this machine; they go no further than this terminal.'),
        'claude',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/env.ts')).env(surroundings, options)));
  program
    .command('forward')
    .argument(
      '[target]',
      t('path of the socket, or HOST:PORT (default: JUMPSEAT_SOCKET or /run/jumpseat/jumpseat.sock)'),
    )
    .description(t('in a container or on another machine: lead 127.0.0.1 there to the Jumpseat that runs elsewhere'))
    .option('--port <number>', t('another port than 4180'))
    .addHelpText(
      'after',
      example(
        'jumpseat forward /run/jumpseat/jumpseat.sock',
        t('Needs neither a sign-in nor settings. Requests get error 503 while Jumpseat can’t be reached.'),
        t('jumpseat doctor --inside   to check the way from there'),
      ),
    )
    .action(async (target, options) =>
      ended(await (await import('./commands/forward.ts')).forwardFrom(surroundings, target, options)),
    );
  program
    .command('setup')
    .argument('[client]', t('claude-code or another program; without one, all of them are listed'), 'list')
    .description(t('put Jumpseat into the settings of Claude Code or another program, or take it out (--undo)'))
    .option('--as <use>', t('models, agent or mcp, for programs that take more than one of them'))
    .option('--dry-run', t('show what would change, and change nothing'))
    .option(
      '--private',
      t('Claude Code: make settings.json readable only for you (mode 0600), since it will hold the local key'),
    )
    .option('--statusline', t('Claude Code: also show credits and quota in its status line, beside the one you have'))
    .option(
      '--skip-webfetch-preflight',
      t('Claude Code: let WebFetch load pages without asking Anthropic about them first'),
    )
    .option('--keep-days [days]', t('Claude Code: how long it keeps conversations, instead of its 30 days'))
    .option(
      '--undo',
      t(
        'take out exactly what is ours; what you changed since stays. With --as, that use alone; with --keep-days, ' +
          '--statusline or --skip-webfetch-preflight, that key alone',
      ),
    )
    .addHelpText(
      'after',
      example(
        'jumpseat setup claude-code --dry-run',
        t('Changes only Jumpseat’s own entries, and makes a backup. Without a terminal it doesn’t ask.'),
        t('claude   in any terminal'),
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
    .description(t('be an MCP server over stdio, with web search and pages, through the running Jumpseat'))
    .option('--client <label>', t('the name in the request log; mcp unless given'))
    .addHelpText(
      'after',
      example(
        'jumpseat mcp',
        t('For a client of MCP that starts its servers itself. It holds no key: the running Jumpseat gives it.'),
        t('jumpseat env --for mcp   for clients that take an address'),
      ),
    )
    .action(async (options) => ended(await (await import('./commands/mcp.ts')).mcp(surroundings, options)));
  program
    .command('acp')
    .description(t('be an agent for editors that speak ACP, over stdio: Zed, JetBrains, Neovim, Emacs'))
    .option('--agent <name>', t('who leads the sessions: claude or codex'), 'claude')
    .addHelpText(
      'after',
      example(
        'jumpseat acp',
        t('Editors start this command. Sessions are those of the running Jumpseat; without one they run in here.'),
        t('jumpseat env --for acp-zed   for the lines of your editor'),
      ),
    )
    .action(async (options) => ended(await (await import('./commands/acp.ts')).acp(surroundings, options)));
  program
    .command('statusline')
    .description(t('print the status line of Claude Code, which starts this command itself'))
    .option('--format <text>', t('what the line has; unless given: {format}', { format: usualFormat }))
    .option('--with <command>', t('your own status line command, whose output comes first'))
    .addHelpText(
      'after',
      example(
        `echo '{"model":{"display_name":"Opus"}}' | jumpseat statusline --format '{model} · {left}'`,
        t('A part of the format between “ · ” or “ | ” is left out where one of its fields isn’t known.'),
        t('jumpseat setup claude-code --statusline   for Claude Code’s settings'),
        statusLineFields,
      ),
    )
    .action(async (options) => {
      const { lineFor, readStandardInput } = await import('./commands/statusline.ts');
      surroundings.terminal.out(await lineFor(readStandardInput(), options, surroundings.env));
    });
  program
    .command('demo')
    .description(t('the whole product against a simulated GitHub and Copilot: no account, no network'))
    .option('--port <number>', t('another port than 4180; 0 takes a free one'))
    .option('--plan <name>', t('whose plan: pro-plus, student, free, business or enterprise'), 'pro-plus')
    .option('--json', t('as with serve'))
    .addHelpText(
      'after',
      example(
        'jumpseat demo',
        t('Saves nothing: settings and log are in a folder that is removed at the end.'),
        t('the lines it prints, in a second terminal'),
      ),
    )
    .action(async (options) => ended(await (await import('./commands/demo.ts')).demo(surroundings, options)));
}

export function endCommands(program: Command, surroundings: Surroundings, ended: (exitCode: number) => void): void {
  program
    .command('logout')
    .description(t('forget the GitHub token everywhere on this machine'))
    .option('--account <name>', t('the account (default: the one in use). The others stay signed in'))
    .option('--yes', t('sign out without a question where another folder of Jumpseat shares the sign-in'))
    .addHelpText(
      'after',
      example(
        'jumpseat logout',
        t('Claude Code stops working through Jumpseat. Your history stays.'),
        t('jumpseat uninstall   if you are done with it'),
      ),
    )
    .action(async (options) => ended(await (await import('./commands/logout.ts')).logout(surroundings, options)));
  program
    .command('uninstall')
    .description(t('undo what Jumpseat changed on this machine, before you remove the program'))
    .option('--purge', t('also delete what Jumpseat stored: sign-ins, keys, settings, history'))
    .option('--yes', t('without questions'))
    .option('--json', t('what was done, as JSON; without questions, and deletes only with --purge --yes'))
    .addHelpText(
      'after',
      example(
        'jumpseat uninstall',
        t(
          'Quit Jumpseat first. Undoes every setup of Claude Code and other programs, and “Open at login”. Lists what is stored before ' +
            'anything is deleted.',
        ),
        t('the line it prints: it removes the program'),
      ),
    )
    .action(async (options) => ended(await (await import('./commands/uninstall.ts')).uninstall(surroundings, options)));
}
