import type { Command } from 'commander';
import { example } from './example.ts';
import type { Surroundings } from './surroundings.ts';

/** What starts something, or tells a client of it. */
export function startCommands(program: Command, surroundings: Surroundings, ended: (exitCode: number) => void): void {
  program
    .command('login')
    .description('sign in to GitHub')
    .option('--insecure-storage', 'keep the token in a file that only your user can read, where there is no keychain')
    .option('--account <name>', 'one of several accounts; a new name makes another one, and the others stay signed in')
    .option(
      '--way <name>',
      'as whom requests go to Copilot from now on: vscode or copilot-sdk; unless given, as before',
    )
    .option('--token-stdin', 'with copilot-sdk: read a fine-grained token from standard input')
    .option('--copilot-login', 'with copilot-sdk: use the sign-in of the Copilot CLI')
    .option('--fetch-runtime', 'with copilot-sdk: fetch GitHub’s runtime without asking, where it isn’t here')
    .addHelpText(
      'after',
      example(
        'jumpseat login',
        'Prints a code and an address, waits until you have entered it, and stores the token in the keychain. ' +
          '--way copilot-sdk alone signs in with your own OAuth app (githubClientId in settings.json).',
        'jumpseat serve',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/login.ts')).login(surroundings, options)));
  program
    .command('serve')
    .description('run the proxy and the dashboard, on this machine only')
    .option('--port <number>', 'another port than 4180; 0 takes a free one')
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
      'claude-code unless given; openai, codex, codex-config (config.toml), vscode, ' +
        'mcp (Claude Code), mcp-codex, mcp-zed; as an agent in editors: acp-zed, acp-jetbrains or acp (a command)',
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
    .command('setup')
    .argument('<client>', 'claude-code')
    .description('put the lines into Claude Code’s settings.json for good, or take them out again')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--private', 'make settings.json readable for you alone (mode 0600): the local key will stand in it')
    .option('--skip-webfetch-preflight', 'let WebFetch load pages without asking Anthropic about their domains first')
    .option('--undo', 'take out exactly what is ours; what you changed since stays')
    .addHelpText(
      'after',
      example(
        'jumpseat setup claude-code --dry-run',
        'Changes our own keys and nothing else, and keeps a backup.',
        'claude   in any new terminal',
      ),
    )
    .action(async (client, options) =>
      ended(await (await import('./commands/setup.ts')).setup(surroundings, client, options)),
    );
  program
    .command('mcp')
    .description('be an MCP server over stdio, with web search and pages, through the running Jumpseat')
    .option('--client <label>', 'the name in the request log; mcp unless given')
    .addHelpText(
      'after',
      example(
        'jumpseat mcp',
        'For a client of MCP that starts its servers itself. It holds no key: this command reads it from the keychain.',
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
        'An editor starts this by itself. Sessions are those of the running Jumpseat; without one they run in here.',
        'jumpseat env --for acp-zed   for the lines of your editor',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/acp.ts')).acp(surroundings, options)));
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
        'Keeps nothing: settings and log are in a folder that is removed at the end.',
        'the lines it prints, in a second terminal',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/demo.ts')).demo(surroundings, options)));
}
