import { expect, it } from 'vitest';
import { Started } from '../../started.ts';

it('compilers on other threads take no room in the heap, so that none can hold up the end', async () => {
  const module = JSON.stringify(new URL('../../../app/adapters/compilers.ts', import.meta.url).href);
  const flagsAfter = async (code: string): Promise<Record<string, string | undefined>> => {
    // V8's list says what holds now, and ends the process.
    const script = `import { setFlagsFromString } from 'node:v8'; ${code} setFlagsFromString('--help');`;
    const { out } = await new Started(process.execPath, ['--input-type=module', '-e', script]).ended();
    const defaultOf = (flag: string): string | undefined =>
      new RegExp(`^ {2}--${flag} .*\\n.* default: (\\S+)$`, 'm').exec(out)?.[1];
    return { sparkplug: defaultOf('concurrent-sparkplug'), maglev: defaultOf('maglev-build-code-on-background') };
  };
  expect(await flagsAfter('')).toEqual({
    sparkplug: '--concurrent-sparkplug',
    maglev: '--maglev-build-code-on-background',
  });
  expect(await flagsAfter(`import { compileBesideTheHeap } from ${module}; compileBesideTheHeap();`)).toEqual({
    sparkplug: '--no-concurrent-sparkplug',
    maglev: '--no-maglev-build-code-on-background',
  });
});
