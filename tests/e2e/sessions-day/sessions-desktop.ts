import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installedFolder } from '../../../app/packages/package.ts';
import { agentSdk } from '../../../app/sessions/agents/claude/claude-packages.ts';
import { claudeBinary } from '../../clients/claude.ts';
import type { Desktop } from '../desktop.ts';
import type { TrayProgram } from '../tray-program.ts';

/** Claude Code is on the desktop's PATH, and its Agent SDK is there as after the person let Jumpseat fetch it. */
export function putClaudeOn(desktop: Desktop): void {
  symlinkSync(claudeBinary, join(desktop.folder, 'bin', 'claude'));
  const place = installedFolder(join(desktop.home, 'jumpseat', 'cache', 'packages'), agentSdk);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(dirname(process.env.JUMPSEAT_TEST_AGENT_SDK ?? ''), place);
}

/** From now on this folder is chosen in the system's own dialog. */
export async function chooseInDialog(program: TrayProgram, folder: string): Promise<void> {
  await program.electron.evaluate(({ dialog }, path) => {
    Reflect.set(dialog, 'showOpenDialog', async () => ({ canceled: false, filePaths: [path] }));
  }, folder);
}

/** From now on what the window saves goes into this file. */
export async function saveInto(program: TrayProgram, file: string): Promise<void> {
  await program.electron.evaluate(({ session }, path) => {
    session.defaultSession.on('will-download', (_event, item) => item.setSavePath(path));
  }, file);
}
