import { describe, expect, it } from 'vitest';
import { changesWidth, usualChangesWidth, widestChanges } from '../../../renderer/sessions/changes-edge.tsx';

describe('the width of the changes', () => {
  it('is what a person wants, from 360 px to half of the view', () => {
    expect(changesWidth(500, 1400)).toBe(500);
    expect(changesWidth(100, 1400)).toBe(360);
    expect(changesWidth(900, 1400)).toBe(700);
    // Where a half is less than the least.
    expect([changesWidth(900, 600), widestChanges(600)]).toEqual([360, 360]);
  });

  it('is 432 px by default, and at least 480 beside a list and a session', () => {
    expect(usualChangesWidth(988, false)).toBe(432);
    expect(usualChangesWidth(1388, true)).toBe(480);
    expect(usualChangesWidth(2348, true)).toBe(704);
  });
});
