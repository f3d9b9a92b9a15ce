import { expect, it } from 'vitest';
import { home, readRoute, writeRoute } from '../../../renderer/state/routes.ts';

it.each([
  ['#/requests', { place: 'requests', part: null, query: '' }],
  ['#/requests/4f%2F0c?q=model%3Aopus%20is%3Acut', { place: 'requests', part: '4f/0c', query: 'model:opus is:cut' }],
  ['#/settings/proxy', { place: 'settings', part: 'proxy', query: '' }],
  ['#/sign-in', { place: 'sign-in', part: null, query: '' }],
] as const)('%s', (address, route) => {
  expect(readRoute(address)).toEqual(route);
  expect(writeRoute(route)).toBe(address);
});

it.each(['', '#', '#/', '#/nowhere', '#/__proto__', '#x'])('%j leads home', (address) => {
  expect(readRoute(address)).toEqual(home);
});

it('a broken escape is no part', () => {
  expect(readRoute('#/requests/%E0%A4%A')).toEqual(home);
});
