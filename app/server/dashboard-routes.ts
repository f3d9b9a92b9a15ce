import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type express from 'express';
import type { Request, Response } from 'express';
import type { App } from '../api/app.ts';
import { type Answering, answerCall, type CallTable, inWords, problemSchema, type Words } from '../api/call.ts';
import type { AppEvent } from '../api/events.ts';
import { inOwnWords } from '../api/shell.ts';
import { english, languageParameter } from '../language/language.ts';
import { languageOfPage } from '../language/languages.ts';
import { sentenceIn } from '../language/remembered.ts';
import { t } from '../language/translate.ts';
import type { Clock } from '../ports.ts';
import { chosenPage, inMarkup, pageWithCommand } from '../words/text.ts';
import type { Routes } from './express-app.ts';
import { dashboardLinkPath, isReader } from './running-proxy.ts';
import { addressOf, callPath } from './who-answers.ts';

/** Events that wait for a window that doesn't read; then it is cut off, reconnects and asks for what it missed. */
const mostWaiting = 2_000;

/**
 * Server-sent events to one window. While it does not read, the newest of each exchange waits for it, nothing else of
 * it and nothing without bound; what it gets is always a beginning of what happened, so that a window that was cut off
 * knows from where on it has to ask.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #waiting = new Map<string, AppEvent>();

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.on('drain', () => this.#drained());
  }

  send(event: AppEvent): void {
    if (this.#waiting.size === 0 && !this.#response.writableNeedDrain) this.#write(event);
    else this.#wait(event);
  }

  #wait(event: AppEvent): void {
    // The next one says more.
    if (event.event === 'progress') return;
    if (event.event === 'history-deleted') {
      for (const [key, waits] of this.#waiting) {
        if (waits.event === 'exchange' && waits.exchange.outcome !== 'running') this.#waiting.delete(key);
      }
    }
    const key = keyOf(event);
    this.#waiting.delete(key);
    this.#waiting.set(key, event);
    if (this.#waiting.size <= mostWaiting) return;
    this.#waiting.clear();
    this.#response.destroy();
  }

  #drained(): void {
    for (const [key, event] of this.#waiting) {
      if (this.#response.writableNeedDrain) return;
      this.#waiting.delete(key);
      this.#write(event);
    }
  }

  #write(event: AppEvent): void {
    this.#response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
}

/** Two events have the same key if the newer one says all that the older one did. */
function keyOf(event: AppEvent): string {
  switch (event.event) {
    case 'exchange':
      return event.exchange.id;
    case 'session':
      return `session ${event.session.id}`;
    case 'session-gone':
      return `session ${event.id}`;
    case 'session-listed':
      return `listed ${event.session.id}`;
    case 'session-unlisted':
      return `listed ${event.id}`;
    case 'session-side-questions':
      return `side-questions ${event.session}`;
    case 'session-customizations':
      return `customizations ${event.session}`;
    case 'agent':
      return `agent ${event.agent.name}`;
    case 'session-event':
      return `session-event ${event.entry.seq}`;
    default:
      return event.event;
  }
}

const bodyLimit = '64kb';
/** A message can have images: several of 3 MB each, in base64. */
const largeBodyLimit = '64mb';

/**
 * One route for all calls of the table that a dashboard may make: `POST /ui/api/call/totals` with the list of arguments
 * as JSON, answered `{ok: true, value}` or, with the same status, `{ok: false, problem}`. It lies behind the
 * dashboard's cookie. What changes something is asked by our own page alone: the browser has to say so in `Origin`,
 * which the door has compared with our addresses.
 *
 * @param wordsOf our sentences as they should be for who asks; null: as they are
 */
export function dashboardCalls(
  answering: Answering,
  wordsOf: (request: Request) => Promise<Words | null> = async () => null,
): Routes {
  const { table } = answering;
  return (router, library) => {
    router.post(`${callPath}:name`, onlyOurPage, argumentsReader(library, table), async (request, response) => {
      const name = String(request.params.name);
      const call = Object.hasOwn(table, name) ? table[name] : undefined;
      if (call === undefined || call.from === 'tray') {
        response.status(404).json({ error: `There is no call ${name}.` });
        return;
      }
      // What was not written for a person is a fault; the server logs it.
      const words = await wordsOf(request);
      const answer = await answerCall(words === null ? answering : { ...answering, words }, name, request.body);
      if (answer.ok || answer.problem !== 'bad-call') response.json(answer);
      else {
        const text = t('The page asked for “{name}” wrongly.', { name });
        const problem = { code: 'bad-call', text, remedy: t('Load it again.') };
        response.json({ ok: false, problem: words === null ? problem : inWords(problemSchema, problem, words) });
      }
    });
  };
}

