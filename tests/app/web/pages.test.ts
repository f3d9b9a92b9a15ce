import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../app/adapters/clock.ts';
import { nodeDialer } from '../../../app/adapters/dialer.ts';
import type { DialRequest } from '../../../app/ports.ts';
import { launchChild } from '../../../app/processes/launch.ts';
import { decodePage, makeReadable, mostText, Pages, pageTypeOf, pageWithinMs } from '../../../app/web/pages.ts';
import { readable } from '../../../app/web/readable.ts';

const publicAddress = '93.184.216.34';

let server: Server;
let port = 0;
let serve: (request: IncomingMessage, response: ServerResponse) => void;
let asked: string[];
/** What names lead to; the public address is played by this machine. */
let names: Record<string, string[]>;
let dialed: (string | null | undefined)[];

beforeEach(async () => {
  asked = [];
  dialed = [];
  names = { 'page.example': [publicAddress] };
  server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`);
    response.on('error', () => {});
    serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = Object(server.address()).port;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const dialer = nodeDialer({ env: {} });
const played = {
  dial: (request: DialRequest) => {
    dialed.push(request.address);
    return dialer.dial({ ...request, address: request.address === publicAddress ? '127.0.0.1' : request.address! });
  },
  proxyFor: () => Promise.resolve(null),
  addressesOf: (name: string) => Promise.resolve(names[name] ?? []),
  close: () => {},
};

function pages(over: Partial<ConstructorParameters<typeof Pages>[0]> = {}): Pages {
  return new Pages({ dialer: played, clock: nodeClock(), version: '0.0.0-test', launcher: launchChild, ...over });
}

function read(address = `http://page.example:${port}/`, from = 0) {
  return pages().read(address, from, new AbortController().signal);
}

function html(body: string, headers = {}): typeof serve {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(body);
  };
}

const sentence = 'A sentence of a page, with some commas, and more words than a menu. ';

