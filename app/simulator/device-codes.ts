import { randomBytes, randomInt } from 'node:crypto';

/** One sign-in under way. Times in ms since the epoch, intervals in seconds. */
interface DeviceCode {
  deviceCode: string;
  userCode: string;
  expiresAt: number;
  interval: number;
  lastPoll: number | null;
  polls: number;
  verdict: 'pending' | 'approved' | 'denied' | 'used';
}

interface DeviceCodeAnswer {
  device_code: string;
  user_code: string;
  verification_uri: string;
  expires_in: number;
  interval: number;
}

type PollAnswer =
  | { access_token: string; token_type: 'bearer'; scope: string }
  | { error: string; error_description: string; error_uri: string; interval?: number };

interface DevicePlan {
  /** What an approved code is exchanged for. */
  githubToken: () => string;
  interval: number;
  expiresIn: number;
  approveAfterPolls: number | null;
}

const errorUri = 'https://docs.github.com/developers/apps/authorizing-oauth-apps#error-codes-for-the-device-flow';

/** Letters without vowels or digits, so that a code spells no word. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

/** GitHub's device flow, seen from its side. */
export class DeviceCodes {
  readonly #plan: DevicePlan;
  #codes: DeviceCode[] = [];
  #approvesAll = false;
  #nextSlowDown: { interval: number | null | undefined } | null = null;
  #nextError: { error: string; description: string } | null = null;

  constructor(plan: DevicePlan) {
    this.#plan = plan;
  }

  start(webUrl: string): DeviceCodeAnswer {
    const code: DeviceCode = {
      deviceCode: randomBytes(20).toString('hex'),
      userCode: `${word()}-${word()}`,
      expiresAt: Date.now() + this.#plan.expiresIn * 1000,
      interval: this.#plan.interval,
      lastPoll: null,
      polls: 0,
      verdict: this.#approvesAll ? 'approved' : 'pending',
    };
    this.#codes.push(code);
    return {
      device_code: code.deviceCode,
      user_code: code.userCode,
      verification_uri: `${webUrl}/login/device`,
      expires_in: this.#plan.expiresIn,
      interval: code.interval,
    };
  }

  /** Answers with status 200 in every case, as GitHub does. */
  poll(deviceCode: string | null, scope: string): PollAnswer {
    const scripted = this.#nextError;
    this.#nextError = null;
    if (scripted !== null) return pollError(scripted.error, scripted.description);
    const code = this.#codes.find((one) => one.deviceCode === deviceCode);
    if (code === undefined || code.verdict === 'used') {
      return pollError('incorrect_device_code', 'The device_code provided is not valid.');
    }
    if (code.expiresAt <= Date.now()) return pollError('expired_token', 'The device_code has expired.');
    const slow = this.#tooFast(code);
    if (slow !== null) return slow;
    code.polls += 1;
    if (
      this.#plan.approveAfterPolls !== null &&
      code.polls >= this.#plan.approveAfterPolls &&
      code.verdict === 'pending'
    ) {
      code.verdict = 'approved';
    }
    if (code.verdict === 'denied') return pollError('access_denied', 'The authorization request was denied.');
    if (code.verdict === 'pending') {
      return pollError('authorization_pending', 'The authorization request is still pending.');
    }
    code.verdict = 'used';
    return { access_token: this.#plan.githubToken(), token_type: 'bearer', scope };
  }

  #tooFast(code: DeviceCode): PollAnswer | null {
    const now = Date.now();
    const scripted = this.#nextSlowDown;
    this.#nextSlowDown = null;
    // A tenth is forgiven: timers are not exact.
    const early = code.lastPoll !== null && now - code.lastPoll < code.interval * 900;
    code.lastPoll = now;
    if (scripted === null && !early) return null;
    const interval = scripted?.interval === undefined ? code.interval + this.#plan.interval : scripted.interval;
    code.interval = interval ?? code.interval + 5;
    const answer = pollError('slow_down', 'Too many requests have been made in the same timeframe.');
    return interval === null ? answer : { ...answer, interval };
  }

  /** A person typed this code (or any, without one). False: there is no such code. */
  decide(userCode: string | null, verdict: 'approved' | 'denied'): boolean {
    const typed = userCode === null ? null : normalized(userCode);
    const open = this.#codes.filter(
      (code) => code.verdict === 'pending' && (typed === null || normalized(code.userCode) === typed),
    );
    for (const code of open) code.verdict = verdict;
    if (typed === null) this.#approvesAll = verdict === 'approved';
    return open.length > 0;
  }

  expireAll(): void {
    for (const code of this.#codes) code.expiresAt = 0;
  }

  slowDownNext(interval: number | null | undefined): void {
    this.#nextSlowDown = { interval };
  }

  failNext(error: string, description: string): void {
    this.#nextError = { error, description };
  }
}

function pollError(
  error: string,
  description: string,
): { error: string; error_description: string; error_uri: string } {
  return { error, error_description: description, error_uri: errorUri };
}

function word(): string {
  return Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
}

function normalized(code: string): string {
  return code.replace(/[^a-z]/gi, '').toUpperCase();
}
