import { z } from 'zod';

/** Whether bodies are recorded, and how much of them is held in memory. */
export const recordingStateSchema = z.object({
  on: z.boolean(),
  exchanges: z.number().int(),
  bytes: z.number().int(),
});
export type RecordingState = z.infer<typeof recordingStateSchema>;

/** Null in place of a value: it is secret, and was never kept. */
const recordedHeaderSchema = z.object({ name: z.string(), value: z.string().nullable() });
export type RecordedHeader = z.infer<typeof recordedHeaderSchema>;

const recordedHeadersSchema = z.object({
  client: z.array(recordedHeaderSchema),
  /** Null if nothing was sent. */
  sent: z.array(recordedHeaderSchema).nullable(),
  answered: z.array(recordedHeaderSchema).nullable(),
});
export type RecordedHeaders = z.infer<typeof recordedHeadersSchema>;

/** A way to look at what was said. `told`: what we answered ourselves. */
export const bodyViewSchema = z.enum(['received', 'sent', 'difference', 'assembled', 'events', 'returned']);
export type BodyView = z.infer<typeof bodyViewSchema>;

/** What is held of one exchange in memory. Nothing of it is in the history, an event or a log. */
export const recordedSchema = z.object({
  /** Null if they are of an earlier run, or too many came after them. */
  headers: recordedHeadersSchema.nullable(),
  /** `none`: bodies were not recorded then. The others are bodies that were recorded and let go of. */
  bodies: z.enum(['there', 'none', 'room', 'age', 'deleted']),
  /** What can be looked at. */
  views: z.array(bodyViewSchema),
});
export type Recorded = z.infer<typeof recordedSchema>;

/** `bytes`: of the whole text. `cut`: only its beginning is here. */
export const recordedBodySchema = z.object({ text: z.string(), bytes: z.number().int(), cut: z.boolean() });
export type RecordedBody = z.infer<typeof recordedBodySchema>;
