import type { Notice } from '../api/account.ts';
import type { JsonObject } from '../formats/wire/json.ts';
import type { Redact } from '../ports.ts';
import { asObject, asText } from './json.ts';

/**
 * GitHub's own words for a refusal: `error_details` of a refused Copilot token (`error-403-copilot-token-spammy_user`).
 * Its `url` may hold `{EDITOR}`, which stands for the editor's name in lower case. Only an https link is kept, and
 * nothing that is secret.
 */
export function readNotice(body: JsonObject, redact: Redact): Notice | null {
  const details = asObject(body.error_details);
  if (!details) return null;
  const read = (value: unknown): string | null => {
    const text = asText(value);
    return text === null ? null : redact(text);
  };
  const title = read(details.title);
  const message = read(details.message);
  const id = read(details.notification_id);
  if (!title && !message && !id) return null;
  return {
    id: id ?? 'refused',
    title: title ?? 'GitHub gives no Copilot token',
    message: message ?? read(body.message) ?? '',
    url: readLink(read(details.url)),
  };
}

function readLink(text: string | null): string | null {
  if (!text) return null;
  const link = text.replaceAll('{EDITOR}', 'vscode');
  return URL.canParse(link) && new URL(link).protocol === 'https:' ? link : null;
}
