import assert from "node:assert/strict";
import { test } from "node:test";
import { catchFileErrors } from "./fallible.ts";

test("a mount that lost its server is a problem in words, and a fault of the program is none", async () => {
  for (const code of ["ENOTCONN", "ESTALE", "EIO", "EINVAL"]) {
    const fault = Object.assign(new Error(code), { code, syscall: "read" });
    const found = await catchFileErrors("/mnt/share/a", () => Promise.reject(fault));
    assert.ok(!found.ok, code);
    assert.match(found.message, /^\/mnt\/share\/a: the disk or its mount reported an error/);
  }
  await assert.rejects(
    catchFileErrors("/mnt/share/a", () => Promise.reject(new TypeError("ours"))),
    /ours/,
  );
});
