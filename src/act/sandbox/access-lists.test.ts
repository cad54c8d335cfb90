import assert from "node:assert/strict";
import { test } from "node:test";
import { accessListsBelow, accessListsOf, canReadAccessLists } from "./access-lists.ts";

test("lists of access that cannot be read are not known, and not empty", async (context) => {
  if (!(await canReadAccessLists())) {
    context.skip("install the package acl");
    return;
  }
  const missing = "/nonexistent/folder";
  assert.equal(await accessListsOf(["/", missing]), null);
  assert.equal(await accessListsBelow(missing), null);
  assert.ok((await accessListsOf(["/"]))?.has("/"));
});
