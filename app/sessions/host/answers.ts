import type { AnswersTo, App } from '../../api/app.ts';
import type { sessionCalls, sessionSurroundingCalls, sideQuestionCalls } from '../../api/calls/sessions.ts';
import { eventKinds, type SessionEvent } from '../../api/sessions.ts';
import type { AgentDescription, AgentName } from '../agents/agent.ts';
import { askedFiles, planFile } from '../folders/asked-files.ts';
import { branchChanges, isInRepository } from '../folders/branch-changes.ts';
import { folderFacts, folderFiles } from '../folders/git.ts';
import { namedPath, pathInSession, realFolder } from '../folders/named-path.ts';
import { readProblem } from '../session/error.ts';
import { readPrompt } from '../session/messages.ts';
import type { KeptQuestion } from '../store/questions.ts';
import type { RecordEntry } from '../store/session-record.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { TurnRow } from '../store/turn-rows.ts';
import { readCost } from '../turns/costs.ts';
import type { AgentStates } from './agent-states.ts';
import type { HostedSession } from './hosted-session.ts';
import type { SessionHost } from './session-host.ts';

export interface SessionAnswersDependencies {
  host: SessionHost;
  store: SessionStore;
  agents: readonly AgentDescription[];
  states: AgentStates;
  /** Moves it to the trash of this machine. */
  delete(id: string): Promise<void>;
}

/** Answers fronts' calls about hosted sessions. Creates nothing before the first call. */
export function sessionAnswers(given: () => Promise<SessionAnswersDependencies>): AnswersTo<typeof sessionCalls> {
  const host = async (): Promise<SessionHost> => (await given()).host;
  const store = async (): Promise<SessionStore> => (await given()).store;
  const find = async (id: string) => (await host()).session(id);
  /** Runs alone among changes of the past, and before the next turn begins. */
  const changePast = async <Made>(id: string, work: (session: HostedSession) => Promise<Made>): Promise<Made> => {
    const session = await find(id);
    return session.past.run(() => work(session));
  };
  return {
    heldSessions: async () => (await host()).held(),
    session: async (id) => (await find(id)).view(),
    newSession: async ({ id, ...session }) => {
      await realFolder(session.cwd);
      const begun = await (await host()).begin({ ...session, ...(id === undefined ? undefined : { id }) });
      return begun.view();
    },
    sendMessage: async ({ session, prompt, id }) => (await find(session)).send(prompt, id),
    steerSession: async ({ session, prompt, id }) => (await find(session)).steer(prompt, id),
    takeBackSteering: async ({ session, message }) => {
      const prompt = await (await find(session)).turns.takeBackSteering(message);
      return prompt === null ? null : [...prompt];
    },
    steerQueued: async ({ session, message }) => (await find(session)).steerQueued(message),
    changeQueued: async ({ session, message, prompt }) => (await find(session)).turns.queue.change(message, prompt),
    removeQueued: async ({ session, message }) => (await find(session)).turns.queue.remove(message),
    orderQueue: async ({ session, messages }) => (await find(session)).turns.queue.order(messages),
    sendQueued: async (id) => (await find(id)).turns.resume(),
    stopSession: async (id) => (await find(id)).stop(),
    stopTask: async ({ session, task }) => (await find(session)).surroundings.stopTask(task),
    moveSession: async ({ session, folder }) => (await find(session)).move(await realFolder(folder)),
    compactSession: async (id) => (await find(id)).compact(),
    unloadSession: async (id) => (await find(id)).unload(),
    chooseForSession: async ({ session, choices }) => (await find(session)).choose(choices),
    neverAsk: async (id) => (await find(id)).neverAsk(),
    sessionEvents: async ({ session, after, limit }) => {
      const { entries, ...page } = (await store()).record.read(after, {
        limit,
        ...(session === null ? undefined : { session }),
      });
      return { ...page, events: entries.flatMap((entry) => toEvent(entry) ?? []) };
    },
    sessionPast: async ({ session, before, limit }) => {
      const { entries, ...page } = (await store()).record.readLast(session, before, limit);
      return { ...page, events: entries.flatMap((entry) => toEvent(entry) ?? []) };
    },
    sessionTurns: async ({ session, before, limit }) =>
      (await store()).turns.of(session, { limit, ...(before === null ? undefined : { before }) }).map(toTurn),
    promptImage: async ({ turn, block }) => {
      const found = readPrompt((await store()).turns.promptOf(turn))[block];
      const [data, mimeType] = [found?.data, found?.mimeType];
      if (found?.type !== 'image' || typeof data !== 'string' || typeof mimeType !== 'string') return null;
      return data === '' ? null : { mimeType, data };
    },
    sessionQuestions: async (id) =>
      (await store()).questions.open(id).flatMap((question) => toQuestion(question) ?? []),
    answerQuestion: async ({ session, question, answer }) => (await find(session)).answer(question, answer),
    sessionRules: async (id) => (await find(id)).questions.rules(),
    takeBackRule: async ({ session, rule }) => (await find(session)).questions.takeBack(rule),
    sessionChanges: async ({ session, turn }) => (await find(session)).edits.changes(turn),
    filesNow: async ({ session, turn }) => (await find(session)).files.now(turn),
    fileVersions: async ({ session, turn, path }) => {
      const { files, edits } = await find(session);
      const versions = files.versions(turn, path);
      return versions === null ? null : { ...versions, threeWay: await edits.since(turn, path) };
    },
    bringBack: ({ session, turn, path, outside }) =>
      changePast(session, ({ files }) => files.bringBack(turn, path, outside)),
    acceptChanges: async ({ session, turn, paths, accepted = true }) =>
      (await find(session)).edits.accept(turn, paths, accepted),
    undoChanges: ({ session, turn, paths, ...agreed }) =>
      changePast(session, ({ edits }) => edits.putBack('undo', turn, paths, agreed)),
    undoHunk: ({ session, turn, path, hunk, outside }) =>
      changePast(session, ({ edits }) => edits.undoHunk(turn, path, hunk, outside)),
    redoChanges: ({ session, turn, paths, ...agreed }) =>
      changePast(session, ({ edits }) => edits.putBack('redo', turn, paths, agreed)),
    forkSession: async ({ session, turn, id }) => (await (await host()).fork(session, turn, id)).view(),
    goBack: async ({ session, turn, withFiles, outside }) => {
      const { prompt, ...back } = await (await host()).goBack(session, turn, withFiles, outside);
      return { ...back, prompt: [...prompt] };
    },
    undoGoBack: async (session) => {
      const { prompt, files, copies } = await (await host()).undoGoBack(session);
      // One that can't be deleted stays in the list.
      for (const copy of copies) await (await given()).delete(copy).catch(() => undefined);
      return { prompt: [...prompt], files };
    },
    renameSession: async ({ session, title }) => (await find(session)).rename(title),
    pinSession: async ({ session, pinned }) => (await find(session)).decorate({ pinned }),
    deleteSession: async (id) => (await given()).delete(id),
    sawSession: async (id) => (await find(id)).saw(),
    continueLater: async (id) => (await find(id)).continueLater(),
    dontContinue: async (id) => (await find(id)).dontContinue(),
    dismissFailure: async (id) => (await find(id)).dismissFailure(),
    draft: async (asked) => (await store()).drafts.find(asked),
    keepDraft: async ({ key, window, draft }) => (await store()).drafts.keep({ key, window, draft: draft ?? null }),
    trustedFolders: async () => (await store()).trusted.all(),
    trustFolder: async (folder) => {
      (await store()).trusted.trust(await realFolder(folder));
      (await host()).customizationsChanged();
    },
    distrustFolder: async (folder) => {
      const isTakenBack = (await store()).trusted.takeBack(folder);
      (await host()).customizationsChanged();
      return isTakenBack;
    },
    agents: async () => (await given()).states.all(),
    agentOffers: async (name) => {
      const agent = (await host()).describe(name);
      return { models: [...(await agent.models())], modes: [...agent.modes] };
    },
    deleteVersions: async () => (await host()).versions.deleteAll(),
    chooseAgent: async (name, from) => (await given()).states.choose(name, from),
    stopFetching: async (name) => (await given()).states.stopFetching(name),
    findNewerAgent: async (name) => (await given()).states.findNewer(name),
    updateAgent: async (name) => (await given()).states.update(name),
    removeAgentCopy: async (name) => (await given()).states.removeCopy(name),
    fetchAgent: async (name) => (await given()).states.fetch(name),
  };
}

