import { basename } from 'node:path';

/**
 * The name that a class of a style module has in the page: `health_verdict` for `.verdict` in `health.module.css`. The
 * same in every build, so that tests can select by it. No two modules have the same name: `npm run check` holds that.
 */
export function classNameOf(name: string, file: string): string {
  return `${basename(file.replace(/\?.*$/, ''), '.module.css')}_${name}`;
}
