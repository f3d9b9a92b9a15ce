/**
 * The map of the rooms: the block in docs/architecture.md whose lines begin with a folder. Two spaces deeper is a
 * folder inside.
 */

/** The folders of the map, as paths from the project's root. @param {string} text docs/architecture.md */
export function roomsOnMap(text) {
  const block = /^## The rooms$[\s\S]*?^```\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? '';
  const rooms = [];
  let parents = [];
  for (const line of block.split('\n')) {
    const found = /^( *)([\w.-]+)\//.exec(line);
    if (!found) continue;
    const depth = found[1].length / 2;
    parents = [...parents.slice(0, depth), found[2]];
    rooms.push(parents.join('/'));
  }
  return rooms;
}

/** What the map and the folders do not agree on, a sentence each. @param {string[]} onMap @param {string[]} inTree */
export function disagreements(onMap, inTree) {
  return [
    ...inTree.filter((room) => !onMap.includes(room)).map((room) => `${room}/ is not on the map.`),
    ...onMap.filter((room) => !inTree.includes(room)).map((room) => `${room}/ is on the map and no folder.`),
  ];
}

const mostInRoom = 26;

/** Rooms with more sources than can be read at a glance. @param {string[]} files as paths from the project's root */
export function crowded(files) {
  const counts = new Map();
  for (const file of files) {
    if (!/^(?:app|main|preload|renderer|vscode|scripts)\/.*\.(?:ts|tsx|mjs)$/.test(file)) continue;
    const room = file.slice(0, file.lastIndexOf('/'));
    counts.set(room, (counts.get(room) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > mostInRoom)
    .map(([room, count]) => `${room}/ has ${count} sources; more than ${mostInRoom} are two subjects.`);
}
