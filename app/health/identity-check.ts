import { vscodeIdentity } from '../account/vscode-identity.ts';
import { counted } from '../words/numbers.ts';
import { day } from '../words/times.ts';
import { type Finding, passed, warning } from './finding.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Copilot turns old versions away; from which age on is not known. */
const oldAfterDays = 180;

/** Which program Copilot is told that it speaks to, and how old that is. `sent` are the headers of a request. */
export function identityFinding(sent: Readonly<Record<string, string>>, now: number): Finding {
  const editor = sent['Editor-Version'] ?? 'no editor';
  const plugin = sent['Editor-Plugin-Version'];
  const said = plugin === undefined ? editor : `${editor} with ${plugin}`;
  const { editorVersion, pluginVersion } = vscodeIdentity;
  if (!editor.startsWith('vscode/')) return passed(said);
  if (editor !== editorVersion.value || plugin !== pluginVersion.value) {
    return passed(`${said}, as settings.json says`);
  }
  const looked = Date.parse(`${editorVersion.on}T12:00:00Z`);
  const age = Math.max(0, Math.floor((now - looked) / dayMs));
  const finding = `${said}, as VS Code was seen on ${day(looked)}, ${age === 0 ? 'today' : `${counted(age, 'day')} ago`}`;
  if (age < oldAfterDays) return passed(finding);
  return warning(`${finding}. Copilot turns versions away that are too old.`, 'Update Jumpseat.');
}
