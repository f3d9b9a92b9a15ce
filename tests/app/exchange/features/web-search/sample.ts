import { readFileSync } from 'node:fs';

interface Sample {
  headers: [string, string][];
  body: {
    model: string;
    messages: unknown[];
    tools: Record<string, unknown>[];
    [key: string]: unknown;
  };
}

const file = new URL(
  '../../../../samples/claude-code-2.1.328-auxiliary-web-search.sonnet-4.6.request.json',
  import.meta.url,
);
const sample = JSON.parse(readFileSync(file, 'utf8')) as Sample;
const ofTheConnection = /^(?:authorization|connection|host|accept-encoding|content-length)$/i;

/** What Claude Code 2.1.328 sends for a search. */
export const claudeCodeSample = {
  headers: Object.fromEntries(sample.headers.filter(([name]) => !ofTheConnection.test(name))),
  body: sample.body,
};
