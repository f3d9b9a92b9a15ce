import type { FitNote } from '../../api.ts';
import { isRecord } from './copy-on-write.ts';
import { type Fit, note, type ToolFit, unchanged } from './fit.ts';

/** The one walk over all tools. Answers 400 for a tool that is no object, so that the steps after it may rely on the shape. */
export function walkTools(fits: readonly ToolFit[]): Fit {
  return (request, context) => {
    const tools: unknown = request.tools;
    if (request.tools === undefined || !Array.isArray(tools)) return unchanged(request);
    const broken = tools.findIndex((tool) => !isRecord(tool));
    if (broken !== -1) {
      const message = `tools.${broken}: Input should be an object`;
      return {
        ok: false,
        status: 400,
        type: 'invalid_request_error',
        message,
        code: 'malformed-request',
        shouldRetry: false,
      };
    }
    const counts = new Map<string, { note: FitNote; count: number }>();
    let copy: typeof request.tools | null = null;
    for (const [index, tool] of request.tools.entries()) {
      let next = tool;
      for (const fit of fits) {
        const change = fit(next, context);
        if (change === null) continue;
        next = change.tool;
        const seen = counts.get(change.note.code);
        if (seen === undefined) counts.set(change.note.code, { note: change.note, count: 1 });
        else seen.count += 1;
      }
      if (next === tool) continue;
      copy ??= request.tools.slice();
      copy[index] = next;
    }
    if (copy === null) return unchanged(request);
    return {
      ok: true,
      request: { ...request, tools: copy },
      notes: Array.from(counts.values(), ({ note: one, count }) => note(one.code, one.text, count)),
    };
  };
}
