import { dirname } from 'node:path';
import type { AnswersTo, App } from '../../api/app.ts';
import type { sessionSurroundingCalls } from '../../api/calls/session-surroundings.ts';
import { askedFiles } from '../folders/asked-files.ts';
import { planFile } from '../folders/asked-paths.ts';
import { folderFacts } from '../folders/folder-facts.ts';
import { folderFiles } from '../folders/folder-files.ts';
import { namedPath } from '../folders/named-path.ts';
import { pathInSession } from '../folders/path-in-session.ts';
import { realFolder } from '../folders/real-folder.ts';
import type { SessionAnswersDependencies } from './session-answers.ts';

/** Answers what fronts ask about what is around a session. Nothing is made before the first call. */
export function surroundingAnswers(
  given: () => Promise<SessionAnswersDependencies>,
  here: { environment: Readonly<Record<string, string | undefined>>; userHome: string },
): AnswersTo<typeof sessionSurroundingCalls> & Pick<App, 'pathInSession' | 'chooseAgentFile'> {
  const find = async (id: string) => (await given()).host.session(id);
  return {
    sessionOffers: async (id) => (await find(id)).surroundings.offers(),
    sessionInForce: async (id) => (await find(id)).surroundings.inForce(),
    sessionFiles: async (id) => folderFiles((await find(id)).kept.cwd, here),
    namedPaths: async ({ session, paths }) => {
      const { cwd } = (await find(session)).kept;
      return Promise.all(paths.map((path) => namedPath(path, cwd)));
    },
    askedFiles: async ({ session, question, version }) => {
      const { kept } = await find(session);
      const asked = (await given()).store.questions.find(question);
      if (asked?.sessionId !== session || asked.answeredAt !== null || asked.kind !== 'permission') return null;
      const request = typeof asked.request === 'object' ? asked.request : null;
      const { cwd, choices } = kept;
      return askedFiles({ request: Object(request).request, cwd, directories: choices.directories, version }, here);
    },
    pathInSession: async (session, path) => {
      const { kept } = await find(session);
      const open = (await given()).store.questions.open(session);
      const isPlan = open.some(({ request }) => path === planFile(Object(request).request));
      return pathInSession(path, isPlan ? [dirname(path)] : [kept.cwd, ...kept.choices.directories]);
    },
    chooseAgentFile: async (name, path) => (await given()).states.chooseFile(name, path),
    folder: async (folder) => {
      const { agents, store } = await given();
      const path = await realFolder(folder);
      const heeded = [...new Set(agents.flatMap((agent) => agent.heeds))];
      return folderFacts(path, { ...here, isTrusted: store.trusted.has(path), heeded });
    },
  };
}
