import type { Tool } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { note } from './fit.ts';

/** Copilot's Vertex-backed models refuse `eager_input_streaming` and `input_examples` on a tool. Both are hints only. */
export function removeToolFields(tool: Tool) {
  const next = without(tool, 'eager_input_streaming', 'input_examples');
  return next === tool ? null : { tool: next, note: note('tool-fields-removed', 'tool fields removed') };
}
