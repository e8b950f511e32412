import { expect, test } from "vitest";
import { newNonce, sealOf } from "../src/fair";

test("a seal is the SHA-256 of the nonce with its prefix, as the server computes it", () => {
  expect(sealOf("f3b1c5d2a97e4c60")).toBe("893b3d2865b65fa80fe48095cb91c01d1c19ab9b3185002a55db5a670a968bea");
  expect(sealOf("")).not.toBe(sealOf("0"));
});

test("a nonce is 128 bits, another one each time", () => {
  expect(newNonce()).toMatch(/^[0-9a-f]{32}$/);
  expect(newNonce()).not.toBe(newNonce());
});
