/**
 * A page of messages: `## section`, then `### the exact words` with generated lines and whatever a person wrote below
 * them. Generated lines begin with `Code` or `**Next step:**`.
 */

/** @typedef {{ heading: string, code: string | null, status: string | null, remedies: string[] }} Entry */

const isGenerated = (line) => /^(?:Code |Status |\*\*Next step:\*\*|\*\*One of:\*\*)/.test(line);

/** What Markdown would read as something else. */
const plain = (text) => text.replaceAll('<', '\\<').replaceAll('\n', ' ').trim();

/** @param {Entry} entry */
function generatedLines({ code, status, remedies }) {
  const facts = [code === null ? null : `Code \`${code}\``, status === null ? null : `Status ${status}`];
  const first = facts.filter((each) => each !== null).join(' · ');
  const steps = [...new Set(remedies)].map(plain);
  return [first, stepLine(steps)].filter((line) => line !== '').map(wrapped);
}

/** A sentence for each way in would fill the page. */
const mostSteps = 4;

function stepLine(steps) {
  if (steps.length === 0) return '';
  if (steps.length === 1) return `**Next step:** ${steps[0]}`;
  if (steps.length <= mostSteps) return `**One of:** ${steps.join(' · ')}`;
  return '**Next step:** Sign in as the message says. [Sign in](../start/sign-in.md) has all ways.';
}

const widest = 120;

/** @param {string} line */
function wrapped(line) {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1);
    if (last !== '' && last.length + 1 + word.length > widest) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join('\n');
}

/** Entries whose words are the same are one. */
function distinct(entries) {
  const byHeading = new Map();
  for (const entry of entries) {
    const same = byHeading.get(entry.heading);
    if (same === undefined) byHeading.set(entry.heading, { ...entry });
    else same.remedies = [...same.remedies, ...entry.remedies];
  }
  return [...byHeading.values()];
}

/** @typedef {{ intro: string, entries: { heading: string, notes: string }[] }} ReadSection */

/** @returns {{ head: string, sections: Map<string, ReadSection> }} */
function read(page) {
  const [head = '', ...parts] = page.split(/^## /m);
  const sections = new Map();
  for (const part of parts) {
    const [intro, ...rest] = part.split(/^### /m);
    const end = intro.indexOf('\n');
    sections.set(intro.slice(0, end), {
      intro: intro.slice(end).trim(),
      entries: rest.map((each) => {
        const [heading = '', ...paragraphs] = each.trim().split('\n\n');
        const [title = '', ...more] = heading.split('\n');
        const kept = [more.join('\n'), ...paragraphs].filter((text) => text !== '' && !isGenerated(text));
        return { heading: title, notes: kept.join('\n\n') };
      }),
    });
  }
  return { head: head.trim(), sections };
}

/**
 * The page with the headings of now. Notes stay below their heading, or where a section has as many headings as before,
 * at their place.
 * @param {string} page
 * @param {{ title: string, id: string | null, entries: Entry[] }[]} sections one with an id stays without entries, and
 * then needs words of its own
 */
export function merged(page, sections) {
  const before = read(page);
  const missing = [];
  const parts = sections.map(({ title, id, entries }) => {
    const old = before.sections.get(title) ?? { intro: '', entries: [] };
    const now = distinct(entries);
    const shown = now.map((entry, index) => {
      const heading = plain(entry.heading);
      const same = old.entries.find((each) => each.heading === heading);
      if (same === undefined) missing.push(entry.heading);
      const notes = (same ?? (old.entries.length === now.length ? old.entries[index] : undefined))?.notes ?? '';
      return [`### ${heading}`, ...generatedLines(entry), notes].filter((text) => text !== '').join('\n\n');
    });
    if (now.length === 0 && old.intro === '') {
      if (id === null) return '';
      missing.push(`${title} (nothing is said of it)`);
    }
    return [`## ${title}`, old.intro, ...shown].filter((text) => text !== '').join('\n\n');
  });
  const text = `${[before.head, ...parts].filter((part) => part !== '').join('\n\n')}\n`;
  return {
    text,
    missing:
      missing.length === 0
        ? ''
        : `: ${missing
            .slice(0, 3)
            .map((each) => `“${each}”`)
            .join(', ')}`,
  };
}
