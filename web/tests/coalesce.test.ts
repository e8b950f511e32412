import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Coalesced } from "../src/coalesce";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("many requests are one job", () => {
  let done = 0;
  const job = new Coalesced(() => done++);
  for (let request = 0; request < 100; request++) job.request();
  expect(done).toBe(0);
  vi.advanceTimersByTime(1);
  expect(done).toBe(1);
});

test("a job that takes long leaves as much time for everything else", () => {
  let done = 0;
  const job = new Coalesced(() => {
    done++;
    vi.setSystemTime(Date.now() + 50);
    vi.advanceTimersByTime(50);
  });
  job.run();
  job.request();
  vi.advanceTimersByTime(20);
  expect(done).toBe(1);
  vi.advanceTimersByTime(40);
  expect(done).toBe(2);
});

test("what was cancelled is not done, and a job that fails can be done again", () => {
  let done = 0;
  const job = new Coalesced(() => {
    done++;
    throw new Error("broken");
  });
  job.request();
  job.cancel();
  vi.advanceTimersByTime(10);
  expect(done).toBe(0);
  expect(() => job.run()).toThrow("broken");
  expect(() => job.run()).toThrow("broken");
  expect(done).toBe(2);
});
