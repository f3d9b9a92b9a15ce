import classNames from 'classnames/bind';
import { type ReactNode, useState } from 'react';
import type { SessionRule } from '../../../app/api/sessions.ts';
import { listed } from '../../../app/language/formats.ts';
import { t } from '../../../app/language/translate.ts';
import { joinsCommands, ruleNotation } from '../../../app/words/agents.ts';
import { rich } from '../../parts/rich.tsx';
import { AnswerButton, Choice, useCardKeys } from './answering.tsx';
import type { AskedPermission } from './asked.ts';
import styles from './questions.module.css';

const css = classNames.bind(styles);

interface ChooseRuleProps {
  /** At least one. */
  rules: readonly OfferedRule[];
  look: 'primary' | 'danger';
  allow: (rule: OfferedRule['rule']) => void;
  back: () => void;
  /** What is asked. */
  children: ReactNode;
}

export function ChooseRule({ rules, look, allow, back, children }: ChooseRuleProps) {
  const [chosen, setChosen] = useState(0);
  const rule = rules[chosen];
  const run = (): void => {
    if (rule !== undefined) allow(rule.rule);
  };
  const digits = rules.map((_, at): [string, () => void] => [String(at + 1), () => setChosen(at)]);
  useCardKeys({ ...Object.fromEntries(digits), Enter: run, Escape: back });
  return (
    <>
      <div className={css('ask-body')}>
        {children}
        <fieldset className={css('ask-choices')}>
          <legend>{t('What may run without asking until this session ends?')}</legend>
          {rules.map(({ label, notation, also }, at) => (
            <Choice
              key={label}
              kind="radio"
              name="rule"
              label={label}
              digit={at + 1}
              isChosen={at === chosen}
              isFocused={at === chosen}
              choose={() => setChosen(at)}
            >
              {notation !== null && <RuleWords notation={notation} also={also} />}
            </Choice>
          ))}
        </fieldset>
      </div>
      <footer className={css('ask-foot')}>
        <AnswerButton look={look} hint="Enter" run={run}>
          {t('Allow for this session')}
        </AnswerButton>
        <AnswerButton hint="Esc" run={back}>
          {t('Back')}
        </AnswerButton>
        <span className={css('end')}>{t('Nothing is written to your settings.')}</span>
      </footer>
    </>
  );
}

function RuleWords({ notation, also }: { notation: string; also: string | null }) {
  const rule = <span className="mono">{notation}</span>;
  return also === null ? rule : rich('{rule}, that is also {commands}', { rule, commands: also });
}

interface OfferedRule {
  label: string;
  /** `Bash(npm test:*)`; null: goes without saying. */
  notation: string | null;
  /** What else it allows, in words; null if nothing that one might overlook. */
  also: string | null;
  rule: Omit<SessionRule, 'id'>;
}

const plainWord = /^[A-Za-z0-9][\w.@:+-]*$/;

/** Programs that name what they do with their first word, and what else they do. */
const withSubcommands: Readonly<Record<string, readonly string[] | null>> = {
  npm: ['npm install', 'npm publish'],
  pnpm: ['pnpm install', 'pnpm publish'],
  yarn: ['yarn add', 'yarn publish'],
  bun: ['bun install', 'bun publish'],
  git: ['git push', 'git reset --hard'],
  gh: ['gh repo delete'],
  cargo: ['cargo install', 'cargo publish'],
  go: ['go install', 'go run'],
  dotnet: ['dotnet run'],
  docker: ['docker run', 'docker rm'],
  kubectl: ['kubectl delete'],
  pip: ['pip install', 'pip uninstall'],
  uv: ['uv run', 'uv publish'],
  brew: ['brew install', 'brew uninstall'],
  apt: ['apt install', 'apt remove'],
  systemctl: ['systemctl stop'],
  terraform: ['terraform apply', 'terraform destroy'],
  gradle: null,
  make: null,
};
/** Their second word names nothing yet: what runs is the third one. */
const runsNamed = new Set(['run', 'exec', 'x']);
/** What runs with these is up to their arguments: every one of them is every command. */
const runsAnything = new Set(
  [
    'sudo',
    'doas',
    'su',
    'env',
    'sh',
    'bash',
    'zsh',
    'fish',
    'dash',
    'ksh',
    'pwsh',
    'powershell',
    'cmd',
    'eval',
    'exec',
  ].concat(
    ['command', 'xargs', 'nohup', 'time', 'timeout', 'nice', 'watch', 'ssh', 'npx', 'bunx', 'uvx', 'node', 'deno'],
    ['python', 'python3', 'ruby', 'perl', 'php', 'osascript', 'source', 'find', 'parallel', 'rm', 'dd'],
  ),
);

/** What a person may allow of a shell for the rest of a session, the narrowest first. Each covers what is asked now. */
export function offeredRules(tool: string, command: string): OfferedRule[] {
  const exact: OfferedRule = {
    label: t('Only this very command'),
    notation: null,
    also: null,
    rule: { tool, input: command, isExact: true },
  };
  const words = command.split(' ');
  if (joinsCommands.test(command) || words[0] === undefined || !plainWord.test(words[0])) return [exact];
  const [program] = words;
  const offered = [exact];
  const narrow = begins(words);
  if (narrow !== null) {
    const label = t('{command}, with any arguments', { command: narrow });
    const rule = { tool, input: narrow, isExact: false };
    offered.push({ label, notation: ruleNotation(rule), also: null, rule });
  }
  if (!runsAnything.has(program)) {
    const also = withSubcommands[program] ?? null;
    const alsoWords = also === null ? null : listed(also);
    const label = t('Every {program} command', { program });
    const rule = { tool, input: program, isExact: false };
    offered.push({ label, notation: ruleNotation(rule), also: alsoWords, rule });
  }
  return offered;
}

/** `npm test`, `npm run check`: what a command does, without what it does it to. Null if its words don't say. */
function begins(words: readonly string[]): string | null {
  const [program, second, third] = words;
  if (program === undefined || second === undefined || !Object.hasOwn(withSubcommands, program)) return null;
  if (!plainWord.test(second)) return null;
  if (!runsNamed.has(second)) return `${program} ${second}`;
  return third !== undefined && plainWord.test(third) ? `${program} ${second} ${third}` : null;
}

/** What may be offered for a question; none where no rule of the host's would cover just that. */
export function rulesFor({ tool, subject, input }: AskedPermission): OfferedRule[] {
  if (tool === null || subject.kind === 'plan') return [];
  if (subject.kind === 'command')
    return subject.isUnboxed || subject.tool === null ? [] : offeredRules(tool, subject.command);
  // The host takes any input of this name for a command.
  if (typeof input.command === 'string') return [];
  const any = (label: string): OfferedRule[] => [
    { label, notation: tool, also: null, rule: { tool, input: null, isExact: false } },
  ];
  switch (subject.kind) {
    case 'page':
      return any(t('Every page, whatever its address'));
    case 'search-web':
      return any(t('Every search of the web'));
    case 'read':
      return any(t('Any file read with this tool'));
    case 'mcp':
      return any(t('{tool} of {server}, with any input', { tool: subject.tool, server: subject.server }));
    default:
      return [];
  }
}
