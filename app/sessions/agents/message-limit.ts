/** One message between us and an agent: a history told whole, or a tool's output, may be long. In bytes. */
export const mostMessageBytes = 256 * 1024 * 1024;
