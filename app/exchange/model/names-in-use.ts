/** So long after its last request a name counts as in use. */
export const namesInUseMs = 30 * 24 * 60 * 60_000;
