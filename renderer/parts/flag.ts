/** A number beside a place in the sidebar: something there wants to be looked at. */
export interface Flag {
  kind: 'warning' | 'failure' | 'question';
  count: number;
  /** `2 warnings` */
  text: string;
}
