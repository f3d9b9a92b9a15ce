import type { AnswersTo, App } from '../../api/app.ts';
import type { sessionSurroundingCalls } from '../../api/calls/session-surroundings.ts';
import type { AgentName } from '../agents/agent.ts';
import { askedFiles } from '../folders/asked-files.ts';
import { planFile } from '../folders/asked-paths.ts';
import { folderFacts, folderFiles } from '../folders/git.ts';
import { namedPath, pathInSession, realFolder } from '../folders/named-path.ts';
import type { SessionAnswersDependencies } from './session-answers.ts';

/** Answers what fronts ask about what is around a session. Nothing is made before the first call. */
export function surroundingAnswers(
  given: () => Promise<SessionAnswersDependencies>,
  here: { environment: Readonly<Record<string, string | undefined>>; userHome: string },
): AnswersTo<typeof sessionSurroundingCalls> & Pick<App, 'pathInSession' | 'chooseAgentFile'> {
  const find = async (id: string) => (await given()).host.session(id);
  const plansOf = async (agent: AgentName): Promise<string | null> =>
    (await given()).agents.find(({ name }) => name === agent)?.plans ?? null;
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
      const { cwd, choices, agent } = kept;
      const folders = { cwd, directories: choices.directories, plans: await plansOf(agent) };
      return askedFiles({ request: Object(request).request, ...folders, version }, here);
    },
    pathInSession: async (session, path) => {
      const { kept } = await find(session);
      const open = (await given()).store.questions.open(session);
      const isPlan = open.some(({ request }) => path === planFile(Object(request).request));
      const plans = isPlan ? await plansOf(kept.agent) : null;
      return pathInSession(path, [kept.cwd, ...kept.choices.directories, ...(plans === null ? [] : [plans])]);
    },
    chooseAgentFile: async (name, path) => (await given()).states.chooseFile(name, path),
    folder: async (folder) => {
      const { agents, store } = await given();
      const path = await realFolder(folder.replace(/^~(?=$|[/\\])/, here.userHome));
      const heeded = [...new Set(agents.flatMap((agent) => agent.heeds))];
      return folderFacts(path, { ...here, isTrusted: store.trusted.has(path), heeded });
    },
  };
}
