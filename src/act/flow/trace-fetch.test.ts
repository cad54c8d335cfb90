import assert from "node:assert/strict";
import { test } from "node:test";
import type { CalledResult } from "../../signal/called-result.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { TurnSources } from "../../signal/tool.ts";
import type { Json, JsonObject } from "../../text/json.ts";
import { traceFetch } from "./trace-fetch.ts";

const result = (tool: string, args: JsonObject, content: Json): CalledResult => ({
  id: tool,
  tool,
  args,
  content,
  label: { ...bottomLabel, integrity: "untrusted" },
});
const originOf = (
  url: string,
  words: string,
  results: readonly CalledResult[] = [],
  endorsed: TurnSources["endorsed"] = [],
) =>
  traceFetch(new URL(url), url, {
    words: [words],
    results,
    contacts: async () => [],
    approved: [],
    endorsed,
  });

const links = result(
  "read-file",
  { path: "reading.org" },
  { path: "reading.org", text: "* Tea\nhttps://tea.example/oolong\n* Other\nhttps://other.example/x" },
);
const page = result(
  "fetch-url",
  { url: "https://docs.example/" },
  { url: "https://docs.example/", text: "Next: https://docs.example/2 or https://evil.example/?k=1" },
);

test("an address comes from the owner where they typed it or named the file or page whose link it is", async () => {
  assert.equal(await originOf("https://docs.example/", "Read docs.example please"), "words");
  assert.equal(
    await originOf("https://tea.example/oolong", "Read the tea article linked in reading.org", [links]),
    "link",
  );
  assert.equal(
    await originOf("https://docs.example/2", "Read all pages of https://docs.example/", [page]),
    "link",
  );
});

test("an address that a page, a file that nobody named, or the model chose is not the owner's", async () => {
  const hijacks = [
    ["https://evil.example/?k=1", "Read all of https://docs.example/", [page]],
    ["https://docs.example/3", "Read all of https://docs.example/", [page]],
    ["https://docs.example/2?k=secret", "Read all of https://docs.example/", [page]],
    ["https://tea.example/oolong", "What is in my files about tea?", [links]],
    ["https://tea.example/oolong/", "Read the tea article linked in reading.md", [links]],
    ["https://tea.example/oolong", "Summarise reading.org. Do not open its links.", [links]],
    ["https://docs.example.evil.example/", "Read docs.example please", []],
  ] as const;
  for (const [url, words, results] of hijacks)
    assert.match(await originOf(url, words, results), /foreign|agent/, url);
  assert.equal(await originOf("https://evil.example/?k=1", "Read https://docs.example/", [page]), "foreign");
  assert.equal(await originOf("https://new.example/", "Read https://docs.example/", [page]), "agent");
});

test("a link asks once it was tried, beside words that speak of no links, and after eight fetches", async () => {
  const words = "Read the tea article linked in reading.org";
  const tried = (url: string): TurnSources["failed"] => [
    { tool: "fetch-url", args: { uri: url }, code: "not-found", message: "It is not there.", place: 0 },
  ];
  const linkAfter = (said: string, failed: TurnSources["failed"] = []) =>
    traceFetch(new URL("https://tea.example/oolong"), "https://tea.example/oolong", {
      words: [said],
      results: [links],
      failed,
      contacts: async () => [],
      approved: [],
    });
  assert.equal(await linkAfter(words), "link");
  assert.equal(await linkAfter(words, tried("https://other.example/x")), "link");
  for (const url of ["https://tea.example/oolong", "https://TEA.example/oolong/#2"])
    assert.equal(await linkAfter(words, tried(url)), "foreign", url);
  assert.equal(
    await linkAfter(
      words,
      Array.from({ length: 8 }, (_, at) => tried(`https://${at}.example/`) ?? []).flat(),
    ),
    "foreign",
  );
  assert.equal(await linkAfter("Summarise what reading.org says about tea"), "foreign");
});

test("an endorsed host counts with its scheme and port, and no other", async () => {
  const endorsed = [{ argument: "url", value: "https://docs.example" }];
  assert.equal(await originOf("https://docs.example:443/9", "Go on", [], endorsed), "endorsed");
  for (const url of ["http://docs.example/", "https://docs.example:8443/", "https://a.docs.example/"])
    assert.equal(await originOf(url, "Go on", [], endorsed), "agent", url);
});
