import { existsSync } from 'node:fs';
import { ensureNode24 } from './lib/node24.mjs';
import { main } from './lib/progress.mjs';
import { binOf, inProject } from './lib/project.mjs';
import { quiet } from './lib/run.mjs';

const rooms = ['app', 'main', 'preload', 'renderer', 'vscode'];

/** `npm run check`: types, lint, format, architecture, the map of the rooms, lines and documents, side by side. */
await main(async () => {
  const node = await ensureNode24();
  const checks = [
    {
      title: 'Types (tsc)',
      args: [
        ...[binOf('typescript', 'tsc'), '-p', '.', '--noEmit', '--pretty', 'false'],
        // What has not changed since the last check is not read again.
        ...['--incremental', '--tsBuildInfoFile', inProject('node_modules', '.cache', 'types.tsbuildinfo')],
      ],
    },
    {
      title: 'Lint and format (biome)',
      args: [binOf('@biomejs/biome', 'biome'), 'ci', '--colors=off', '--diagnostic-level=warn', '--error-on-warnings'],
    },
    {
      title: 'Architecture (dependency-cruiser)',
      args: [
        binOf('dependency-cruiser', 'depcruise'),
        '--config',
        '.dependency-cruiser.mjs',
        ...rooms.filter((room) => existsSync(inProject(room))),
      ],
    },
    { title: 'Map of the rooms', args: [inProject('scripts', 'check-rooms.mjs')] },
    { title: 'Length of lines', args: [inProject('scripts', 'check-lines.mjs')] },
    { title: 'Styles', args: [inProject('scripts', 'check-styles.mjs')] },
    { title: 'Reference of settings', args: [inProject('scripts', 'settings-reference.mjs')] },
    { title: 'Reference of commands', args: [inProject('scripts', 'docs', 'commands-reference.mjs')] },
    { title: 'Reference of calls', args: [inProject('scripts', 'docs', 'calls-reference.mjs')] },
    { title: 'Values in the pages of clients', args: [inProject('scripts', 'docs', 'client-pages.mjs')] },
    { title: 'Messages in troubleshooting', args: [inProject('scripts', 'docs', 'troubleshooting.mjs')] },
    { title: 'Plain words', args: [inProject('scripts', 'check-words.mjs')] },
    { title: 'Messages and their catalogs', args: [inProject('scripts', 'words', 'messages.mjs')] },
    { title: 'What documents name', args: [inProject('scripts', 'check-documents.mjs')] },
  ];
  const env = { ...process.env, NO_COLOR: '1' };
  const results = await Promise.all(
    checks.map(async ({ title, args }) => {
      const { code, output } = await quiet(node, args, { env });
      console.log(`\n== ${title}: ${code === 0 ? 'passed' : 'FAILED'}`);
      if (output.trim()) console.log(output.trim());
      return { title, code };
    }),
  );
  const failed = results.filter(({ code }) => code !== 0);
  console.log(
    `\n${failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.map(({ title }) => title).join(', ')}.`}`,
  );
  return failed.length === 0 ? 0 : 1;
});
