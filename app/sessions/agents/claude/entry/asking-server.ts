import { AsyncLocalStorage } from 'node:async_hooks';
import type { Adapter } from './adapter.ts';

/** Tells with a form which server it is of: the adapter leaves that out. */
export function bringServerNames(adapter: Adapter): void {
  const asking = new AsyncLocalStorage<string>();

  const handle = adapter.handleMcpElicitation.bind(adapter);
  adapter.handleMcpElicitation = (...given) => {
    const answer = handle(...given);
    return (request, options) => asking.run(request.serverName, () => answer(request, options));
  };

  const elicit = adapter.elicitFromClient.bind(adapter);
  adapter.elicitFromClient = (request, signal) => {
    const server = asking.getStore();
    if (server === undefined) return elicit(request, signal);
    return elicit({ ...request, _meta: { ...request._meta, jumpseat: { server } } }, signal);
  };
}
