import { splitBetas } from '../../../app/exchange/fits/betas.ts';
import { type FitContext, fitMessages } from '../../../app/exchange/fits/fit-messages.ts';
import { decideInitiator } from '../../../app/exchange/initiator/decide.ts';
import { readPrompt } from '../../../app/exchange/initiator/reading.ts';
import { type MessagesRequest, readMessagesRequest } from '../../../app/formats/messages/request.ts';
import { onChat, onNative, onResponses } from '../../app/exchange/fits/claude.ts';
import { type Figure, median } from '../figures.ts';
import { largeRequest, nativeModel } from '../requests.ts';
import type { Measure } from './measure.ts';

const sizes = [
  { name: '200 kB', bytes: 200_000, limit: 1, times: 50 },
  { name: '2 MB', bytes: 2_000_000, limit: 5, times: 10 },
];
const nothingKnown = {
  accepted: () => null,
  refusals: () => ({ count: 0, lastStatus: null }),
  agentCalls: () => 0,
};

/**
 * CPU time of the steps between a request and its way to Copilot, each alone and in this process: what reading and
 * writing JSON costs is not in it.
 */
export const cpuPerStep: Measure = {
  title: 'CPU per step of a request',
  run({ quick }) {
    const figures: Figure[] = [];
    for (const { name, bytes, limit, times } of sizes) {
      const made = largeRequest(nativeModel, bytes)();
      const request = requestIn(made.bytes);
      const betas = splitBetas(made.headers['anthropic-beta']);
      const fitted = (context: FitContext) => () => {
        if (!fitMessages(request, { ...context, betas }).ok) throw new Error('The request was refused by a fit.');
      };
      const salt = Buffer.alloc(32, 1);
      const steps: [string, () => void][] = [
        ['fits, native', fitted(onNative())],
        ['fits, chat', fitted(onChat())],
        ['fits, responses', fitted(onResponses())],
        [
          'initiator',
          () =>
            void decideInitiator(
              readPrompt({ api: 'messages', headers: made.headers, body: request, salt }),
              nothingKnown,
            ),
        ],
      ];
      for (const [step, work] of steps) {
        const spent: number[] = [];
        for (let round = -2; round < (quick ? 5 : 15); round++) {
          const ms = cpuOf(work, times);
          if (round >= 0) spent.push(ms);
        }
        figures.push({
          name: `CPU of ${step}, ${name}`,
          value: median(spent),
          unit: 'ms',
          limit,
          beside: `${(made.bytes.length / 1000).toFixed(0)} kB, ${request.messages.length} messages`,
          repeats: 'least',
        });
      }
    }
    return Promise.resolve(figures);
  },
};

function cpuOf(work: () => void, times: number): number {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

function requestIn(bytes: Buffer): MessagesRequest {
  const read = readMessagesRequest(JSON.parse(bytes.toString()));
  if (!read.ok) throw new Error(read.message);
  return read.request;
}
