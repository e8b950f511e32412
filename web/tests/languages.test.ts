import { describe, expect, it } from "vitest";
import { put } from "../src/language";
import { de } from "../src/languages/de";
import { en, type Key } from "../src/languages/en";

const places = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe("German", () => {
  it("has the keys of English, and no others", () => expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort()));

  it.each(Object.keys(en) as Key[])("says something for %s, with the same places", (key) => {
    expect(de[key].trim()).not.toBe("");
    expect(places(de[key])).toEqual(places(en[key]));
  });
});

describe("places", () => {
  it("are filled, and stay where there is no value", () => {
    expect(put("{name} has {count}", { name: "Ada", count: 0 })).toBe("Ada has 0");
    expect(put("{name}", {})).toBe("{name}");
  });
});
