import type { App } from '../api/app.ts';
import type { LinesFor } from '../api/setup.ts';
import { defaultPort } from '../app-options.ts';
import { environmentNotes } from '../claude-code/env.ts';
import { renderEnvironment, type Shell, shellOf } from '../claude-code/render-env.ts';
import type { Environment } from '../environment.ts';
import { runningProxy } from './running.ts';
import type { Opened } from './surroundings.ts';

/** The lines with the address of the proxy that runs, or of the one that would. */
export async function linesFor(
  opened: Opened,
  label: string,
): Promise<{ variables: Record<string, string>; notes: string[] }> {
  const { app, ports, settings, variables } = opened;
  const own = app.state().proxy;
  const running = own.kind === 'on' ? own : await runningProxy(ports.paths.lock);
  const port = variables.port || settings.current().port || defaultPort;
  const lines = {
    ...(await app.envVariables(label)),
    ANTHROPIC_BASE_URL: running?.baseUrl ?? `http://127.0.0.1:${port}`,
  };
  return { variables: lines, notes: environmentNotes(lines, await promptLimits(app)) };
}

async function promptLimits(app: App): Promise<Record<string, number | null>> {
  try {
    const { models } = await app.models();
    return Object.fromEntries(models.map(({ id, limits }) => [id, limits.prompt]));
  } catch {
    return {};
  }
}

export function renderLines(lines: { variables: Record<string, string>; notes: string[] }, shell: Shell): string {
  const entries = Object.entries(lines.variables).map(([name, value]) => ({ name, value }));
  return renderEnvironment(entries, shell, lines.notes).trimEnd();
}

/** The one line that points a client at the proxy, in the person's own shell. */
export function oneLine(env: Environment, what: LinesFor = 'claude-code'): string {
  // Without `-s` npm writes its own lines where the shell would read them.
  const bare = env.npm_lifecycle_event ? 'npm run -s jumpseat -- env' : 'jumpseat env';
  const command = what === 'claude-code' ? bare : `${bare} --for ${what}`;
  switch (shellOf(env, process.platform)) {
    case 'fish':
      return `${command} --shell fish | source`;
    case 'powershell':
      return `${command} --shell powershell | Out-String | Invoke-Expression`;
    case 'cmd':
      return `for /f "delims=" %i in ('${command} --shell cmd') do %i`;
    default:
      return `eval "$(${command})"`;
  }
}