/** What is no JSON, or too much of it, is the page's mistake and no fault of ours. */
function argumentsReader(library: typeof express, table: CallTable): express.RequestHandler {
  const readJson = library.json({ limit: bodyLimit, strict: true });
  const readLarge = library.json({ limit: largeBodyLimit, strict: true });
  return (request, response, next) => {
    const name = String(request.params.name);
    const isLarge = Object.hasOwn(table, name) && table[name]?.isLarge === true;
    const read = isLarge ? readLarge : readJson;
    read(request, response, (error?: unknown) => {
      const most = isLarge ? largeBodyLimit : bodyLimit;
      if (error === undefined) next();
      else response.status(400).json({ error: `A call has a list of arguments, as JSON of at most ${most}.` });
    });
  };
}

/** The server parses no query by itself. */
function parametersOf({ originalUrl }: Request): URLSearchParams {
  return new URL(originalUrl, 'http://127.0.0.1').searchParams;
}

function onlyOurPage(request: Request, response: Response, next: () => void): void {
  if (request.headers.origin !== undefined && request.is('application/json') === 'application/json') next();
  else response.status(403).json({ error: 'Only the dashboard’s own page may ask that.' });
}

/** A cookie counts for all ports of a host: without the port in its name two Jumpseats would replace each other's. */
const cookieName = (port: number): string => `jumpseat-${port}`;
const linkLifeMs = 24 * 60 * 60_000;
/** Every start of the proxy makes one, used or not. */
const mostLinks = 16;
const expiredPage = (command: string): string =>
  '<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Jumpseat</title>' +
  '<h1>This page was opened with a link that has expired.</h1>' +
  `<p>A link works once, within a day. Run <code>${inMarkup(command)} dashboard</code> in a terminal for a new one; ` +
  'the proxy and its sessions go on. The tray app needs none: its window shows the same.</p>';
/**
 * For a browser that another page sent, such as the file of `serve --open`: it keeps the cookie back until a page of
 * ours asks, also when what that page led to is reloaded.
 */
const arrivalPage =
  '<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">' +
  '<meta http-equiv="refresh" content="0; url=./"><title>Jumpseat</title><p><a href="./">Jumpseat’s dashboard</a></p>';
const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

interface Link {
  madeAt: number;
  used: () => void;
}

/**
 * Who may see the dashboard: a link that works once, within a day, brings a cookie that lasts as long as the server.
 */
export class DashboardDoor {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #secret: string;
  readonly #links = new Map<string, Link>();
  readonly #visitors = new Set<string>();

  /** `secret`: of the lock of this server. */
  constructor(clock: Pick<Clock, 'now'>, secret: string) {
    this.#clock = clock;
    this.#secret = secret;
  }

