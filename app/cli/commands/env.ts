import { isClientLabel } from '../../claude-code/env.ts';
import { type Shell, shellOf, shells } from '../../claude-code/render-env.ts';
import { CommandFailure, wrongUsage } from '../failure.ts';
import { linesFor, oneLine, renderLines } from '../lines-for-claude-code.ts';
import { runningProxy } from '../running.ts';
import { type Surroundings, withApp } from '../surroundings.ts';

export interface EnvOptions {
  shell?: string;
  client?: string;
}

/** `jumpseat env`: nothing but the lines on stdout, so that a shell can read them. */
export async function env(surroundings: Surroundings, options: EnvOptions): Promise<number> {
  const { terminal } = surroundings;
  const shell = options.shell === undefined ? shellOf(surroundings.env, process.platform) : readShell(options.shell);
  const label = options.client ?? 'claude-code';
  if (!isClientLabel(label)) {
    throw wrongUsage(
      '--client must be up to 64 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.',
    );
  }
  return withApp(surroundings, {}, async (opened) => {
    const { ports, variables } = opened;
    const running = await runningProxy(ports.paths.lock);
    if (ports.secrets.storage === 'memory' && variables.key === null && running !== null) {
      throw new CommandFailure(
        `The local key is in the memory of the running Jumpseat (pid ${running.pid}) alone.`,
        'Use the lines that it printed at its start, or set JUMPSEAT_KEY for both.',
      );
    }
    const lines = await linesFor(opened, label);
    const problem = opened.app.state().secrets.problem;
    if (problem !== null && variables.key === null) throw new CommandFailure(problem.text, problem.mend);
    terminal.out(renderLines(lines, shell));
    if (shell === 'json') for (const note of lines.notes) terminal.err(note);
    if (running === null) terminal.err('The proxy is off. Start it with "jumpseat serve".');
    if (terminal.isTty && shell !== 'json') terminal.err(`In one step: ${oneLine(surroundings.env)}`);
    return 0;
  });
}

function readShell(text: string): Shell {
  const found = shells.find((shell) => shell === text);
  if (found) return found;
  throw wrongUsage(`--shell must be one of ${shells.join(', ')}, not "${text}".`);
}
