import type { Measure } from './measure.ts';
export const peers: Measure = { title: 'Peers', run: async () => [] };
