import { expect, test, vi } from "vitest";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
vi.stubGlobal("navigator", { language: "en", languages: ["en"] });

test("a seat whose answer is lost is asked for again, as the same", async () => {
  const asked: { token: string; seal: string }[] = [];
  vi.stubGlobal("fetch", async (_: string, request: RequestInit) => {
    asked.push(JSON.parse(String(request.body)));
    if (asked.length < 4) throw new TypeError("the line was cut");
    return Response.json({ seat: 1, token: "ours", table: { game: "goose", title: "Goose" } });
  });
  const { takeSeat } = await import("../src/take-seat");
  await expect(takeSeat("table", "Ann", {})).rejects.toThrow();
  await takeSeat("table", "Ann", {});
  expect(asked).toHaveLength(4);
  expect(new Set(asked.map(({ token, seal }) => `${token} ${seal}`)).size).toBe(1);
  await takeSeat("another", "Ann", {});
  expect(asked[4]?.token).not.toBe(asked[0]?.token);
});
