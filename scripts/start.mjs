import { ensureBuild } from './lib/build.mjs';
import { officialElectron } from './lib/electron.mjs';
import { ensureNode24, nodeFlags } from './lib/node24.mjs';
import { main, Stop, say } from './lib/progress.mjs';
import { inProject, root } from './lib/project.mjs';
import { inOurPlace, quiet } from './lib/run.mjs';

/** `npm start`: the tray app; where that cannot be, the proxy and the dashboard. */
await main(async (args) => {
  const node = await ensureNode24();
  const reason = whyNoTray();
  const electron = reason === null ? await officialElectron() : null;
  // The tray app starts with a port that is taken, too, and offers another one.
  if (!electron) await refuseTakenPort(node, args);
  await ensureBuild();
  if (electron) return inOurPlace(electron, [root, ...args]);
  say(`${reason ?? 'Electron cannot be downloaded here'}: starting without the tray.`);
  return inOurPlace(node, [...nodeFlags, inProject('dist', 'cli', 'jumpseat.js'), 'serve', '--open', ...args]);
});

/** Before the build, which takes minutes on a small machine. */
async function refuseTakenPort(node, args) {
  const { stdout } = await quiet(node, [...nodeFlags, inProject('scripts', 'lib', 'taken-port.mjs'), ...args]);
  if (stdout.trim() !== '') throw new Stop(stdout.trim());
}

function whyNoTray() {
  if (process.platform !== 'linux') return null;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'There is no display';
  return process.getuid() === 0 ? 'Electron does not run as root without giving up its sandbox' : null;
}
