import { expect, onTestFinished, test, vi } from 'vitest';
import { SteadyStore } from './rate-limit-store.ts';

const MINUTE = 60_000;

function useStore() {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const store = new SteadyStore();
  const call = (key = 'somebody') => {
    const counted = vi.fn();
    store.incr(key, counted, MINUTE);
    return counted.mock.calls[0]?.[1] as { current: number; ttl: number };
  };
  return { call };
}

test('calls are counted for a minute from the first one, each caller apart', () => {
  const { call } = useStore();
  expect(call()).toEqual({ current: 1, ttl: MINUTE });
  vi.advanceTimersByTime(20_000);
  expect(call()).toEqual({ current: 2, ttl: 40_000 });
  expect(call('another')).toEqual({ current: 1, ttl: MINUTE });
  vi.advanceTimersByTime(40_000);
  expect(call()).toEqual({ current: 1, ttl: MINUTE });
});

test('a minute stays a minute when the clock is set back or forward', () => {
  const { call } = useStore();
  call();
  vi.setSystemTime(Date.now() - 120 * MINUTE);
  expect(call()).toEqual({ current: 2, ttl: MINUTE });
  vi.setSystemTime(Date.now() + 240 * MINUTE);
  expect(call()).toEqual({ current: 3, ttl: MINUTE });
  vi.advanceTimersByTime(MINUTE);
  expect(call().current).toBe(1);
});

test('of very many callers those who called longest ago are forgotten', () => {
  const { call } = useStore();
  call('first');
  call('second');
  for (let caller = 0; caller < 4_998; caller++) call(String(caller));
  call('first');
  call('one too many');
  expect(call('first').current).toBe(3);
  expect(call('second').current).toBe(1);
});
