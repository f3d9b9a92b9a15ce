import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { inProject, root } from './lib/project.mjs';
import { crowded, disagreements, roomsOnMap } from './lib/rooms.mjs';

/** Part of `npm run check`: whether docs/architecture.md shows the rooms that there are. */
const onMap = roomsOnMap(readFileSync(inProject('docs', 'architecture.md'), 'utf8'));
const notRooms = new Set(['node_modules', 'dist', 'release', 'bench']);
const foldersOf = (place) =>
  readdirSync(inProject(place), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !notRooms.has(entry.name))
    .map(({ name }) => (place === '.' ? name : `${place}/${name}`));
// Rooms that the map shows the inside of are shown whole.
const opened = new Set(onMap.filter((room) => room.includes('/')).map((room) => room.slice(0, room.lastIndexOf('/'))));
const found = disagreements(onMap, ['.', ...opened].flatMap(foldersOf));
for (const sentence of found) console.log(sentence);
if (found.length > 0) {
  console.log('Mend the map in docs/architecture.md, "The rooms".');
  process.exitCode = 1;
}

const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
for (const sentence of crowded([...new Set(sources.split('\n'))].filter((file) => existsSync(inProject(file))))) {
  console.log(sentence);
  process.exitCode = 1;
}
