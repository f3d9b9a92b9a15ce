import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** code-server's build lets every extension use every proposed API: its check says yes to all. */
const openCheck = /function ([\w$]+)\(([\w$]+),([\w$]+)\)\{return!0\}/g;

/**
 * A copy of the editor with VS Code's own rule for proposed APIs in the place of code-server's: an extension may use
 * those that its manifest names. Gives the file that starts its server.
 */
export function stockEditor(from: string, to: string): string {
  mkdirSync(to);
  for (const name of readdirSync(from)) if (name !== 'out') symlinkSync(join(from, name), join(to, name));
  cpSync(join(from, 'out'), join(to, 'out'), { recursive: true });
  const file = join(to, 'out', 'vs', 'workbench', 'api', 'node', 'extensionHostProcess.js');
  const program = readFileSync(file, 'utf8');
  const found = [...program.matchAll(openCheck)];
  if (found.length !== 1) throw new Error(`The check for proposed APIs has another shape: ${found.length} found.`);
  const stock = (_: string, name: string, extension: string, proposal: string): string =>
    `function ${name}(${extension},${proposal}){return!!${extension}.enabledApiProposals?.includes(${proposal})}`;
  writeFileSync(file, program.replace(openCheck, stock));
  return join(to, 'out', 'server-main.js');
}
