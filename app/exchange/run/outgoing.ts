import type { AutoSession } from '../../account/sdk/endpoint.ts';
import type { Path } from '../../api/exchange.ts';
import type { Witness } from '../../copilot/dial-call.ts';
import type { CatalogModel } from '../../copilot/model.ts';
import type { Outgoing } from '../../copilot/outgoing.ts';
import type { ReplayBudget } from '../../copilot/replay.ts';
import type { ClientCall } from '../answering/client-call.ts';
import type { Verdict } from '../initiator/verdict.ts';
import type { Plan } from '../plan.ts';
import type { InteractionIds } from './interactions.ts';

/** What Copilot is told of who asks. */
export type Sender = Pick<Verdict, 'initiator' | 'interactionType' | 'intent'>;

/** Everything of a plan that goes to Copilot. */
export type Sendable = Pick<Plan, 'body' | 'vision' | 'anthropicVersion' | 'anthropicBeta'> & { path: Path };

/** What a request belongs to, as far as it goes with it. */
interface Belonging {
  model: CatalogModel | null;
  auto: AutoSession | null;
  call: Pick<ClientCall, 'signal' | 'startedTicks'>;
  budget: ReplayBudget;
}

/** One try of a request, as the client of Copilot takes it. */
export function outgoing(
  plan: Sendable,
  sender: Sender,
  ids: InteractionIds,
  { model, auto, call, budget }: Belonging,
  witness: Witness,
): Outgoing {
  return {
    path: plan.path,
    ...(model === null ? undefined : { model: model.id }),
    body: plan.body,
    initiator: sender.initiator,
    interactionType: sender.interactionType,
    intent: sender.intent,
    ...ids,
    vision: plan.vision,
    anthropicVersion: plan.anthropicVersion,
    anthropicBeta: plan.anthropicBeta,
    auto,
    signal: call.signal,
    startedTicks: call.startedTicks,
    witness,
    budget,
  };
}
