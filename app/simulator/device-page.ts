/** What the page says above its form. */
export type PageNote = 'approved' | 'denied' | 'unknown' | null;

const notes: Record<Exclude<PageNote, null>, string> = {
  approved: 'Approved. You can close this page and go back.',
  denied: 'Cancelled. Nothing was allowed.',
  unknown: 'There is no sign-in under way with this code. Look at it again.',
};

/** Where a person types the code in the demo. It says loudly that this is not GitHub. */
export function devicePage(note: PageNote): string {
  const said = note === null ? '' : `<p role="status"><strong>${notes[note]}</strong></p>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Simulated sign-in</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 28rem; margin: 4rem auto; padding: 0 1rem }
body { color-scheme: light dark }
input { font: 600 1.5rem ui-monospace, monospace; letter-spacing: .1em; text-transform: uppercase }
input { width: 100%; box-sizing: border-box; padding: .5rem }
button { font: inherit; padding: .4rem 1rem; margin: 1rem .5rem 0 0 }
</style>
<h1>Simulated sign-in</h1>
<p>This page belongs to the simulator on your own machine. It is not GitHub and no account is involved.</p>
${said}
<form method="post" action="/login/device">
<label>Code <input name="user_code" placeholder="ABCD-EFGH" autocomplete="off" autofocus></label>
<button name="decision" value="approve">Approve</button>
<button name="decision" value="cancel">Cancel</button>
</form>
</html>
`;
}
