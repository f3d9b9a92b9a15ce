export interface DockProps {
  sessionId: string;
}

/** What waits above the field of the next message, and the field; stands under transcript and questions. */
export function Dock({ sessionId }: DockProps) {
  return <div className="dock" data-session={sessionId} />;
}
