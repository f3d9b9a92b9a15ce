import { pathToFileURL } from 'node:url';
import { bridgeStdin } from '../../../processes/launch.ts';
import { loadWithTrust, trustVariable } from './folder-trust.ts';

/** The process of Codex sessions: codex-acp as it was fetched, on stdio. */
const variable = 'JUMPSEAT_CODEX_ACP';
const path = process.env[variable];
if (!path) throw new Error(`${variable} doesn’t say where codex-acp is.`);
const isTrusted = process.env[trustVariable] === 'trusted';
// Nothing that is started here has a use for them.
delete process.env[variable];
delete process.env[trustVariable];
bridgeStdin();
const { href } = pathToFileURL(path);
loadWithTrust(href, isTrusted);
await import(href);