describe('a page', () => {
  it('becomes Markdown: its article with title, headings, absolute links and code', async () => {
    serve = html(
      `<title>Of &amp; by</title><nav><a href=/menu>Menu</a></nav><article><h2>Head</h2><p>${sentence.repeat(12)}` +
        '<a href="/next?a=1">next</a> <a href="javascript:alert(1)">bad</a></p><pre><code>let x;\n</code></pre>' +
        '<script>alert(2)</script></article>',
    );
    const page = await read();
    expect(page).toMatchObject({ kind: 'page', url: `http://page.example:${port}/`, title: 'Of & by', notes: [] });
    const { text } = Object(page);
    expect(text).toContain('## Head');
    expect(text).toContain(`[next](http://page.example:${port}/next?a=1)`);
    expect(text).toContain('```\nlet x;\n```');
    expect(text).not.toMatch(/javascript:|alert/);
  });

  it('that is short or no article is given whole', async () => {
    serve = html('<title>t</title><body><ul><li>one<li>two</ul></body>');
    expect(Object(await read()).text).toMatch(/-\s+one\n-\s+two/);
  });

  it('of plain text or JSON stays as it is; of a long one any part can be had', async () => {
    const text = '0123456789'.repeat(5_000);
    serve = html(text, { 'content-type': 'text/plain' });
    const first = await read();
    expect(first).toMatchObject({ from: 0, length: 50_000, text: text.slice(0, mostText) });
    expect(Object(first).notes).toEqual(['There are 10000 characters more: ask again with start 40000.']);
    expect(await read(undefined, 60_000)).toMatchObject({
      text: '',
      notes: ['The page ends after 50000 characters, before start 60000.'],
    });
    expect(await read(undefined, 40_000)).toMatchObject({ text: text.slice(40_000), notes: [] });
  });

  it('is never cut within a character, and its parts make the whole', async () => {
    const text = `a${'😀'.repeat(30_000)}`;
    serve = html(text, { 'content-type': 'text/plain; charset=utf-8' });
    const parts: string[] = [];
    for (let start = 0; start < text.length; start += parts.at(-1)?.length ?? 0) {
      const part = Object(await read(undefined, start));
      expect([part.from, part.text.isWellFormed()]).toEqual([start, true]);
      parts.push(part.text);
    }
    expect([parts.length, parts.join('') === text]).toEqual([2, true]);
    expect(await read(undefined, 2)).toMatchObject({ from: 1 });
  });

  it('is asked for without a cookie or a key', async () => {
    let headers = {};
    serve = (request, response) => {
      headers = request.headers;
      html('<p>x')(request, response);
    };
    await read();
    expect(Object.keys(headers).toSorted()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  });
});

describe('refused', () => {
  const internal = 'The address leads into a private network or to this machine.';
  beforeEach(() => {
    serve = html('<p>secret');
  });

  it.each([
    ...['http://127.0.0.1:PORT/', 'http://2130706433:PORT/', 'http://0x7f.1:PORT/', 'http://[::1]:PORT/'],
    ...['http://[::ffff:127.0.0.1]:PORT/', 'http://0:PORT/', 'http://169.254.169.254/latest/meta-data/'],
    ...['http://localhost:PORT/', 'https://10.0.0.1/', 'http://[fe80::1]/', 'http://router/', 'http://nas.local/'],
  ])('%s', async (address) => {
    names.router = [publicAddress];
    names['nas.local'] = [publicAddress];
    names.localhost = ['127.0.0.1'];
    expect(await read(address.replace('PORT', String(port)))).toMatchObject({ kind: 'failed', reason: internal });
    expect(asked).toEqual([]);
  });

  it('a name that resolves to a private address, also beside a public one', async () => {
    names['inside.example'] = ['10.0.0.1'];
    names['both.example'] = [publicAddress, '127.0.0.1'];
    for (const name of ['inside', 'both'])
      expect(await read(`http://${name}.example:${port}/`)).toMatchObject({ kind: 'failed', reason: internal });
    expect(dialed).toEqual([]);
  });

  it('a redirect to such a name or address', async () => {
    names['inside.example'] = ['192.168.1.1'];
    for (const location of [`http://127.0.0.1:${port}/x`, 'http://inside.example/', '//[::1]/']) {
      serve = (_request, response) => response.writeHead(302, { location }).end();
      expect(await read()).toMatchObject({ kind: 'failed', reason: internal });
    }
    expect(asked).toEqual(Array(3).fill(`page.example:${port} /`));
  });

  it('what is no http address', async () => {
    for (const address of ['file:///etc/passwd', 'ftp://page.example/', 'data:text/html,x', 'nothing', 'https://'])
      expect(await read(address)).toMatchObject({ kind: 'failed' });
    serve = (_request, response) => response.writeHead(301, { location: 'file:///etc/passwd' }).end();
    expect(await read()).toMatchObject({ kind: 'failed', reason: 'Only http and https addresses are read.' });
    expect(await read(`http://me:secret@page.example:${port}/`)).toMatchObject({ kind: 'failed' });
  });

  it.each(['application/pdf', 'image/png', 'application/octet-stream'])('%s', async (type) => {
    serve = html('%PDF', { 'content-type': type });
    expect(await read()).toMatchObject({ kind: 'failed', reason: 'The page is no text.' });
  });

  it('an error of the server, and an unknown name', async () => {
    serve = (_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>x');
    expect(await read()).toMatchObject({ kind: 'failed', reason: 'The server answered 404.' });
    expect(await read('https://nobody.example/')).toMatchObject({
      kind: 'failed',
      reason: 'No server has the name nobody.example.',
    });
  });
});

describe('a hostile server', () => {
  it('connects to the address that was looked at, whatever the name leads to by then', async () => {
    serve = html('<p>x');
    await read();
    expect(dialed).toEqual([publicAddress]);
    expect(asked).toEqual([`page.example:${port} /`]);
  });

  it('redirects 5 times are followed, a sixth is not', async () => {
    const most =
      (times: number): typeof serve =>
      (request, response) => {
        const at = Number(request.url?.slice(1));
        if (at < times) response.writeHead(302, { location: `/${at + 1}` }).end();
        else html('<p>arrived')(request, response);
      };
    serve = most(5);
    expect(await read(`http://page.example:${port}/0`)).toMatchObject({ kind: 'page', text: 'arrived' });
    serve = most(10);
    asked = [];
    const failed = await read(`http://page.example:${port}/0`);
    expect(failed).toMatchObject({ kind: 'failed', reason: 'The page redirects more than 5 times.' });
    expect(asked).toHaveLength(6);
  });

  it('an endless body is read for 5 MiB and closed', async () => {
    const closed = Promise.withResolvers<void>();
    serve = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.on('close', () => closed.resolve());
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    const page = await read();
    expect(page).toMatchObject({ kind: 'page', length: 5 * 1024 * 1024 });
    expect(Object(page).notes[0]).toBe('The page is longer than 5 MiB; what comes after was not read.');
    await closed.promise;
  });

  it('a gzip bomb is unpacked no further than that', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    serve = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      response.end(bomb);
    };
    expect(await read()).toMatchObject({ kind: 'page', length: 5 * 1024 * 1024 });
  });

  it('what claims to be packed and is not, or in an unknown way, is a failure', async () => {
    for (const encoding of ['gzip', 'br', 'zstd', 'gzip, gzip']) {
      serve = html('plain', { 'content-encoding': encoding });
      expect(await read()).toMatchObject({ kind: 'failed' });
    }
  });

  it('in an unknown way, it is not waited for', async () => {
    const closed = Promise.withResolvers<void>();
    serve = (_request, response) => {
      response.on('close', () => closed.resolve());
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'zstd' });
      response.write('more comes, and never ends');
    };
    expect(await read()).toMatchObject({ kind: 'failed' });
    await closed.promise;
  });

  it('silence ends after 30 s, a client that leaves ends it at once', async () => {
    const arrived = Promise.withResolvers<void>();
    serve = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('<p>and');
      arrived.resolve();
    };
    const late = Promise.withResolvers<void>();
    const waits: number[] = [];
    const clock = {
      ...nodeClock(),
      sleep: (ms: number) => {
        waits.push(ms);
        return late.promise;
      },
    };
    const slow = pages({ clock }).read(`http://page.example:${port}/`, 0, new AbortController().signal);
    await arrived.promise;
    late.resolve();
    expect(await slow).toMatchObject({ kind: 'failed', reason: 'The page took longer than 30 seconds.' });
    expect(waits).toEqual([pageWithinMs]);
    const left = new AbortController();
    const leaving = pages().read(`http://page.example:${port}/`, 0, left.signal);
    left.abort(new Error('left'));
    await expect(leaving).rejects.toThrow('left');
  });
});

