import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { talkTo } from "../agent-world.ts";
import { makeReviewWorld } from "./review-world.ts";

const garden = [
  "#+FILETAGS: :house:",
  "* Garden",
  "** DONE Plant the beech :work:",
  "CLOSED: [2026-01-05 Mon 10:00]",
  ":PROPERTIES:",
  ":ID:       beech",
  ":END:",
  "With quokkaberry below it.",
  "** TODO Water it",
  "",
].join("\n");

test("a done tree goes to its archive as Org writes it, is found by ID and search, and comes back by one command", async (t) => {
  const world = await makeReviewWorld(t, { "garden.org": garden });
  await using agent = await world.serve();
  const archived = await world.command(["org", "archive", "beech", "--json"]);
  assert.equal(archived.code, 0, archived.out + archived.err);
  assert.doesNotMatch(world.read("garden.org"), /beech/);
  const archive = world.read("garden.org_archive");
  for (const [name, value] of [
    ["ARCHIVE_TIME", "\\d{4}-\\d\\d-\\d\\d [A-Z][a-z]{2} \\d\\d:\\d\\d"],
    ["ARCHIVE_FILE", "~/memex/garden\\.org"],
    ["ARCHIVE_OLPATH", "Garden"],
    ["ARCHIVE_CATEGORY", "garden"],
    ["ARCHIVE_TODO", "DONE"],
    ["ARCHIVE_ITAGS", "house"],
  ] as const)
    assert.match(archive, new RegExp(`^:${name}: +${value}$`, "m"));
  assert.match((await world.command(["memory", "show", "beech"])).out, /quokkaberry/);
  assert.match((await world.command(["memory", "search", "quokkaberry"])).out, /beech/);
  const [, id = ""] = /"id":"(review-[^"]+)"/.exec(archived.out) ?? [];
  assert.equal((await world.command(["review", "undo", id])).code, 0);
  assert.equal(world.read("garden.org"), garden);
  assert.equal(existsSync(join(world.notes, "garden.org_archive")), false);
  assert.equal((await world.command(["org", "archive", "no-such-id"])).code, 1);
  const inbox = world.read("review.org");
  for (const what of [id, "review.org"]) {
    const refused = await world.command(["org", "archive", what]);
    assert.equal(refused.code, 1);
    assert.match(refused.out + refused.err, /itself keeps review\.org.*Archive it in Emacs/s);
  }
  assert.equal(world.read("review.org"), inbox);
  const talk = await talkTo(agent);
  assert.match((await talk.say("/jobs run archive")).text, /Nothing was due/);
});

test("by the rule only what is done for long, with nothing open in it, is proposed, each file as one change, private trees stay private", async (t) => {
  const tree = (title: string, closed: string, below = ""): string =>
    `* DONE ${title}\nCLOSED: [${closed}]\n${below}`;
  const text = [
    "#+ARCHIVE: old.org::* Finished\n",
    tree("Long ago :@personal:", "2020-01-05 Sun", "** TODO_not a keyword\nprivate words\n"),
    tree("With something open", "2020-01-05 Sun", "** TODO open\n"),
    tree("Of today", "2999-01-05 Sat"),
    tree("Twice", "2020-01-05 Sun"),
    tree("Twice", "2020-01-05 Sun"),
  ].join("");
  const world = await makeReviewWorld(
    t,
    { "a.org": text, "old.org": "* Finished\n" },
    { ARCHIVE_AFTER: "30" },
  );
  await using agent = await world.serve();
  const talk = await talkTo(agent);
  assert.match((await talk.say("/jobs run archive")).text, /1 file proposed for archiving/);
  assert.equal(world.read("a.org"), text);
  const inbox = world.read("review.org");
  assert.match(inbox, /^\* TODO Archive a done tree of a\.org :@personal:$/m);
  const [, id = ""] = /^:ID: +(review-\S+)$/m.exec(inbox) ?? [];
  await talk.say(`/review accept ${id}`);
  assert.match(world.read("old.org"), /^\*\* DONE Long ago\s+:@personal:$/m);
  assert.doesNotMatch(world.read("a.org"), /Long ago/);
  const shown = await world.command(["memory", "show", "--json", "old.org::Finished/Long ago"]);
  assert.match(shown.out, /"secrecy":"private"/);
  const before = readFileSync(join(world.notes, "a.org"), "utf8");
  assert.equal((await talk.say("/jobs run archive")).text, "Nothing was due.");
  assert.equal(world.read("a.org"), before);
});
