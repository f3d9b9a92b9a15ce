import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * Serves a folder of static files on 127.0.0.1, to this machine's own names alone.
 * @param {string} folder @param {number} port 0: a free one
 * @returns {Promise<string>} its address
 */
export function serve(folder, port) {
  const server = createServer((request, response) => {
    const { port: own } = server.address();
    const isOurs = [`127.0.0.1:${own}`, `localhost:${own}`].includes(request.headers.host ?? '');
    const file = isOurs ? fileOf(folder, request.url ?? '/') : null;
    if (file === null) return response.writeHead(isOurs ? 404 : 421).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}/`));
  });
}

/** Null if there is no such file in the folder. */
function fileOf(folder, url) {
  try {
    const path = normalize(join(folder, decodeURIComponent(new URL(url, 'http://localhost').pathname)));
    if (path !== folder && !path.startsWith(`${folder}${sep}`)) return null;
    const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, 'index.html') : path;
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : null;
  } catch {
    return null;
  }
}
