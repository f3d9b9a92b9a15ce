import type { RequestLine } from './exchange.ts';

/** One request in the output channel: who asked for what and how it went. No word of a prompt or an answer. */
export function logLine(line: RequestLine, isVerbose: boolean): string {
  const { api, client, askedModel, model, status, ms, failure, fromVscode, notes } = line;
  const asked =
    askedModel === null ? '' : ` ${shown(askedModel)}${model === null || model === askedModel ? '' : ` → ${model}`}`;
  const how = failure === null ? `${status}` : `${status} ${failure}`;
  const said = isVerbose ? notes.map(({ text }) => `\n    ${text}`).join('') : '';
  const why = fromVscode === '' ? '' : ` · VS Code: ${fromVscode}`;
  return `${client} · ${api}${asked} · ${how} · ${(ms / 1000).toFixed(1)} s${counts(line)}${why}${said}`;
}

function counts({ input, output, credits }: RequestLine): string {
  const tokens = input === null && output === null ? '' : ` · ${input ?? '?'} in, ${output ?? '?'} out`;
  return credits === null ? tokens : `${tokens} · ${credits.toFixed(2)} credits`;
}

/** A name is whatever a client says. */
function shown(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, '?').slice(0, 100);
}
