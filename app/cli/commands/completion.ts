import type { Command } from 'commander';
import { completedShells, completion } from '../completion.ts';
import { wrongUsage } from '../failure.ts';
import type { Surroundings } from '../surroundings.ts';

/** `jumpseat completion SHELL`: what a shell reads to complete command lines. */
export function printCompletion({ terminal }: Surroundings, program: Command | null, name: string): number {
  const shell = completedShells.find((one) => one === name);
  if (shell === undefined || program === null)
    throw wrongUsage(`Jumpseat can complete in ${completedShells.join(', ')}, not in "${name}".`);
  terminal.out(completion(program, shell).trimEnd());
  return 0;
}
