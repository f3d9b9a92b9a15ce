import type { LinesFor } from '../api/setup.ts';
import { renderEnvironment, type Shell, shellOf } from '../claude-code/env-snippet.ts';
import type { Environment } from '../environment.ts';

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
