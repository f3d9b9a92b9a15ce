import { ensureBuild } from './lib/build.mjs';
import { officialElectron } from './lib/electron.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { main, say } from './lib/progress.mjs';
import { inProject, root } from './lib/project.mjs';
import { foreground } from './lib/run.mjs';

/** `npm start`: the tray app; without a display or an Electron runtime the proxy and the dashboard. */
await main(async (args) => {
  const node = await ensureNode24();
  await ensureBuild();
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  const electron = hasDisplay ? await officialElectron() : null;
  if (electron) return foreground(electron, [root, ...args]);
  say(
    hasDisplay
      ? 'Electron cannot be downloaded here: starting without the tray.'
      : 'There is no display: starting without the tray.',
  );
  return foreground(node, [inProject('dist', 'cli', 'jumpseat.js'), 'serve', '--open', ...args]);
});
