import { ensureBuild } from './lib/build.mjs';
import { officialElectron } from './lib/electron.mjs';
import { ensureNode24, nodeFlags } from './lib/node24.mjs';
import { main, say } from './lib/progress.mjs';
import { inProject, root } from './lib/project.mjs';
import { inOurPlace } from './lib/run.mjs';

/** `npm start`: the tray app; where that cannot be, the proxy and the dashboard. */
await main(async (args) => {
  const node = await ensureNode24();
  await ensureBuild();
  const reason = whyNoTray();
  const electron = reason === null ? await officialElectron() : null;
  if (electron) return inOurPlace(electron, [root, ...args]);
  say(`${reason ?? 'Electron cannot be downloaded here'}: starting without the tray.`);
  return inOurPlace(node, [...nodeFlags, inProject('dist', 'cli', 'jumpseat.js'), 'serve', '--open', ...args]);
});

function whyNoTray() {
  if (process.platform !== 'linux') return null;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'There is no display';
  return process.getuid() === 0 ? 'Electron does not run as root without giving up its sandbox' : null;
}
