import { Dialog } from './dialog.tsx';

/** What it means to run Claude Code here: whose it is, and what goes where. */
export function ProgramWords({ asksAnthropic, close }: { asksAnthropic: boolean; close: () => void }) {
  return (
    <Dialog title="Claude Code in this window" action={null} cancel="Close" close={close}>
      <p>
        Claude Code and its Agent SDK are Anthropic’s. Their terms let nobody else pass them on, so Jumpseat fetches
        them from the npm registry of this machine, when you say so. The licence lies beside the copy.
      </p>
      <p>
        Each session has a key of its own, which opens the proxy on this machine and ends with the session. Settings
        that would send it or your prompts to another provider are blank in these sessions. Telemetry, error reports and
        updates of Claude Code are off in them.
      </p>
      <p>
        {asksAnthropic
          ? 'You let Anthropic be asked about pages or searches: it gets their addresses or words, and no prompts. '
          : ''}
        Commands that you allow and servers of your own reach what they like.
      </p>
    </Dialog>
  );
}
