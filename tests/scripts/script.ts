import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'scripts', 'lib');

/** One module of scripts/lib, or `../docs/name`. They are plain JavaScript, so the test says what it takes. */
export const script = async <Module>(name: string): Promise<Module> => import(join(folder, `${name}.mjs`));

export const scriptPath = (name: string): string => join(folder, `${name}.mjs`);
