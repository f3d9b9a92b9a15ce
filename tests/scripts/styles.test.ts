import { describe, expect, it } from 'vitest';
import { classNameOf } from '../../scripts/lib/class-names.ts';
import { script } from './script.ts';

interface Named {
  modules: string[];
  classes: Set<string>;
  plain: Set<string>;
  words: Set<string>;
}

const { mismatches, namedIn, offScale } = await script<{
  offScale: (css: string) => string[];
  namedIn: (file: string, text: string) => Named;
  mismatches: (
    modules: Record<string, string>,
    sharedSheets: string[],
    sources: (Named & { file: string })[],
  ) => string[];
}>('styles');

describe('the scale', () => {
  it('is what spaces, sizes of type and heights of what is pressed are taken from', () => {
    const css = `.a {
  padding: 7px var(--space-5);
  gap: 0 10px;
  font-size: 12.5px;
  font: 500 12px / 16px var(--font);
  height: 28px;
}`;
    expect(offScale(css)).toEqual([
      'line 2: padding: 7px var(--space-5) is no step of --space-1 to --space-9.',
      'line 3: gap: 0 10px is no step of --space-1 to --space-9.',
      'line 4: font-size: 12.5px is no step of --type-1 to --type-7.',
      'line 5: font: 500 12px / 16px var(--font) is no step of --type-1 to --type-7.',
      'line 6: height: 28px is var(--control).',
    ]);
  });

  it('leaves hairlines, other units, heights of other things and what has a reason', () => {
    const css = `.a {
  padding: 0 1px calc(-1 * var(--space-2)) auto;
  margin: 0 -1px;
  height: 260px;
  font: var(--type-2) / 18px var(--mono);
  /* off the scale: a line of the page before. */
  margin-top: 7px;
  margin-left: 9px; /* off the scale: as wide as the sign. */
}`;
    expect(offScale(css)).toEqual([]);
  });

  it('has a short list of breakpoints, in one form', () => {
    const css = '@media (max-width: 900px) { a { color: red; } } @media (width < 900px) { a { color: red; } }';
    expect(offScale(css)).toEqual([expect.stringMatching(/^line 1: @media \(max-width: 900px\) is none of: /)]);
    expect(offScale('@container session (width < 560px) { a { color: red; } }')).toEqual([]);
  });
});

describe('classes', () => {
  const source = (text: string) => ({
    file: 'renderer/health/view.tsx',
    ...namedIn('view.tsx', `import styles from './health.module.css';\n${text}`),
  });
  const found = (css: string, text: string) =>
    mismatches(
      { 'renderer/health/health.module.css': css },
      ['.muted { color: red; }\n.box .title { color: red; }'],
      [source(text)],
    );

  it('are named by what a file gives to className and to css', () => {
    const { modules, classes, plain } = source(`
      <p className="a b" />;
      <p className={css('c', { d: true, 'e-f': false }, on ? 'g' : 'h', kind)} />;
      <p className={on ? 'i' : undefined} />;
    `);
    expect(modules).toEqual(['health']);
    expect([...classes]).toEqual(['c', 'd', 'e-f', 'g', 'h']);
    expect([...plain]).toEqual(['a', 'b', 'i']);
  });

  it('are all defined, and all used', () => {
    expect(found('.check :global(.muted) { color: red; }', `<p className={css('check', 'muted')} />`)).toEqual([]);
    expect(found('.check, .old { color: red; }', `<p className={css('check', 'chekc')} />`)).toEqual([
      'health.module.css: .old is named by no file of its room.',
      'renderer/health/view.tsx: no sheet that it can name has .chekc.',
    ]);
  });

  it('of a module are named through it', () => {
    expect(found('.check { color: red; }', `<p className="muted check" />`)).toEqual([
      'renderer/health/view.tsx: .check is no shared look; is it meant to be in css(…)?',
    ]);
  });

  it('may be the kind of something, or end in one', () => {
    const css = '.failed, .cell-time { color: red; }';
    expect(found(css, `const kinds = { failed: 1 }; <p className={css(kind, \`cell-\${name}\`)} />`)).toEqual([]);
  });

  it('of a module are no shared looks, and what it calls global is one', () => {
    expect(found('.muted :global(.gone), .title { color: red; }', `<p className={css('muted', 'title')} />`)).toEqual([
      'health.module.css: .muted is a shared look, too.',
      'health.module.css: :global(.gone) is no shared look.',
    ]);
  });
});

it('a class is called after its module in the page', () => {
  expect(classNameOf('verdict', '/x/renderer/health/health.module.css?used')).toBe('health_verdict');
});
