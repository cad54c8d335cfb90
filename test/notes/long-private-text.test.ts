import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";

/** More than 500,000 characters, of few words: what they say does not count here. */
const long = `* Manual\n${"the boiler is serviced in March\n".repeat(17_000)}`;

test("a very long private note is named with why it is private and the way on, until it is public or gone", async (t) => {
  const asked = Array.from({ length: 4 }, () => ({ text: "Hello." }));
  const world = await makeWorld(t, asked);
  const note = join(world.home, "memex", "manual.org");
  mkdirSync(join(world.home, "memex"));
  const warningFor = async (text: string | null): Promise<string> => {
    if (text === null) rmSync(note);
    else writeFileSync(note, text);
    const { code, err } = await world.command(["ask", "hi"]);
    assert.equal(code, 0, err);
    return err;
  };
  const unread = await warningFor(`#+SETUPFILE: gone.org\n${long}`);
  assert.ok(unread.includes(`${note} has more than 500,000 characters of private text.`), unread);
  assert.match(unread, /SETUPFILE: gone\.org is not read\..*take the line out.* Split the file, or end what/);
  const tagged = await warningFor(`#+FILETAGS: :@personal:\n${long}`);
  assert.match(tagged, /It has the privacy tag :@personal:,.* and say \/public manual\.org/);
  const shown = await world.command(["context", "--focus", "manual.org::Manual"]);
  assert.match(shown.err, /it is private, and loop is not local\. It has the privacy tag :@personal:/);
  assert.doesNotMatch(await warningFor(long), /private text/);
  assert.doesNotMatch(await warningFor(null), /private text/);
});
