import { hostClaude } from './hosted-agent.ts';
import type { Product } from './product.ts';

/** A process that hosts a session of Claude's, to be killed. Says `asked` when the tool may run. */
const { product, text }: { product: Product; text: string } = JSON.parse(process.env.HOSTED ?? '');
const hosted = await hostClaude(product);
const sessionId = '0d9d7c0e-5f6b-4d0a-9a10-5a1c0c2f7e11';
await hosted.start({ kind: 'new', sessionId });
process.stdout.write(`${hosted.connection.pid}\n`);
await hosted.prompt(sessionId, text).catch(() => undefined);
