import { createServer } from 'node:net';
import { pathsOf } from '../../app/adapters/paths.ts';
import { defaultPort } from '../../app/app-options.ts';
import { portIn, readEnvironment } from '../../app/environment.ts';
import { portTaken } from '../../app/server/local-proxy.ts';
import { isTaken } from '../../app/server/lock.ts';
import { portHolder } from '../../app/server/port-holder.ts';
import { readLock } from '../../app/server/who-answers.ts';
import { systemPolicy } from '../../app/settings/policy.ts';
import { SettingsStore } from '../../app/settings/settings.ts';
import { variablesUnderPolicy } from '../../app/variables-under-policy.ts';

/**
 * Prints who has the port that `jumpseat serve` would take, so that nobody waits for a build that can't be started.
 * Prints nothing where the port is free, where a Jumpseat of this folder runs, which the program finds itself, and
 * where something else is wrong, which the program says in its own words. Run by Node 24, with the program’s arguments.
 */
function wantedPort(args, env, paths) {
  const at = args.findIndex((arg) => arg === '--port' || arg.startsWith('--port='));
  if (at !== -1) return portIn(args[at].split('=')[1] ?? args[at + 1] ?? '');
  const { store } = SettingsStore.open(paths.settings, { write: () => {} }, async () => false, systemPolicy());
  const { port } = variablesUnderPolicy(readEnvironment(env), store.policy);
  return port ?? store.current().port ?? defaultPort;
}

const isInUse = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }) => resolve(code === 'EADDRINUSE'));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)));
  });

async function takenPort(args, env) {
  const paths = pathsOf(env);
  if (readLock(paths.lock) !== null || isTaken(paths.lock)) return null;
  const port = wantedPort(args, env, paths);
  if (port === null || !(await isInUse(port))) return null;
  const { message, remedy } = portTaken(port, portHolder(port));
  return `${message} ${remedy}`;
}

const found = await takenPort(process.argv.slice(2), process.env).catch(() => null);
if (found !== null) console.log(found);
process.exit(0);
