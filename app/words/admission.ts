import type { AdmissionState, CredentialKind, RuntimeState, Way } from '../api/account.ts';
import { grouped } from './numbers.ts';

/** Short words for the identity that requests use. */
export const wayNames: Readonly<Record<Way, string>> = {
  vscode: 'as VS Code',
  'copilot-sdk': 'through GitHub’s Copilot SDK',
};

/** What a person should know of each way before they choose it. */
export const wayFacts: Readonly<Record<Way, string>> = {
  vscode:
    'Requests name VS Code and its Copilot plugin, with a sign-in of VS Code’s app. All models of your plan are available. ' +
    'GitHub supports that sign-in only in VS Code.',
  'copilot-sdk':
    'GitHub’s own runtime for other programs chooses address and headers. You sign in with your own app, token or the ' +
    'Copilot CLI. GitHub calls this interface experimental: it may change or go.',
};

/** What GitHub says of the way in use. */
export const wayStanding: Readonly<Record<Way, string>> = {
  vscode: 'GitHub supports VS Code’s sign-in only in VS Code.',
  'copilot-sdk': 'GitHub calls the call that this uses experimental: it may change or go.',
};

/** The same of a request, by the editor version that it named. */
export function standingOf(sentAs: string): string {
  return wayStanding[sentAs.startsWith('vscode/') ? 'vscode' : 'copilot-sdk'];
}

/** What a person should know before the first sign-in, in the terminal and in the window. */
export const wayRisk: Readonly<Record<Way, string>> = {
  vscode:
    'GitHub doesn’t support other programs on this service and may limit or suspend accounts that use them. ' +
    'Jumpseat never hides who started a request.',
  'copilot-sdk':
    'GitHub offers this way to other programs, but calls it experimental and says nothing of another vendor’s agent ' +
    'on it. Jumpseat never hides who started a request.',
};

/** The same at length, as the README says it. */
export const riskAtLength: readonly string[] = [
  'Jumpseat has two ways into Copilot, and changes from one to the other only when you say so. By default it ' +
    'signs in with VS Code’s app and names VS Code: GitHub supports that in VS Code alone.',
  'GitHub’s own Copilot SDK is made for other programs and signs in as you. The ' +
    'call that Jumpseat uses is marked experimental. Choose it with “Choose another way…” at the sign-in, or later in ' +
    'Settings → Account.',
  'GitHub nowhere says that agents of other vendors may use these ways. GitHub’s terms let it limit or suspend ' +
    'accounts. People have reported suspensions, mostly after bulk use, several accounts, or ' +
    'requests marked as the program’s own.',
  'Jumpseat moves no request from one account to another and never hides who started a request. It sends nothing ' +
    'to find out what it costs. That lowers the risk and does not remove it. It is your account: decide with that ' +
    'in mind, and ask first where it belongs to your employer.',
];

const credentialNames: Readonly<Record<CredentialKind, string>> = {
  vscode: 'a sign-in of VS Code’s app',
  'own-app': 'a sign-in of your own OAuth app',
  token: 'a token that you made',
  'copilot-login': 'the sign-in of the Copilot CLI',
};

/** Said before it is used. */
export const copilotLoginFact =
  'The Copilot CLI’s sign-in may do more than Copilot needs: read and write your repositories, gists and codespaces.';

/** `vscode/1.139.1 (vscode-chat)`; null until it is known. */
export function sentAsWords({ sentAs }: Pick<AdmissionState, 'sentAs'>): string | null {
  return sentAs === null ? null : `${sentAs.editor} (${sentAs.integration})`;
}

/** `as VS Code, with a sign-in of VS Code’s app; requests name vscode/1.139.1 (vscode-chat)` */
export function admissionWords(admission: Pick<AdmissionState, 'way' | 'credential' | 'sentAs'>): string {
  const { way, credential } = admission;
  const sent = sentAsWords(admission);
  const using = credential === null ? 'nobody has signed in there yet' : `with ${credentialNames[credential]}`;
  return `${wayNames[way]}, ${using}${sent === null ? '' : `; requests name ${sent}`}`;
}

/** How much is fetched: `47 MB`. */
export function megabytes(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1_000_000))} MB`;
}

export function runtimeWords(runtime: RuntimeState): string {
  switch (runtime.kind) {
    case 'ready':
      return `GitHub’s runtime ${runtime.version} is here.`;
    case 'absent':
      return `GitHub’s runtime isn’t here. It is fetched from the npm registry, ${megabytes(runtime.bytes)}.`;
    case 'fetching':
      return `Fetching GitHub’s runtime: ${megabytes(runtime.received)}${
        runtime.total === null ? '' : ` of ${megabytes(runtime.total)}`
      }.`;
    case 'unavailable':
      return `${runtime.text} ${runtime.remedy}`;
  }
}
