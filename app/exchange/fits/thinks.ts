import type { MessagesRequest } from '../../formats/messages/request.ts';

export function thinks(request: MessagesRequest): boolean {
  return request.thinking?.type === 'enabled' || request.thinking?.type === 'adaptive';
}
