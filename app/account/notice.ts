import type { Notice } from '../api/account.ts';
import { asObject, asText, type Json } from './json.ts';

/**
 * GitHub's own words for a refusal: `error_details` of a refused Copilot token (`error-403-copilot-token-spammy_user`). Its
 * `url` may hold `{EDITOR}`, which stands for the editor's name in lower case. Only an https link is kept.
 */
export function readNotice(body: Json): Notice | null {
  const details = asObject(body.error_details);
  if (!details) return null;
  const title = asText(details.title);
  const message = asText(details.message);
  const id = asText(details.notification_id);
  if (!title && !message && !id) return null;
  return {
    id: id ?? 'refused',
    title: title ?? 'GitHub gives no Copilot token',
    message: message ?? asText(body.message) ?? '',
    url: readLink(asText(details.url)),
  };
}

function readLink(text: string | null): string | null {
  if (!text) return null;
  const link = text.replaceAll('{EDITOR}', 'vscode');
  return URL.canParse(link) && new URL(link).protocol === 'https:' ? link : null;
}
