import type { FitNote } from '../../api/exchange.ts';
import { mapKeeping } from './copy-on-write.ts';
import { type Fit, type ToolFit, unchanged } from './fit.ts';

/** The one walk over all tools. */
export function walkTools(fits: readonly ToolFit[]): Fit {
  return (request, context) => {
    if (!Array.isArray(request.tools)) return unchanged(request);
    const notes: FitNote[] = [];
    const tools = mapKeeping(request.tools, (given) => {
      let tool = given;
      for (const apply of fits) {
        const change = apply(tool, context);
        if (change === null) continue;
        tool = change.tool;
        notes.push(change.note);
      }
      return tool;
    });
    return tools === request.tools ? unchanged(request) : { ok: true, request: { ...request, tools }, notes };
  };
}
