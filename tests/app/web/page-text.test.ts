import { describe, expect, it } from 'vitest';
import { decodePage, pageTypeOf } from '../../../app/web/page-text.ts';

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
