import type { Message, MessagesRequest } from '../../../formats/messages/request.ts';
import type { Plan } from '../../plan.ts';
import type { Emulated } from './emulate.ts';
import { pagesIn } from './found.ts';
import { SearchedAnswer } from './searched-answer.ts';
import type { SearchTool } from './tool.ts';

/** A request whose searches are made here: who leads the answer, and how the model goes on. */
export interface Searching {
  tool: SearchTool;
  answer: SearchedAnswer;
  /** The model cites pages by itself. */
  cites: boolean;
  /** The same conversation with `turns` behind it. `last`: no more calls. Throws `Stopped`. */
  next(turns: readonly Message[], last: boolean): Plan;
}

/** @param again plans the request that goes on; it may be called for as long as the answer runs */
export function searchingWith(
  { request, tool, cites }: Emulated,
  planned: Plan,
  again: (request: MessagesRequest) => Plan,
): Searching {
  const answer = new SearchedAnswer(planned.reader, { name: tool.name, pages: pagesIn(request.messages), cites });
  const next = (turns: readonly Message[], last: boolean): Plan =>
    again({ ...withChoice(request, tool, last), messages: [...request.messages, ...turns] });
  return { tool, answer, cites, next };
}

/** A search that was ordered is ordered once. */
function withChoice(request: MessagesRequest, { name }: SearchTool, last: boolean): MessagesRequest {
  const { tool_choice: choice, ...rest } = request;
  if (last) return { ...rest, tool_choice: { type: 'none' } };
  if (choice === undefined) return rest;
  const ordered = choice.type === 'any' || (choice.type === 'tool' && choice.name === name);
  if (!ordered) return request;
  const { disable_parallel_tool_use: alone } = choice;
  return alone === undefined ? rest : { ...rest, tool_choice: { type: 'auto', disable_parallel_tool_use: alone } };
}
