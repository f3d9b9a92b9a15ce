import type { AdmissionState, CredentialKind, RuntimeState, Way } from '../api/account.ts';
import { type Message, msg } from '../language/messages.ts';
import { sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import { grouped } from './numbers.ts';

/** What a person should know of each way before they choose it. */
export const wayFacts: Readonly<Record<Way, Message>> = {
  vscode: msg(
    'Requests name VS Code and its Copilot plugin, with a sign-in of VS Code’s app. All models of your plan are available. GitHub supports that sign-in only in VS Code.',
  ),
  'copilot-sdk': msg(
    'GitHub’s own runtime for other programs chooses address and headers. You sign in with your own app, token or the Copilot CLI. GitHub calls this interface experimental: it may change or go.',
  ),
};

/** What GitHub says of the way in use. */
export const wayStanding: Readonly<Record<Way, Message>> = {
  vscode: msg('GitHub supports VS Code’s sign-in only in VS Code.'),
  'copilot-sdk': msg('GitHub calls the call that this uses experimental: it may change or go.'),
};

/** The same of a request, by the editor version that it named. */
export function standingOf(sentAs: string): Message {
  return wayStanding[sentAs.startsWith('vscode/') ? 'vscode' : 'copilot-sdk'];
}

/** What a person should know before the first sign-in, in the terminal and in the window. */
export const wayRisk: Readonly<Record<Way, Message>> = {
  vscode: msg(
    'GitHub doesn’t support other programs on this service and may limit or suspend accounts that use them. Jumpseat always says truthfully whether you or the agent started a request.',
  ),
  'copilot-sdk': msg(
    'GitHub offers this way to other programs, but calls it experimental and says nothing of another vendor’s agent on it. Jumpseat always says truthfully whether you or the agent started a request.',
  ),
};

/** The same at length, as the README says it. */
export const riskAtLength: readonly Message[] = [
  msg(
    'Jumpseat has two ways into Copilot, and changes from one to the other only when you say so. By default it signs in with VS Code’s app and names VS Code: GitHub supports that in VS Code alone.',
  ),
  msg(
    'GitHub’s own Copilot SDK is made for other programs and signs in as you. The call that Jumpseat uses is marked experimental. Choose it with “Choose another way…” at the sign-in, or later in Settings → Account.',
  ),
  msg(
    'GitHub nowhere says that agents of other vendors may use these ways. GitHub’s terms let it limit or suspend accounts. People have reported suspensions, mostly after bulk use, several accounts, or requests marked as the program’s own.',
  ),
  msg(
    'Jumpseat moves no request from one account to another and always says truthfully whether you or the agent started it. It sends nothing to find out what it costs. That lowers the risk and does not remove it. It is your account: decide with that in mind, and ask first where it belongs to your employer.',
  ),
];

/** Said before it is used. */
export const copilotLoginFact = msg(
  'The Copilot CLI’s sign-in may do more than Copilot needs: read and write your repositories, gists and codespaces.',
);

/** `vscode/1.139.1 (vscode-chat)`; null until it is known. */
export function sentAsWords({ sentAs }: Pick<AdmissionState, 'sentAs'>): string | null {
  return sentAs === null ? null : `${sentAs.editor} (${sentAs.integration})`;
}

/** `as VS Code, with a sign-in of VS Code’s app; requests name vscode/1.139.1 (vscode-chat)` */
export function admissionWords(admission: Pick<AdmissionState, 'way' | 'credential' | 'sentAs'>): string {
  const { way, credential } = admission;
  const sent = sentAsWords(admission);
  // Chosen by name: a select in the message has the whole sentence, with its commas, for translators.
  return sent === null
    ? t(
        '{way, select, vscode {as VS Code} other {through GitHub’s Copilot SDK}}, {credential, select, vscode {with a sign-in of VS Code’s app} ownApp {with a sign-in of your own OAuth app} token {with a token that you made} copilotLogin {with the sign-in of the Copilot CLI} other {nobody has signed in there yet}}',
        { way, credential: credential === null ? 'none' : credentialKeys[credential] },
      )
    : t(
        '{way, select, vscode {as VS Code} other {through GitHub’s Copilot SDK}}, {credential, select, vscode {with a sign-in of VS Code’s app} ownApp {with a sign-in of your own OAuth app} token {with a token that you made} copilotLogin {with the sign-in of the Copilot CLI} other {nobody has signed in there yet}}; requests name {sent}',
        { way, credential: credential === null ? 'none' : credentialKeys[credential], sent },
      );
}

const credentialKeys: Readonly<Record<CredentialKind, string>> = {
  vscode: 'vscode',
  'own-app': 'ownApp',
  token: 'token',
  'copilot-login': 'copilotLogin',
};

/** How much is fetched: `47 MB`. */
export function megabytes(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1_000_000))} MB`;
}

export function runtimeWords(runtime: RuntimeState): string {
  switch (runtime.kind) {
    case 'ready':
      return t('GitHub’s runtime {version} is here.', { version: runtime.version });
    case 'absent':
      return t('GitHub’s runtime isn’t here. It is fetched from the npm registry, {size}.', {
        size: megabytes(runtime.bytes),
      });
    case 'fetching':
      return runtime.total === null
        ? t('Fetching GitHub’s runtime: {received}.', { received: megabytes(runtime.received) })
        : t('Fetching GitHub’s runtime: {received} of {total}.', {
            received: megabytes(runtime.received),
            total: megabytes(runtime.total),
          });
    case 'unavailable':
      return sentences(runtime.text, runtime.remedy);
  }
}
