type OfSession = { sessionId: string };

/** Has requests wait for each other where they are of the same session, also where they ask for different things. */
export function oneOfSession() {
  const last = new Map<string, Promise<unknown>>();
  return <Params extends OfSession, Answer>(ask: (params: Params) => Promise<Answer>) => {
    return (params: Params): Promise<Answer> => {
      const before = last.get(params.sessionId) ?? Promise.resolve();
      const mine = before.then(
        () => ask(params),
        () => ask(params),
      );
      last.set(params.sessionId, mine);
      const forget = (): void => {
        if (last.get(params.sessionId) === mine) last.delete(params.sessionId);
      };
      mine.then(forget, forget);
      return mine;
    };
  };
}
