import { asking } from './asking.ts';
import { atRest } from './at-rest.ts';
import { atWork } from './at-work.ts';
import { failed } from './failed.ts';
import { inLine } from './in-line.ts';
import type { Play } from './play.ts';

/**
 * Sessions in the order in which they begin; the newest stands first in the list. All are in one process, which the
 * first of those that failed ends, and those in line count who is at work.
 */
export const plays: readonly Play[] = [...failed, ...atRest, ...atWork, ...asking, ...inLine];