  isReader(request: Request, port: number): boolean {
    return isReader(this.#secret, port, request);
  }

  /** A fresh link for one visit. `used` resolves when it was used. */
  link(baseUrl: string): { url: string; used: Promise<void> } {
    const token = randomBytes(24).toString('base64url');
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#links.set(token, { madeAt: this.#clock.now(), used: resolve });
    for (const oldest of [...this.#links.keys()].slice(0, -mostLinks)) this.#links.delete(oldest);
    return { url: `${baseUrl}/ui/?link=${token}`, used: promise };
  }

  /** The cookie for a link that is used now for the first time, for the dashboard on this port; null for any other. */
  enter(token: string, port: number): string | null {
    const link = this.#links.get(token);
    if (link === undefined) return null;
    this.#links.delete(token);
    if (this.#clock.now() - link.madeAt > linkLifeMs) return null;
    link.used();
    const visitor = randomBytes(24).toString('base64url');
    this.#visitors.add(visitor);
    return `${cookieName(port)}=${visitor}; Path=/ui; HttpOnly; SameSite=Strict`;
  }

  knows(cookies: string | undefined, port: number): boolean {
    return (cookies ?? '').split(/; */).some((pair) => {
      const [name, value] = pair.split('=', 2);
      return name === cookieName(port) && value !== undefined && this.#visitors.has(value);
    });
  }
}

interface DashboardDependencies {
  door: DashboardDoor;
  /** The folder of the built page; null if there is none. */
  folder: string | null;
  app: App;
  /** What is typed here for `jumpseat`, such as `npx jumpseat`: the page and what it is sent name that. */
  command: string;
  redact: (text: string) => string;
}

/** The dashboard's page, its events and its calls. */
export function dashboardRoutes(dependencies: DashboardDependencies): Routes {
  return async (router, library) => {
    // The schemas of all calls would be made at every start otherwise.
    const [{ calls }, { eventInWords }] = await Promise.all([import('../api/calls.ts'), import('./event-words.ts')]);
    const { app, command, redact } = dependencies;
    const wordsOf = async (request: Request): Promise<Words | null> => {
      // A terminal names the command that is typed there.
      const isTerminal = dependencies.door.isReader(request, request.socket.localPort ?? 0);
      const isTypedHere = isTerminal || command === 'jumpseat';
      const language = await languageOfPage(parametersOf(request).get(languageParameter));
      if (language === english) return isTypedHere ? null : (sentence) => inOwnWords(sentence, command);
      return (sentence) => {
        const words = sentenceIn(language, sentence);
        return isTypedHere ? words : inOwnWords(words, command);
      };
    };
    router.post(dashboardLinkPath, (request, response) => {
      const { localPort: port = 0 } = request.socket;
      response.set(securityHeaders);
      if (!dependencies.door.isReader(request, port)) response.status(401).json({});
      else response.json({ url: dependencies.door.link(addressOf(port)).url });
    });
    router.use('/ui', (request, response, next) => {
      response.set(securityHeaders);
      const link = parametersOf(request).get('link');
      // Only the page itself is asked for with a link: a program that looks at addresses (HEAD) uses none up.
      const mayEnter = link !== null && request.method === 'GET' && request.path === '/';
      const { localPort: port = 0 } = request.socket;
      const cookie = mayEnter ? dependencies.door.enter(link, port) : null;
      if (cookie !== null) response.setHeader('set-cookie', cookie);
      const site = request.headers['sec-fetch-site'];
      if (cookie !== null && site !== undefined && site !== 'none' && site !== 'same-origin') {
        response.type('html').send(arrivalPage);
      } else if (cookie !== null || dependencies.door.knows(request.headers.cookie, port)) next();
      else if (dependencies.door.isReader(request, port)) next();
      else response.status(401).type('html').send(expiredPage(command));
    });
    await dashboardCalls({ table: calls, answers: [app], redact }, wordsOf)(router, library);
    router.get('/ui/api/events', async (request, response) => {
      const words = await wordsOf(request);
      // The page may have gone meanwhile, which nobody would say afterwards.
      if (response.destroyed) return;
      events(app, request, response, words === null ? (event) => event : (event) => eventInWords(event, words));
    });
    if (dependencies.folder === null) {
      router.get('/ui/', (_request, response) => {
        response.status(503).type('text').send('The dashboard is not built. Run "npm run build".');
      });
    } else {
      const page = join(dependencies.folder, 'index.html');
      router.get('/ui/', async (request, response, next) => {
        // Without the slash the page would look for its parts one folder too high: it is sent on.
        if (!request.path.endsWith('/')) return next();
        const html = await readFile(page, 'utf8').catch(() => null);
        if (html === null) next();
        else {
          const chosen = chosenPage(html, app.preferences());
          response.type('html').send(pageWithCommand(chosen, command));
        }
      });
      router.get('/ui/assets/:name', packedPart(join(dependencies.folder, 'assets')));
      router.use(
        '/ui',
        library.static(dependencies.folder, {
          index: 'index.html',
          fallthrough: true,
          cacheControl: false,
          etag: false,
        }),
      );
    }
  };
}

/** npm's package has the page's parts packed with Brotli: a browser asks for that over https alone. */
function packedPart(folder: string): (request: Request, response: Response, next: () => void) => Promise<void> {
  return async ({ params }, response, next) => {
    const name = String(params.name);
    const packed = /^[\w-]+\.(?:js|css)$/.test(name)
      ? await readFile(join(folder, `${name}.br`)).catch(() => null)
      : null;
    if (packed === null) return next();
    response.type(extname(name)).send(await promisify(brotliDecompress)(packed));
  };
}

function events(app: App, request: Request, response: Response, worded: (event: AppEvent) => AppEvent): void {
  const stream = new EventStream(response);
  // Changes before the first listener were told to none.
  stream.send(worded({ event: 'state', state: app.state() }));
  stream.send({ event: 'preferences', preferences: app.preferences() });
  const stop = app.listen((event) => stream.send(worded(event)));
  request.on('close', stop);
  response.on('close', stop);
}
