import { describe, expect, it } from 'vitest';
import {
  filled,
  placesOf,
  readTemplate,
  wouldRun,
  writeTemplate,
} from '../../../../renderer/sessions/templates/template-text.ts';

const kept = (text: string, places: string[] = [], description: string | null = null) =>
  writeTemplate({ text, places, description });

describe('a template and its file', () => {
  it('has its places as Claude Code has them, and comes back as it was written', () => {
    const text = 'Review {{file}} for {{ issue }}.\n\nThen test {{file}}; it costs $5, $file is a variable, $HOME too.';
    const raw = kept(text);
    expect(raw).toBe(
      [
        ...['---', 'argument-hint: "[file] [issue]"', 'arguments: [file, issue]', '---'],
        ...['Review $file for $issue.', '', 'Then test $file; it costs \\$5, \\$file is a variable, $HOME too.', ''],
      ].join('\n'),
    );
    expect(readTemplate(raw)).toEqual({
      text: text.replace('{{ issue }}', '{{issue}}'),
      places: ['file', 'issue'],
      description: null,
      isPlain: true,
    });
  });

  it.each(['Hello', '---\nno front matter', "awk '{print $1, $ARGUMENTS}'", '{{ARGUMENTS}} and {{a}}', '{{é}} $$1'])(
    'comes back: %s',
    (text) => {
      const raw = kept(text, [], 'What "it" does');
      expect(readTemplate(raw)).toMatchObject({ text, description: 'What "it" does', isPlain: true });
      expect(readTemplate(kept(text)).text).toBe(text);
    },
  );

  it('the order of what is typed behind it stays, new places come behind', () => {
    const { places } = readTemplate(kept('{{b}} {{a}}'));
    expect(readTemplate(kept('{{c}} {{a}} {{b}}', [...places])).places).toEqual(['b', 'a', 'c']);
    expect(kept('no place left', [...places])).toBe('no place left\n');
  });

  it('one that was written by hand is read, whatever it calls its places', () => {
    const byHand = (front: string, body: string) => readTemplate(`---\r\n${front}\r\n---\r\n${body}\r\n`);
    expect(
      byHand('description: Fix it\nargument-hint: [issue number] [branch]', 'Fix $0 on $1, $2 ($ARGUMENTS)'),
    ).toEqual({
      text: 'Fix {{issue_number}} on {{branch}}, {{argument3}} ({{ARGUMENTS}})',
      places: ['issue_number', 'branch', 'argument3', 'ARGUMENTS'],
      ...{ description: 'Fix it', isPlain: true },
    });
    expect(byHand('arguments:\n  - file\n  - "who"', '$who $file $filename $ARGUMENTS[1]').text).toBe(
      '{{who}} {{file}} $filename {{who}}',
    );
    expect(readTemplate('Only words').text).toBe('Only words');
  });

  it('one that does more than say words is no template', () => {
    for (const raw of ['Now: !`git status`', '---\nallowed-tools: Bash(git *)\n---\nx', '```!\nls\n```'])
      expect(readTemplate(raw).isPlain).toBe(false);
    expect(wouldRun('run !`ls` now')).toBe(true);
    expect(wouldRun('Stop! `ls` is fine')).toBe(false);
  });

  it('what is filled in is what a person typed, and an empty place stays one', () => {
    const text = 'From {{a}} to {{b}}, {{a}}';
    expect(placesOf(text)).toEqual(['a', 'b']);
    expect(filled(text, new Map([['a', '$& {{b}}']]))).toBe('From $& {{b}} to {{b}}, $& {{b}}');
  });
});
