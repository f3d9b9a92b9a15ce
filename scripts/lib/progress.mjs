/**
 * What a first run is doing, on stderr: stdout belongs to the command (`serve --json` prints JSON there).
 * Nothing is printed when there is nothing to do.
 */
export async function step(title, work) {
  process.stderr.write(`${title}… `);
  const begun = performance.now();
  try {
    const result = await work();
    process.stderr.write(`done in ${Math.max(1, Math.round((performance.now() - begun) / 1000))} s\n`);
    return result;
  } catch (error) {
    process.stderr.write('failed\n');
    throw error;
  }
}

export const say = (line) => process.stderr.write(`${line}\n`);

/** A reason a person can act on: printed without a stack. */
export class Stop extends Error {
  /** @param {string} message what happened and why @param {string} [remedy] what to do next */
  constructor(message, remedy) {
    super(remedy ? `${message}\n${remedy}` : message);
  }
}

/** Runs a script's main function and turns what it returns into the exit code. */
export async function main(work) {
  try {
    process.exitCode = (await work(process.argv.slice(2))) ?? 0;
  } catch (error) {
    say(error instanceof Stop ? error.message : (error?.stack ?? String(error)));
    process.exitCode = 1;
  }
}