describe('behind a proxy', () => {
  it('the proxy resolves names that this machine can’t; a name that it resolves to a private address is refused', async () => {
    const seen: DialRequest[] = [];
    const proxied = {
      ...played,
      proxyFor: () =>
        Promise.resolve({
          address: 'proxy.example:3128',
          from: 'system',
          hasCredentials: false,
          problem: null,
        } as const),
      dial: (request: DialRequest) => {
        seen.push(request);
        return Promise.reject(new Error('enough'));
      },
    };
    names['inside.example'] = ['10.0.0.1'];
    for (const name of ['far.example', 'inside.example', 'wiki'])
      await pages({ dialer: proxied }).read(`http://${name}/`, 0, new AbortController().signal);
    // Plain connections go through no proxy, so it is asked for over https; and never on another way.
    expect(seen.map(({ url, address }) => [url.href, address])).toEqual([['https://far.example/', null]]);
  });
});

describe('makeReadable', () => {
  const read = (page: string, signal = new AbortController().signal) =>
    makeReadable(page, 'https://page.example/', signal, launchChild);

  it('a page that keeps the parser busy holds up no other, and ends with its signal', async () => {
    const over = new AbortController();
    // Measured: 40 s, at the end of which there is no stack left.
    const busy = read('<div>'.repeat(20_000), over.signal);
    const ended = expect(busy).rejects.toThrow('enough');
    // It is done in another process, so this one answers meanwhile.
    expect(await read('<p>quick')).toEqual({ title: null, markdown: 'quick' });
    over.abort(new Error('enough'));
    await ended;
  });

  it('nothing of a page is run, and what it hides in comments and scripts is not read', async () => {
    const page = '<script>globalThis.ran = true</script><!-- hidden --><style>p{}</style><p onclick="x()">seen</p>';
    expect(await read(page)).toEqual({ title: null, markdown: 'seen' });
    expect(globalThis).not.toHaveProperty('ran');
  });

  it('a page that takes all memory ends nothing but its own process', async () => {
    // V8 ended the whole process at it, whatever bound the thread had.
    const attributes = Array.from({ length: 560_000 }, (_, number) => `a${number}`).join(' ');
    expect(await read(`<p ${attributes}>y</p>`)).toBeNull();
  }, 240_000);

  it.each(['<p>y</p>', '<a href="/x">y</a>', '<B>y'])('a page full of %s is refused before it is parsed', (piece) => {
    expect(() => readable(piece.repeat(100_001), 'https://page.example/')).toThrow('too many elements');
  });

  it('a long page of ordinary text is read whole', async () => {
    const page = await read(
      `<title>Long</title>${'<p>Some words of a long page, one after the other.</p>'.repeat(20_000)}`,
    );
    expect(page?.markdown.length).toBeGreaterThan(900_000);
  });
});

describe('pageTypeOf', () => {
  it.each([
    ['text/html; charset=ISO-8859-1', { kind: 'html', charset: 'iso-8859-1' }],
    ['application/xhtml+xml', { kind: 'html', charset: null }],
    ['text/plain;charset="utf-8"', { kind: 'text', charset: 'utf-8' }],
    ['application/ld+json', { kind: 'text', charset: null }],
    ['application/rss+xml', { kind: 'text', charset: null }],
    ['application/pdf', null],
    ['image/svg+xml', null],
    ['application/octet-stream', null],
    [undefined, null],
  ])('%s', (type, read) => expect(pageTypeOf(type)).toEqual(read));
});

describe('decodePage', () => {
  const html = (charset: string | null) => ({ kind: 'html', charset }) as const;
  const latin = Buffer.from('<meta charset="windows-1252"><p>Gr\u00fc\u00dfe</p>', 'latin1');
  it('takes the charset that the page itself declares', () => expect(decodePage(latin, html(null))).toContain('Grüße'));
  it('takes the encoding of the server before that of the page', () =>
    expect(decodePage(latin, html('utf-8'))).toContain('Gr\ufffd'));
  it('takes that of a byte order mark before that of the server', () =>
    expect(decodePage(Buffer.from('\ufeffGrüße'), html('latin1'))).toBe('Grüße'));
  it('reads UTF-16 with its mark', () =>
    expect(decodePage(Buffer.from('\ufeffGrüße', 'utf16le'), html(null))).toBe('Grüße'));
  it('takes an unknown charset for UTF-8', () =>
    expect(decodePage(Buffer.from('Grüße'), html('klingon-8'))).toBe('Grüße'));
  it('takes UTF-16 that is declared in one byte a letter for UTF-8', () =>
    expect(decodePage(Buffer.from('<meta charset=utf-16>ü'), html(null))).toContain('ü'));
});
