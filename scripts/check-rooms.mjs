import { readdirSync, readFileSync } from 'node:fs';
import { inProject } from './lib/project.mjs';
import { disagreements, roomsOnMap } from './lib/rooms.mjs';

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
