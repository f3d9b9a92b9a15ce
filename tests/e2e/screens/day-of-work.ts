import type { FakeTurn } from '../../app/sessions/host/fake-agent.ts';
import { file, goesOn, idle, type Play, running, waiting } from '../sessions-stage/play.ts';
import type { Stage } from '../sessions-stage/stage.ts';
import { asksToRun, step, thinks } from '../sessions-stage/steps.ts';

/** A few sessions as a person has them on a morning, for the pictures of README and docs. */

/** Time passes in these sessions, and ends with that of the page. */
export function withTime(stage: Stage): void {
  const standing = stage.now;
  let left = 5 * 60_000;
  stage.now = () => standing() - left;
  passing.set(stage, (ms) => {
    left = Math.max(0, left - ms);
  });
}

const passing = new WeakMap<Stage, (ms: number) => void>();
const takes = (stage: Stage, seconds: number): void => passing.get(stage)?.(seconds * 1000);

const before = [
  "import { wait } from './wait.ts';",
  '',
  'export async function deliver(event: WebhookEvent, send: Send): Promise<void> {',
  '  const { status } = await send(event);',
  '  if (status >= 500) throw new DeliveryError(event.id, status);',
  '}',
  '',
].join('\n');
const from = [
  '  const { status } = await send(event);',
  '  if (status >= 500) throw new DeliveryError(event.id, status);',
];
const to = [
  '  for (let attempt = 1; ; attempt++) {',
  '    const { status } = await send(event);',
  '    if (status < 500) return;',
  '    if (attempt === mostAttempts) throw new DeliveryError(event.id, status);',
  '    await wait(pauseBefore(attempt + 1));',
  '  }',
];

async function editsDeliver(turn: FakeTurn, stage: Stage, path: string): Promise<void> {
  const [oldText, newText] = [from.join('\n'), to.join('\n')];
  stage.write(path, before.replace(oldText, newText));
  const lines = [
    ' export async function deliver(event: WebhookEvent, send: Send): Promise<void> {',
    ...from.map((line) => `-${line}`),
    ...to.map((line) => `+${line}`),
    ' }',
  ];
  const structuredPatch = [{ oldStart: 3, oldLines: 4, newStart: 3, newLines: 8, lines }];
  await step(turn, {
    ...{ tool: 'Edit', kind: 'edit', input: { file_path: path, old_string: oldText, new_string: newText } },
    content: [{ type: 'diff', path, oldText, newText }],
    response: {
      ...{ filePath: path, oldString: oldText, newString: newText, originalFile: before },
      ...{ structuredPatch, userModified: false },
    },
    output: `The file ${path} has been updated.`,
  });
}

/** One answer, after so many seconds. */
const answers =
  (answer: string, seconds: number): NonNullable<Play['play']> =>
  async (turn, stage) => {
    await stage.request(turn);
    takes(stage, seconds);
    await turn.say(answer, 'answer');
    return 'end_turn';
  };

/** One that was read and is done. */
function done(name: string, prompt: string, project: string, answer: string, seconds: number): Play {
  return {
    ...{ name, prompt, project, shows: [answer], row: 'Done', process: 'Idle' },
    play: answers(answer, seconds),
    after: async (stage, id) => {
      await idle(name)(stage);
      await stage.stack.app.sawSession(id);
    },
  };
}

export const retries = 'retries';

export const dayOfWork: readonly Play[] = [
  done('licences', 'Which licences do our packages have?', 'parcel-api', 'All 48 packages are MIT, ISC or BSD.', 21),
  done('contrast', 'Check the contrast of the dark theme', 'website', 'Two texts were too faint; both are fixed.', 38),
  {
    ...{ name: 'flaky', prompt: 'Find out why the upload test is flaky', project: 'parcel-api' },
    ...{ shows: [], row: 'Done', process: 'Idle' },
    play: answers('The test read the clock twice. It has one moment now, and 200 runs passed.', 44),
    after: idle('flaky'),
  },
  {
    ...{ name: 'changelog', prompt: 'Write the changelog of 2.4', project: 'website' },
    ...{ shows: [], row: 'Writing', process: /^Working, / },
    play: async (turn, stage) => {
      await stage.request(turn);
      takes(stage, 12);
      await turn.say('## 2.4\n\n- Deliveries are listed by day.', 'answer');
      return goesOn(turn);
    },
    after: running('changelog'),
  },
  {
    ...{ name: retries, prompt: 'Retry failed webhook deliveries, three times at most', project: 'parcel-api' },
    ...{ shows: [/^Now the tests/], row: 'Asks to run a command', process: 'Waiting for you' },
    play: async (turn, stage) => {
      const path = file(stage, 'deliver.ts');
      await stage.request(turn);
      await thinks(turn, 'A delivery fails on its first 5xx. The loop belongs into deliver.ts.');
      takes(stage, 6.4);
      await step(turn, {
        ...{ tool: 'Read', kind: 'read', input: { file_path: path } },
        response: {
          type: 'text',
          file: { filePath: path, content: before, numLines: 6, startLine: 1, totalLines: 6 },
        },
        output: before,
      });
      await step(turn, {
        ...{ tool: 'Grep', kind: 'search', input: { pattern: 'DeliveryError' } },
        output: 'deliver.ts:5\ndeliver.test.ts:12',
      });
      takes(stage, 1.2);
      await stage.request(turn, 'agent');
      takes(stage, 14.8);
      await editsDeliver(turn, stage, path);
      await stage.request(turn, 'agent');
      takes(stage, 3.1);
      await turn.update({ sessionUpdate: 'usage_update', used: 41_280, size: 168_000 } as never);
      await turn.say('Now the tests: a delivery that fails twice, and one that fails three times.', 'answer');
      takes(stage, 2);
      await asksToRun(turn, 'npm test -- deliver.test.ts', 'Run the tests of deliveries');
      return 'end_turn';
    },
    after: waiting(retries),
  },
];
