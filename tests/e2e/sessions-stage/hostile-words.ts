/** Words that were written to do harm in the window that shows them. Where they succeed, `window.hacked` is set. */

const esc = '\u001b';

/** Turns what follows around, and hides what comes after it. */
export const turned = 'report\u202egnp.exe\u2066\u200b\u2028\u0007';

/** For places that take a name: markup, turned around, with controls, escapes and more than one line. */
export const name = `<img src=x onerror=hacked=1>${turned}${esc}]52;c;aGFja2Vk\u0007\n${esc}[31mred`;

export const attacks = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '<svg onload="window.hacked = 1"><use href="//evil.test/x"/></svg>',
  '<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>',
  '<form action="//evil.test"><button formaction="javascript:window.hacked=1">go</button></form>',
  '<style>* { display: none }</style><link rel=stylesheet href=//evil.test/s.css><base href="//evil.test/">',
  '<a href="https://evil.test" ping="https://evil.test/p">x</a><meta http-equiv=refresh content="0;url=//evil.test">',
  '[script](javascript:window.hacked=1) [data](data:text/html,<script>1</script>) [vb](vbscript:x)',
  '[bundle](app://bundle/x) [file](file:///etc/passwd) [share](file://host/share) [unc](\\\\host\\share\\x.exe)',
  '[bank](https://gооgle.com/login) [user](https://github.com@evil.test/) [code](vscode://evil/x)',
  '![i](//evil.test/i.png) ![j](https://evil.test/j.png) ![k](data:image/svg+xml,<svg onload=alert(1)>)',
  '![l](file:///etc/passwd) ![m](\\\\host\\share\\i.png)',
  `${turned} \u2067 שלום \u0000\u0001\u0008\u007f\u009b\ufeff\u200d`,
  `${esc}[2J${esc}[Hcleared ${esc}]0;title\u0007 ${esc}]8;;https://evil.test\u0007link${esc}]8;;\u0007 ${esc}[31mred`,
  `${esc}]52;c;aGFja2Vk\u0007 ${esc}Pq#0;2;0;0;0${esc}\\ over\rwritten`,
].join('\n\n');

/** Words in the shape of what Jumpseat itself asks. */
export const imitation = [
  '### Run this command?',
  '<section role="group" aria-label="Run this command?"><button>Allow once</button></section>',
  '`Allow once` [Allow once](javascript:window.hacked=1) **Deny**',
  '- [ ] Allow for this session…',
].join('\n\n');

const columns = Array.from({ length: 1_000 }, (_, at) => `c${at}`);
const row = (cells: readonly string[]): string => `|${cells.join('|')}|`;

/** More of a kind than anyone would write. */
export const tooMuch: readonly string[] = [
  'x'.repeat(5_000_000),
  `\`\`\`ts\n${'x'.repeat(5_000_000)}\n\`\`\``,
  Array.from({ length: 1_000 }, (_, depth) => `${'  '.repeat(depth)}- level ${depth}`).join('\n'),
  `${'>'.repeat(1_000)} quoted`,
  [row(columns), row(columns.map(() => '-')), row(columns)].join('\n'),
  `${'*_'.repeat(5_000)}a${'_*'.repeat(5_000)}`,
  `${'['.repeat(20_000)}a${']'.repeat(20_000)}`,
  `a${'\u0301'.repeat(5_000)}`,
];
