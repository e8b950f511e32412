import { describe, expect, it } from "vitest";
import page from "../../docs/protocol.md?raw";
import { interpolate } from "../src/language";
import { de, refusals } from "../src/languages/de";
import { en, type Key } from "../src/languages/en";

const places = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe("German", () => {
  it("has the keys of English, and no others", () => expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort()));

  it.each(Object.keys(en) as Key[])("says something for %s, with the same places", (key) => {
    expect(de[key].trim()).not.toBe("");
    expect(places(de[key])).toEqual(places(en[key]));
  });

  it("has a sentence for everything the server refuses, by the table of its protocol", () => {
    const codes = [...page.matchAll(/^\| `(\w+)` \| \d{3} \|/gm)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(10);
    expect(Object.keys(refusals).sort()).toEqual(codes.sort());
  });
});

describe("places", () => {
  it("are filled, and stay where there is no value", () => {
    expect(interpolate("{name} has {count}", { name: "Ada", count: 0 })).toBe("Ada has 0");
    expect(interpolate("{name}", {})).toBe("{name}");
  });
});