function toEvent({ kind, ...entry }: RecordEntry): SessionEvent | null {
  const known = eventKinds.find((one) => one === kind);
  return known === undefined ? null : { ...entry, kind: known };
}

function toTurn({ prompt, failure, lastMessage, cost, sessionId: _, ...turn }: TurnRow) {
  return {
    ...turn,
    prompt: prompt === null ? null : [...readPrompt(prompt)],
    problem: readProblem(failure),
    canFork: lastMessage !== null,
    cost: readCost(cost),
  };
}

function toQuestion({ id, sessionId, turnId, kind, request, askedAt }: KeptQuestion) {
  if (kind !== 'permission' && kind !== 'form') return null;
  const kept = typeof request === 'object' && request !== null ? request : {};
  const child = 'child' in kept && typeof kept.child === 'string' ? kept.child : null;
  return { id, sessionId, turnId, kind, child, request: 'request' in kept ? kept.request : null, askedAt } as const;
}

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
    branchChanges: async (id) => {
      const { cwd } = (await find(id)).kept;
      const { store } = await given();
      const folder = await realFolder(cwd).catch(() => null);
      if (folder === null) return null;
      if (!store.trusted.has(folder)) return (await isInRepository(folder, here)) ? 'not-trusted' : null;
      const read = await branchChanges(folder, here);
      if (read === null) return null;
      const accepted = store.accepted.of(id);
      const files = read.files.map((file) => ({ ...file, isAccepted: accepted.get(file.path) === file.version }));
      return { ...read, files };
    },
    acceptBranchFiles: async ({ session, files, accepted = true }) => {
      const { id } = await find(session);
      const { store } = await given();
      if (accepted) store.accepted.accept(id, files);
      else store.accepted.takeBack(id, files);
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
      const heeded = [...new Set(agents.flatMap((agent) => agent.respectsTrust))];
      return folderFacts(path, { ...here, isTrusted: store.trusted.has(path), heeded });
    },
  };
}

/** Answers fronts' calls about questions beside a conversation. */
export function sideQuestionAnswers(
  given: () => Promise<SessionAnswersDependencies>,
): AnswersTo<typeof sideQuestionCalls> {
  const find = async (id: string) => (await given()).host.session(id);
  return {
    sideQuestions: async (id) => (await find(id)).side.all(),
    askSideQuestion: async ({ session, question, id }) => (await find(session)).side.ask(question, id),
    stopSideQuestion: async (id) => (await find(id)).side.stop(),
    closeSideQuestions: async ({ session, questions }) => (await find(session)).side.close(questions),
  };
}
