import { ensureBuild } from './lib/build.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { main, say } from './lib/progress.mjs';
import { inProject } from './lib/project.mjs';
import { foreground } from './lib/run.mjs';
import { desktopPackages, eastAsianFonts, ensureSystemPackages, pictureFonts } from './lib/system-packages.mjs';

/** `npm run screens [-- --only WORD] [-- --to FOLDER]`: takes the pictures of every view in tests/e2e/screens. */
await main(async (args) => {
  const node = await ensureNode24();
  await ensureBuild();
  const fonts = args.includes('--language') ? [...pictureFonts, ...eastAsianFonts] : pictureFonts;
  const remedy = await ensureSystemPackages([...desktopPackages, ...fonts]);
  if (remedy) say(`Other fonts than in the pictures that are there: ${remedy}`);
  return foreground(node, [inProject('tests', 'e2e', 'screens', 'take.ts'), ...args], { env: process.env });
});
