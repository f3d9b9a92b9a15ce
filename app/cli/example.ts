/** What stands below the options of a command: what it does, a line to type, and what comes after it. */
export function example(line: string, what: string, next: string): string {
  return `
${what}

Example:
  ${line}

Next:
  ${next}`;
}
