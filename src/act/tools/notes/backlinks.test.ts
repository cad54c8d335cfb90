import assert from "node:assert/strict";
import { test } from "node:test";
import { bottomLabel } from "../../../signal/label.ts";
import { callerAt, contentOf, prepareCall } from "../workbench.fixture.ts";
import { type LinkingNote, makeBacklinksTool } from "./backlinks.ts";

const plan: LinkingNote = { id: "1", title: "Plan", line: "[[id:roof]]", label: bottomLabel };
const diary: LinkingNote = {
  id: "2",
  title: "Diary",
  line: "fell off [[id:roof]]",
  label: { ...bottomLabel, secrecy: "private" },
};
const page: LinkingNote = {
  id: "3",
  title: "Page",
  line: "[[id:roof]]",
  label: { integrity: "untrusted", secrecy: "public", sources: [{ id: "r1", path: "" }] },
};

async function prepare(links: readonly LinkingNote[], args: { readonly private?: boolean } = {}) {
  const tool = makeBacklinksTool({ backlinks: async (id) => (id === "roof" ? links : []) });
  const prepared = await prepareCall(tool, { id: "roof", ...args }, callerAt(null));
  return {
    label: prepared.resultLabel,
    fields: prepared.resultFields,
    content: contentOf(await prepared.run(new AbortController().signal)),
  };
}

test("backlinks lists the linking notes with their line, and has the labels of all of them", async () => {
  const { label, content } = await prepare([plan, page]);
  assert.deepEqual(content, {
    links: [
      { id: "1", title: "Plan", line: "[[id:roof]]" },
      { id: "3", title: "Page", line: "[[id:roof]]" },
    ],
    note: "Links in private notes are not listed.",
  });
  assert.deepEqual(label, page.label);
});

test("who wrote a line decides its label, not who wrote the others", async () => {
  assert.deepEqual((await prepare([plan, page])).fields, [
    { path: "/links/0", label: plan.label },
    { path: "/links/1", label: page.label },
  ]);
  const asked = await prepare([plan, page], { private: true });
  assert.deepEqual(
    asked.fields?.map(({ label }) => `${label.integrity} ${label.secrecy}`),
    ["user private", "untrusted private"],
  );
});

test("public backlinks are the same whether private notes link to the node or not; asked for, those are private even if there are none", async () => {
  const without = await prepare([plan, diary, diary]);
  assert.deepEqual(without, await prepare([plan]));
  assert.equal(without.label.secrecy, "public");
  assert.equal((await prepare([plan], { private: true })).label.secrecy, "private");
  const withPrivate = await prepare([plan, diary], { private: true });
  assert.equal(withPrivate.label.secrecy, "private");
  assert.match(JSON.stringify(withPrivate.content), /Diary/);
});

test("a long list of backlinks is cut, and the cut is reported", async () => {
  const { content } = await prepare(Array.from({ length: 60 }, (_, at) => ({ ...plan, id: String(at) })));
  assert.equal(Array.isArray(content["links"]) && content["links"].length, 50);
  assert.equal(content["note"], "Links in private notes are not listed. Only the first 50 of 60 are listed.");
});
