import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from '../figures.ts';
import { chatModel, responsesModel, smallChat, smallResponses } from '../requests.ts';
import { compare, type Run } from './cpu-per-event.ts';
import type { Measure } from './measure.ts';

const most = 1.25;

/** The same for a client of OpenAI's whose model has its API, so that an answer is passed through. */
export const openaiCpuPerEvent: Measure = {
  title: 'CPU per event, OpenAI passed through',
  async run(surroundings) {
    const { bench, quick } = surroundings;
    const passThrough = await bench.startLimit('pass-through');
    const streams = 50;
    const home = join(bench.folder, 'home-openai');
    mkdirSync(home, { recursive: true });
    // Else all but eight would wait.
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, openai: { atOnce: streams } }));
    const product = await bench.startProduct({ home });
    const events = quick ? 1000 : 2000;
    const each: Run = { script: { events, pace: 'each' }, streams: 4, rounds: quick ? 7 : 15 };
    const fifty: Run = { script: { events: events / 4, pace: 'each' }, streams, rounds: quick ? 3 : 6 };
    const paced: Run = { script: { events, pace: 1 }, streams: 6, rounds: quick ? 3 : 6 };
    const burst: Run = { script: { events, pace: 'burst' }, streams: 16, rounds: quick ? 5 : 9 };
    const figures: Figure[] = [];
    for (const [api, path, make] of [
      ['chat', '/chat/completions', smallChat(chatModel)],
      ['responses', '/responses', smallResponses(responsesModel)],
    ] as const) {
      for (const [how, run, allowed] of [
        ['written one by one', each, most],
        ['50 at once', fifty, most],
        ['paced', paced, most],
        ['in bursts', burst, null],
      ] as const) {
        const comparison = { name: `${api} passed through, ${how}`, make, path, run, allowed };
        figures.push(await compare(surroundings, comparison, passThrough, product));
      }
    }
    await Promise.all([passThrough, product].map((proxy) => proxy.stop()));
    return figures;
  },
};
