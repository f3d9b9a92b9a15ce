import type { Page } from 'playwright-core';

/** What is used after a collection. */
export async function heapMiB(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 2 ** 20;
}

/** Of the page's main thread, ms: CPU time, and by the clock, which other programs make longer. */
export interface LongestTask {
  cpu: number;
  clock: number;
}

/** The longest task while something is done, from the browser's own trace. */
export async function longestTaskOf(page: Page, work: () => Promise<void>): Promise<LongestTask> {
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
  await work();
  const trace = await browser?.stopTracing();
  return longestTask(trace?.toString() ?? '{}');
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** µs by the clock, and of CPU. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

function longestTask(trace: string): LongestTask {
  const { traceEvents = [] }: { traceEvents?: TraceEvent[] } = JSON.parse(trace);
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && mains.has(`${pid} ${tid}`));
  if (!tasks.some(({ tdur = 0 }) => tdur > 0)) throw new Error('The browser traced no task and its CPU time.');
  return {
    cpu: Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000,
    clock: Math.max(...tasks.map(({ dur = 0 }) => dur)) / 1000,
  };
}
