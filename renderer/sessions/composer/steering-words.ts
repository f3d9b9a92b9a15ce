import type { AgentWords } from '../../../app/words/agents.ts';

/** When words are read that were said into the running turn. */
export const steeringWords = ({ name }: AgentWords): string => `${name} reads it at its next step`;
