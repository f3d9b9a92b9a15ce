import { expect, it } from 'vitest';
import { mayOpenConfirmed } from '../../../app/words/opening.ts';

it.each([
  ['https://example.com/', true],
  ['http://127.0.0.1:8080/a?b=c#d', true],
  ['https://xn--pple-43d.com/a(b)?q=%22x%22&y=z', true],
  ['mailto:somebody@example.com?subject=Hello&body=x', true],
  ['https://example.com', false],
  ['https:example.com', false],
  ['HTTPS://example.com/', false],
  ['https://exa\tmple.com/', false],
  ['https://example.com\\@evil.example/', false],
  ['https://user@example.com/', false],
  ['https://user:word@example.com/', false],
  ['https://example.com/ --flag', false],
  ['https://example.com/"', false],
  ['https://ex\u0430mple.com/', false],
  ['mailto:somebody@example.com?attach=/etc/passwd', false],
  ['mailto:somebody@example.com?Attachment=/etc/passwd', false],
  ['file:///etc/passwd', false],
  ['javascript:alert(1)', false],
  ['smb://host/share', false],
  ['vscode://file/etc', false],
  ['ms-msdt:/id', false],
  ['-version', false],
  ['', false],
])('a confirmed address is opened, %s: %s', (address, may) => {
  expect(mayOpenConfirmed(address)).toBe(may);
});
