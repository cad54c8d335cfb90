import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { calls, makeWorld, talkTo } from "../agent-world.ts";

async function grown(t: TestContext) {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/plain");
    response.end("The boiler costs 417 euros.");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const url = `http://127.0.0.1:${address.port}/boiler`;
  const world = await makeWorld(t, [
    calls(["fetch-url", { url }]),
    calls(["remember", { text: "DONE Boiler price\nIt takes 417 euros at Hansen" }]),
    { text: "Noted." },
  ]);
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  const agent = await world.open();
  t.after(() => agent[Symbol.asyncDispose]());
  const talk = await talkTo(agent);
  await talk.say(`read ${url} and note it`);
  for (let count = 0; count < 5 && talk.events.at(-1)?.type === "approval-required"; count += 1)
    await talk.say(`/approve ${talk.token()}`);
  const inbox = join(memex, "inbox.org");
  const id = /:ID: +(\S+)/.exec(readFileSync(inbox, "utf8"))?.[1] ?? "";
  const why = async () => (await world.command(["memory", "why", id])).out;
  return { world, agent, talk, memex, inbox, url, id, why };
}

test("why something is believed stays known after its file is renamed and its entry archived, and says so once somebody else changed its words", async (t) => {
  const { world, memex, inbox, url, id, why } = await grown(t);
  const page = new RegExp(`^ {2}the page ${url}$`, "m");
  const first = await why();
  assert.match(first, page);
  assert.doesNotMatch(first, /changed since/);
  const other = join(memex, "other.org");
  renameSync(inbox, other);
  assert.equal(await why(), first.replace(inbox, other));
  const edit = (from: string, to: string): void =>
    writeFileSync(other, readFileSync(other, "utf8").replace(from, to));
  for (const [from, to] of [
    ["Boiler price", "Cost of the boiler"],
    ["at Hansen", "at Hansen, I asked him"],
  ] as const) {
    edit(from, to);
    const changed = await why();
    assert.match(changed, new RegExp(to));
    assert.match(changed, /^changed since, by you or by another program; before that it was made from:$/m);
    assert.match(changed, page);
  }
  const archived = await world.command(["org", "archive", id]);
  assert.equal(archived.code, 0, archived.err);
  const after = await why();
  assert.match(after, /other\.org_archive:\d+\n/);
  assert.match(after, /^changed since, /m);
  assert.match(after, page);
  const printed = await world.command(["memory", "why", id, "--json"]);
  assert.match(printed.out, /"changed":true/);
});

test("what the owner wrote stays theirs in an archive beside what grew from a page, and stays when that is taken back", async (t) => {
  const { world, talk, memex, inbox, url, id } = await grown(t);
  const own = "* DONE Mine\n:PROPERTIES:\n:ID:       mine\n:END:\nI paid it.\n";
  writeFileSync(inbox, `${readFileSync(inbox, "utf8")}${own}`);
  for (const one of ["mine", id]) {
    const archived = await world.command(["org", "archive", one]);
    assert.equal(archived.code, 0, archived.err);
  }
  const archive = join(memex, "inbox.org_archive");
  assert.match((await world.command(["memory", "why", "mine"])).out, /^author: you \(user, public\)$/m);
  const whole = readFileSync(archive, "utf8");
  const done = await talk.say(`/forget --derived-from ${url} --for-good`);
  assert.match(done.text, /^Forgotten for good: \d+ notes?/);
  const left = readFileSync(archive, "utf8");
  assert.match(left, /\* DONE Mine\n[\s\S]*I paid it\.\n/);
  assert.doesNotMatch(left, /417/);
  assert.equal(left, whole.slice(0, whole.indexOf("* DONE Boiler price")));
});

test("a note that the owner changed and then archived is kept and named where its source is forgotten", async (t) => {
  const { world, talk, memex, inbox, url, id } = await grown(t);
  writeFileSync(inbox, readFileSync(inbox, "utf8").replace("at Hansen", "at Hansen, I asked him"));
  assert.equal((await world.command(["org", "archive", id])).code, 0);
  const archive = join(memex, "inbox.org_archive");
  const before = readFileSync(archive, "utf8");
  const done = await talk.say(`/forget --derived-from ${url} --for-good`);
  assert.match(done.text, /This stays:\n(?: {2}.*\n)* {2}.*it was changed since/);
  assert.equal(readFileSync(archive, "utf8"), before);
});
