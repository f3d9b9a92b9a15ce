import type { RecordedRequest } from './record.ts';
import type { Match, Script } from './script.ts';
import type { Stage } from './stage.ts';

const inferencePaths = new Set(['/v1/messages', '/chat/completions', '/responses', '/embeddings']);

function isInference(request: RecordedRequest): boolean {
  return request.service === 'copilot' && request.method === 'POST' && inferencePaths.has(request.path);
}

const anything: Match = () => true;

/** The script of a stage. `moveHost` opens a new address for Copilot. */
export function scriptOf(stage: Stage, moveHost: () => Promise<string>): Script {
  return {
    next: (reply, match = isInference) => stage.replies.next(reply, match),
    always: (reply, match = isInference) => stage.replies.always(reply, match),
    get waiting() {
      return stage.replies.waiting;
    },
    clear: () => stage.replies.clear(),

    arrival: (match = anything) => stage.arrivals.next(match),
    aborted: (match = anything) => stage.aborts.next(match),

    approve: (userCode) => void stage.deviceCodes.decide(userCode ?? null, 'approved'),
    deny: (userCode) => void stage.deviceCodes.decide(userCode ?? null, 'denied'),
    expireDeviceCodes: () => stage.deviceCodes.expireAll(),
    slowDown: (interval) => stage.deviceCodes.slowDownNext(interval),
    failPoll: (error, description = error) => stage.deviceCodes.failNext(error, description),

    expireTokens: () => stage.tokens.expireAll(),
    revokeGithubToken: () => {
      stage.revocations += 1;
    },
    refuseMint: (refusal) => {
      stage.mintRefusal = refusal;
    },
    allowMint: () => {
      stage.mintRefusal = null;
    },
    moveHost,
    nameOtherHost: (address) => {
      stage.otherHost = address;
    },

    setModels: (models) => {
      stage.catalog = models;
    },
    setPolicy: (model, state) => stage.setPolicy(model, state),
    failModels: (refusal) => {
      stage.modelsFailure = refusal;
    },
    refuseField: (path, model) => {
      const field = { path, model: model ?? null };
      stage.refusedFields.push(field);
      return () => {
        stage.refusedFields = stage.refusedFields.filter((other) => other !== field);
      };
    },
    narrow: (model, less) => {
      const narrowing = { model, less };
      stage.narrowings.push(narrowing);
      return () => {
        stage.narrowings = stage.narrowings.filter((other) => other !== narrowing);
      };
    },
    acceptSignature: (signature) => void stage.acceptedSignatures.add(signature),
    quirks: (quirks) => {
      stage.quirks = quirks;
    },

    setAuto: (models, lifeSeconds) => {
      stage.autoSessions.models = models;
      if (lifeSeconds !== undefined) stage.autoSessions.lifeSeconds = lifeSeconds;
    },
    setRemaining: (credits) => {
      if (credits === null) stage.user.entitlement = null;
      else stage.user.remaining = credits;
    },
    setWindows: (windows) => {
      stage.windows = windows;
    },

    violations: stage.violations,
  };
}
