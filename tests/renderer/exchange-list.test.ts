import { expect, it } from 'vitest';
import type { Exchange } from '../../app/api.ts';
import { withExchange } from '../../renderer/exchange-list.ts';

const exchange = (id: string, status: number | null = null) => ({ id, status }) as Exchange;
const ids = (list: Exchange[]) => list.map(({ id, status }) => `${id} ${status}`);

it('puts a new exchange on top, brings a known one up to date in its place, and stays short', () => {
  const list = [exchange('b'), exchange('a')];
  expect(ids(withExchange(list, exchange('c'), 3))).toEqual(['c null', 'b null', 'a null']);
  expect(ids(withExchange(list, exchange('a', 200), 3))).toEqual(['b null', 'a 200']);
  expect(ids(withExchange(list, exchange('c'), 2))).toEqual(['c null', 'b null']);
});
