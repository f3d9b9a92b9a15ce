import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';
import type { Package } from '../../../app/packages/package.ts';

export const files = {
  'package/package.json': '{"name":"@octo/tool","version":"1.2.3"}',
  'package/bin/tool': '#!/bin/sh\necho tool\n',
  'package/README.md': 'A tool.',
};

/** A package as npm packs one: its bytes, and what Jumpseat would know of it. */
export async function pack(
  contents: Record<string, string> = files,
  more: TarEntry[] = [],
): Promise<{ bytes: Buffer; wanted: Package }> {
  const entries: TarEntry[] = Object.entries(contents).map(([name, body]) => ({
    header: { name, size: Buffer.byteLength(body), mode: name.includes('/bin/') ? 0o775 : 0o664 },
    body,
  }));
  const bytes = gzipSync(Buffer.from(await packTar([...entries, ...more])));
  const programs: Record<string, string> = {};
  for (const [name, body] of Object.entries(contents)) {
    if (name.includes('/bin/')) programs[name.replace(/^package\//, '')] = integrityOf(body);
  }
  const wanted = { name: '@octo/tool', version: '1.2.3', integrity: integrityOf(bytes), bytes: bytes.length, programs };
  return { bytes, wanted };
}

export function integrityOf(bytes: string | Buffer): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}
