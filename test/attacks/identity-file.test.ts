import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type AgentWorld, makeWorld, talkTo } from "../agent-world.ts";

const words = "machine example.org login ada password hunter2horse";

type Planted = { readonly place: (identity: string, world: AgentWorld) => void; readonly reason: RegExp };

function inHome(world: AgentWorld, name: string, text: string): string {
  const path = join(world.home, name);
  writeFileSync(path, text);
  return path;
}

const planted: Readonly<Record<string, Planted>> = {
  "a link to a secret file": {
    place: (identity, world) => symlinkSync(inHome(world, ".netrc", words), identity),
    reason: /secret/,
  },
  "a chain of links to a secret file": {
    place(identity, world) {
      symlinkSync(inHome(world, ".netrc", words), join(world.home, "memex", "a.org"));
      symlinkSync("a.org", identity);
    },
    reason: /secret/,
  },
  "a hard link to a secret file": {
    place: (identity, world) => linkSync(inHome(world, ".netrc", words), identity),
    reason: /hard link/,
  },
  "a link out of the notes folder": {
    place: (identity, world) => symlinkSync(inHome(world, "letter.txt", words), identity),
    reason: /outside the notes folder/,
  },
  "a file that is too large": {
    place: (identity) => writeFileSync(identity, `${words}\n`.repeat(2000)),
    reason: /larger than 65,536 bytes/,
  },
  "a private file": {
    place: (identity) => writeFileSync(identity, `#+FILETAGS: :@personal:\n${words}\n`),
    reason: /private/,
  },
  "a file with an encrypted entry": {
    place: (identity) => writeFileSync(identity, `* Codes :crypt:\n${words}\n`),
    reason: /secret/,
  },
  "words of others": {
    place: (identity) =>
      writeFileSync(identity, `:PROPERTIES:\n:ORIGIN: untrusted https://example.org\n:END:\n${words}\n`),
    reason: /words of others/,
  },
  "a pipe": { place: (identity) => void execFileSync("mkfifo", [identity]), reason: /regular|pipe|special/i },
  "a folder": { place: (identity) => mkdirSync(identity), reason: /regular|folder/i },
};

for (const [name, { place, reason }] of Object.entries(planted)) {
  test(`identity.org stands in no prompt where it is ${name}, and the owner is told`, async (t) => {
    const world = await makeWorld(t, [{ text: "Yes." }]);
    mkdirSync(join(world.home, "memex"));
    place(join(world.home, "memex", "identity.org"), world);
    const warned: string[] = [];
    await using daemon = await world.open({}, { warn: (message) => warned.push(message) });
    const { end } = await (await talkTo(daemon)).say("hi");
    assert.equal(end, "answered");
    assert.doesNotMatch(world.provider.requests[0]?.body ?? "", /hunter2horse/);
    assert.match(warned.join("\n"), /identity\.org is left out of the prompt/);
    assert.match(warned.join("\n"), reason);
  });
}

test("identity.org of the configuration folder is no door to the agent's own secrets", async (t) => {
  const world = await makeWorld(t, [{ text: "Yes." }, { text: "Yes." }]);
  {
    await using daemon = await world.open();
    await (await talkTo(daemon)).say("hi");
  }
  const folders = [world.configuration, world.state].filter((folder) => existsSync(folder));
  const secret = folders
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .find((path) => /key|secret/.test(path));
  assert.ok(secret !== undefined);
  mkdirSync(world.configuration, { recursive: true });
  symlinkSync(secret, join(world.configuration, "identity.org"));
  const warned: string[] = [];
  await using daemon = await world.open({}, { warn: (message) => warned.push(message) });
  await (await talkTo(daemon)).say("hi");
  const [text = ""] = readFileSync(secret, "latin1").match(/[\w+/=-]{12,}/) ?? ["no text"];
  assert.ok(!(world.provider.requests[1]?.body ?? "").includes(text));
  assert.match(warned.join("\n"), /identity\.org is left out of the prompt/);
});

test("a configuration folder may link identity.org to a file of the owner", async (t) => {
  const world = await makeWorld(t, [{ text: "Yes." }]);
  mkdirSync(world.configuration, { recursive: true });
  symlinkSync(
    inHome(world, "dotfile.org", "You speak like a valet.\n"),
    join(world.configuration, "identity.org"),
  );
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("hi");
  assert.match(world.provider.requests[0]?.body ?? "", /like a valet/);
});
