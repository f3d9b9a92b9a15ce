import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { nodeClock } from '../app/adapters/clock.ts';
import { homeFolder } from '../app/adapters/paths.ts';
import { type Editor, readSettings } from './editor.ts';
import { Jumpseat } from './jumpseat.ts';
import { editorModel } from './language-model-api.ts';

/** The one file that speaks to VS Code. */

let running: Jumpseat | null = null;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const folder = homeFolder(process.env, process.platform, homedir());
  const jumpseat = new Jumpseat({ editor: editorOf(context), folder, clock: nodeClock(), pid: process.pid });
  running = jumpseat;
  const command = (name: string, run: () => Promise<void>): vscode.Disposable =>
    vscode.commands.registerCommand(`jumpseat.${name}`, run);
  context.subscriptions.push(
    command('enable', () => jumpseat.enable()),
    command('disable', () => jumpseat.disable()),
    command('status', () => jumpseat.status()),
    command('copyEnvironment', () => jumpseat.copyEnvironment()),
    vscode.lm.onDidChangeChatModels(() => void jumpseat.modelsChanged()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('jumpseat')) void jumpseat.settingsChanged();
    }),
  );
  await jumpseat.activate();
}

export async function deactivate(): Promise<void> {
  await running?.deactivate();
}

function editorOf(context: vscode.ExtensionContext): Editor {
  const { version } = context.extension.packageJSON;
  const output = vscode.window.createOutputChannel('Jumpseat');
  const bar = vscode.window.createStatusBarItem('jumpseat.status', vscode.StatusBarAlignment.Right, 0);
  bar.name = 'Jumpseat';
  bar.command = 'jumpseat.status';
  const variables = context.environmentVariableCollection;
  // Those of a window that is gone would lead nowhere.
  variables.persistent = false;
  context.subscriptions.push(output, bar);
  const configuration = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('jumpseat');
  const keyName = 'key';
  const allowedName = 'allowed';
  const portName = 'port';
  return {
    classes: vscode,
    version: String(version),
    window: vscode.workspace.name === undefined ? 'VS Code' : `the window “${vscode.workspace.name}” of VS Code`,
    models: async () =>
      (await vscode.lm.selectChatModels({ vendor: 'copilot' })).map((model) => editorModel(vscode, model)),
    settings: () => readSettings((name) => configuration().get(name)),
    setEnabled: async (isEnabled) => configuration().update('enabled', isEnabled, vscode.ConfigurationTarget.Global),
    readKey: async () => context.secrets.get(keyName),
    keepKey: async (key) => context.secrets.store(keyName, key),
    lastPort: () => context.globalState.get(portName, 0),
    rememberPort: (port) => void context.globalState.update(portName, port),
    wasAllowed: () => context.globalState.get(allowedName) === true,
    rememberAllowed: (isAllowed) => void context.globalState.update(allowedName, isAllowed),
    showStatus: (shown) => {
      if (shown === null) {
        bar.hide();
        return;
      }
      bar.text = shown.text;
      bar.tooltip = shown.hover.filter((line) => line !== '').join('\n');
      bar.backgroundColor = shown.isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
      bar.show();
    },
    setTerminalEnvironment: (entries) => {
      variables.clear();
      for (const { name, value } of entries) variables.replace(name, value);
    },
    log: (line) => output.appendLine(`${new Date().toISOString()} ${line}`),
    showLog: () => output.show(),
    tell: async (kind, message, ...buttons) =>
      kind === 'warning'
        ? vscode.window.showWarningMessage(message, ...buttons)
        : vscode.window.showInformationMessage(message, ...buttons),
    choose: async (items) => vscode.window.showQuickPick([...items], { placeHolder: 'Copy the lines for' }),
    copy: async (text) => vscode.env.clipboard.writeText(text),
  };
}
