import { expect, it } from 'vitest';
import { exportName } from '../../../renderer/parts/save-file.ts';

it('the file is named after the time', () => {
  expect(exportName(new Date(2026, 10, 20, 10, 42, 7), 'jsonl')).toBe('jumpseat-2026-11-20-104207.jsonl');
});
