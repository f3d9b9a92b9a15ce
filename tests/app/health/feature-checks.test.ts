import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Exchange } from '../../../app/api/exchange.ts';
import type { SearchReport } from '../../../app/api/search.ts';
import type { AgentSources } from '../../../app/api/sessions.ts';
import {
  conversationsFinding,
  searchFinding,
  sessionProgramFinding,
  webFetchFinding,
} from '../../../app/health/feature-checks.ts';
import { day } from '../../../app/words/times.ts';
import { exchange } from '../../exchange.ts';

describe('the check of web search', () => {
  const report: SearchReport = {
    engines: ['copilot', 'github'],
    enginesFixedBy: null,
    keys: { brave: 'none', tavily: 'none', exa: 'none', serpapi: 'none', anthropic: 'none' },
    models: ['gpt-5-mini'],
    reach: 'directly',
    searxng: 'none',
  };

  it.each<[string, Partial<SearchReport>, string, string]>([
    ['usual', {}, 'passed', 'Copilot, then GitHub'],
    ['off', { engines: [] }, 'skipped', 'Off: nobody searches the web for clients'],
    ['no model', { models: [] }, 'warning', 'Copilot has no model that can search.'],
    [
      'through VS Code',
      { reach: 'through-vscode', models: [] },
      'warning',
      'Copilot can’t search while requests go through VS Code. GitHub can’t search while requests go through VS Code.',
    ],
    [
      'through VS Code with another engine',
      { reach: 'through-vscode', engines: ['duckduckgo'] },
      'passed',
      'DuckDuckGo',
    ],
    ['catalog not known', { models: null }, 'passed', 'Copilot, then GitHub'],
    ['no key', { engines: ['brave'] }, 'warning', 'Brave has no key.'],
    ['Tavily without a key', { engines: ['tavily'] }, 'passed', 'Tavily'],
    ['wrong key', { engines: ['exa'], keys: { ...report.keys, exa: 'refused' } }, 'warning', 'Exa refused its key.'],
    ['no address', { engines: ['searxng'] }, 'warning', 'SearXNG has no address.'],
    ['its address', { engines: ['searxng'], searxng: 'usable' }, 'passed', 'SearXNG'],
    [
      'an address that is not used',
      { engines: ['searxng'], searxng: 'refused' },
      'warning',
      'The address of SearXNG is neither https nor http on this machine, and isn’t used.',
    ],
  ])('%s', (_what, change, verdict, finding) => {
    expect(searchFinding({ ...report, ...change })).toMatchObject({ verdict, finding });
  });
});

describe('the check of Claude Code’s WebFetch', () => {
  const row = (startedAt: number, ...codes: string[]): Exchange =>
    exchange({ startedAt, fits: codes.map((code) => ({ code, count: 1, text: '' })) });

  it('nothing failed', () => {
    expect(webFetchFinding([row(1, 'web-search')], false)).toMatchObject({ verdict: 'passed', remedy: null });
  });

  it.each([
    ['webfetch-unverified', 'blocks api.anthropic.com'],
    ['webfetch-rate-limited', 'too many domains'],
  ])('the newest %s counts, and says what to do', (code, words) => {
    const old = code === 'webfetch-unverified' ? 'webfetch-rate-limited' : 'webfetch-unverified';
    expect(webFetchFinding([row(1, old), row(2, 'other', code), row(3)], false)).toMatchObject({
      verdict: 'warning',
      found: 'webfetch-asks-in-vain',
      finding: expect.stringContaining(words),
      remedy: expect.stringContaining('--skip-webfetch-preflight'),
    });
  });

  it('no more once it asks no longer', () => {
    expect(webFetchFinding([row(1, 'webfetch-unverified')], true)).toMatchObject({ verdict: 'passed', remedy: null });
  });
});

describe('the check of the Claude Code of sessions', () => {
  const sources: AgentSources = {
    ...{ chosen: 'fetched', own: null, file: null, leaderBytes: 0, wasLed: true, oldest: '2.1.273' },
    copy: { version: '2.1.320', isHere: true, bytes: 0, newer: { version: '2.1.328', bytes: 172_000_000 } },
  };

  it('says which Claude Code sessions run with, and where a newer one can be fetched', () => {
    const found = { available: true, version: '2.1.320', from: 'fetched' } as const;
    expect(sessionProgramFinding({ found, sources })).toEqual({
      verdict: 'passed',
      finding: '2.1.320, the copy that Jumpseat fetched. 2.1.328 can be fetched: “Update” in Settings → Sessions',
      remedy: null,
    });
    // One of the person's own is theirs to update.
    expect(sessionProgramFinding({ found: { ...found, from: 'own' }, sources }).finding).toBe(
      '2.1.320, the claude on this machine',
    );
  });

  it('warns only where sessions were set up', () => {
    const found = { available: false, reason: 'The Agent SDK isn’t here.', remedy: 'Let Jumpseat fetch it.' } as const;
    expect(sessionProgramFinding({ found: { ...found, isChosen: true }, sources })).toEqual({
      ...{ verdict: 'warning', finding: 'The Agent SDK isn’t here.', remedy: 'Let Jumpseat fetch it.' },
    });
    expect(sessionProgramFinding({ found: { ...found, isChosen: false }, sources: null })).toEqual({
      ...{ verdict: 'skipped', finding: 'Not set up. The Agent SDK isn’t here.', remedy: null },
    });
  });
});

describe('conversations', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jumpseat-conversations-'));
  const settings = join(folder, '.claude', 'settings.json');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const now = Date.now();
  const dayMs = 86_400_000;
  const conversation = (name: string, ageDays: number) => {
    const project = join(folder, '.claude', 'projects', '-home-me-app');
    mkdirSync(project, { recursive: true });
    const changed = (now - ageDays * dayMs) / 1000;
    writeFileSync(join(project, name), '');
    utimesSync(join(project, name), changed, changed);
  };
  let isOurs = false;
  const found = () => conversationsFinding(settings, now, async () => isOurs);

  it('that Claude Code deletes within a week are announced, until the person has chosen how long', async () => {
    conversation('new.jsonl', 2);
    conversation('notes.md', 40);
    const kept = {
      verdict: 'passed',
      finding: 'Claude Code deletes conversations 30 days after their last message.',
      remedy: null,
    };
    expect(await found()).toEqual({ ...kept, found: 'usual-days' });
    conversation('old.jsonl', 25);
    conversation('older.jsonl', 28);
    expect(await found()).toEqual({
      verdict: 'warning',
      finding: `${kept.finding} 2 conversations will be deleted within 7 days, the first on ${day(now + 2 * dayMs)}.`,
      remedy: 'To keep them for a year, run "jumpseat setup claude-code --keep-days 365".',
      remedyFor: 'terminal',
    });
    conversation('oldest.jsonl', 31);
    expect(await found()).toMatchObject({
      finding: `${kept.finding} 3 conversations will be deleted within 7 days, the first at its next start.`,
    });
    writeFileSync(settings, '{ "cleanupPeriodDays": 365 }');
    expect(await found()).toEqual({ ...kept, finding: kept.finding.replace('30', '365') });
    isOurs = true;
    expect(await found()).toMatchObject({ verdict: 'passed', found: 'our-days' });
  });
});
