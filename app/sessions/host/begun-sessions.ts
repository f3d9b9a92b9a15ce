import { isDeepStrictEqual } from 'node:util';
import type { AgentDescription } from '../agents/agent.ts';
import type { Choices } from '../session/choices.ts';
import { firstChoices, type NewSessionSettings } from '../session/choices.ts';
import type { HostedSession } from './hosted-session.ts';

interface Begun {
  session: HostedSession;
  /** What was chosen for it when it was begun. */
  chosen: Partial<Choices>;
  /** What it got. */
  got: Partial<Choices>;
}

/** Sessions in which nothing was said yet: they follow the settings of new ones, unless a person chose for them. */
export class BegunSessions {
  readonly #describe: (session: HostedSession) => Pick<AgentDescription, 'name' | 'models'>;
  readonly #settings: () => NewSessionSettings;
  #begun: Begun[] = [];
  #last: NewSessionSettings;

  constructor(given: {
    describe(session: HostedSession): Pick<AgentDescription, 'name' | 'models'>;
    settings(): NewSessionSettings;
  }) {
    this.#describe = (session) => given.describe(session);
    this.#settings = () => newest(given.settings());
    this.#last = this.#settings();
  }

  add(session: HostedSession, chosen: Partial<Choices>, got: Partial<Choices>): void {
    this.#begun = [
      ...this.#begun.filter((one) => isUntouched(one) && one.session !== session),
      { session, chosen, got },
    ];
  }

  async settingsChanged(): Promise<void> {
    const now = this.#settings();
    if (isDeepStrictEqual(now, this.#last)) return;
    this.#last = now;
    for (const begun of this.#begun.filter(isUntouched)) {
      const got = await firstChoices(this.#describe(begun.session), now, begun.chosen);
      // A person may have chosen, or sent something, meanwhile.
      if (!isUntouched(begun)) continue;
      begun.got = got;
      await begun.session.choose(got);
    }
  }
}

const newest = ({ mode, model, effort }: NewSessionSettings): NewSessionSettings => ({ mode, model, effort });

function isUntouched({ session, got }: Begun): boolean {
  const { mode = null, model = null, effort = null } = got;
  if (session.isDisposed || session.view().state !== 'provisional') return false;
  const { choices } = session.kept;
  return choices.mode === mode && choices.model === model && choices.effort === effort;
}
