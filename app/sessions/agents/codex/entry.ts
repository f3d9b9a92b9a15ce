import { pathToFileURL } from 'node:url';
import { bridgeStdin } from '../entry-stdio.ts';

/** The process that leads Codex sessions: codex-acp as it was fetched, on stdio. */
const variable = 'JUMPSEAT_CODEX_ACP';
const path = process.env[variable];
if (!path) throw new Error(`${variable} doesn’t say where codex-acp is.`);
// Nothing that is started here has a use for it.
delete process.env[variable];
bridgeStdin();
await import(pathToFileURL(path).href);
