import { ensureBuild } from './lib/build.mjs';
import { main } from './lib/progress.mjs';

/** `npm run build`: dist/ from nothing. */
await main(() => ensureBuild({ clean: true }));
