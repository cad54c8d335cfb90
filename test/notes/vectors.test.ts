import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { makeWorld } from "../agent-world.ts";
import { serveDaemon } from "../daemon/serve-daemon.ts";
import { startEmbeddingServer } from "../embedding-server.ts";

test("the daemon makes vectors by itself, and a client's search finds a note by another word", async (t) => {
  await using server = await startEmbeddingServer();
  const world = await makeWorld(t, [], {
    PROVIDER_CASCADE: "",
    EMBEDDING_PROVIDER: "ollama",
    OLLAMA_BASE_URL: server.url,
    HEARTBEAT_INTERVAL: "1",
  });
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  writeFileSync(join(notes, "notes.org"), "* A blue sedan\nThe vehicle is in the garage.\n* Soup\nLeeks.\n");
  const heard = server.heard("garage");
  const daemon = await serveDaemon(world);
  await heard;
  let said = "";
  // The vectors are kept a moment after they were asked for.
  for (let tries = 0; tries < 400 && !said.includes("sedan"); tries += 1) {
    if (tries > 0) await pause(250);
    said = (await world.command(["ask", "/search automobile"])).out;
  }
  assert.match(said, /A blue sedan/);
  const before = server.requests.length;
  await pause(2500);
  assert.equal(server.requests.length, before, "beats without anything new send nothing");
  await daemon.leave();
});

test("a changed note gets its vector at once, without waiting for a beat", async (t) => {
  await using server = await startEmbeddingServer();
  const world = await makeWorld(t, [], {
    PROVIDER_CASCADE: "",
    EMBEDDING_PROVIDER: "ollama",
    OLLAMA_BASE_URL: server.url,
    HEARTBEAT_INTERVAL: "3600",
  });
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  writeFileSync(join(notes, "notes.org"), "* Soup\nLeeks.\n");
  const first = server.heard("Leeks");
  const daemon = await serveDaemon(world);
  await first;
  const second = server.heard("garage");
  writeFileSync(join(notes, "cars.org"), "* A blue sedan\nThe vehicle is in the garage.\n");
  await second;
  await daemon.leave();
});

test("where vectors are set up they choose the notes of a prompt too, private ones by the same rules, and a greeting or a failing embedder chooses none", async (t) => {
  await using server = await startEmbeddingServer();
  const world = await makeWorld(t, [{ text: "Noted.", repeat: true }], {
    EMBEDDING_PROVIDER: "ollama",
    OLLAMA_BASE_URL: server.url,
    HEARTBEAT_INTERVAL: "3600",
  });
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  const others = ["Soup", "Garden", "Taxes", "Piano", "Holidays", "Bicycle repair", "Choir", "Bees"];
  writeFileSync(
    join(notes, "notes.org"),
    [
      "* A blue sedan\nIt stands in the tangerine shed.\n",
      "* My surgeon :@personal:\nThe magenta knee.\n",
      ...others.map((title) => `* ${title}\nNothing more.\n`),
      "* Seen last\nThis is what was edited last.\n",
    ].join(""),
  );
  let daemon = await serveDaemon(world);
  /** What a prompt with these words has; said again while the vectors are still made. */
  const promptFor = async (words: string, wanted: string, settings = {}) => {
    let body = "";
    for (let tries = 0; tries < 100 && !body.includes(wanted); tries += 1) {
      if (tries > 0) await pause(250);
      assert.equal((await world.command(["ask", words], { settings })).code, 0);
      body = world.provider.requests.at(-1)?.body ?? "";
    }
    return body;
  };
  assert.match(
    await promptFor("does the automobile need oil", "tangerine"),
    /(?:FOCUS|NOTE) [\d.]+ \[[^\]]+\]\\n\* A blue sedan/,
  );
  assert.match(await promptFor("call the physician", "withheld: "), /withheld: [^\n]*private/);
  assert.ok(world.provider.requests.every(({ body }) => !/magenta|surgeon/.test(body)));
  const context = await world.command(["context", "where is the automobile"]);
  assert.match(context.out, /tangerine shed/);
  server.fail(500);
  assert.doesNotMatch(await promptFor("does the vehicle need oil", ""), /tangerine/);
  server.fail(null);
  await daemon.leave();
  const local = { LOOP_LOCAL: "true" };
  daemon = await serveDaemon(world, { settings: local });
  assert.match(await promptFor("call the physician", "magenta", local), /My surgeon/);
  assert.doesNotMatch(await promptFor("thanks", ""), /magenta|tangerine/);
  await daemon.leave();
});

test("what was said gets its vector when the turn has ended, with a daemon or without one, and another session finds it", async (t) => {
  await using server = await startEmbeddingServer();
  const world = await makeWorld(t, [{ text: "Noted." }, { text: "Noted." }], {
    EMBEDDING_PROVIDER: "ollama",
    OLLAMA_BASE_URL: server.url,
    HEARTBEAT_INTERVAL: "3600",
  });
  mkdirSync(join(world.home, "memex"));
  assert.equal((await world.command(["ask", "I sold the sedan to Oskar"])).code, 0);
  assert.ok(server.requests.some(({ input }) => input.includes("I sold the sedan to Oskar")));
  const heard = server.heard("cottage");
  const daemon = await serveDaemon(world);
  assert.equal((await world.command(["ask", "Mara let the cottage"])).code, 0);
  await heard;
  assert.match((await world.command(["ask", "/search automobile"])).out, /I sold the sedan to Oskar/);
  await daemon.leave();
});

test("memory search finds by meaning with a daemon and without one, and by words alone, with the reason, where that cannot be paid", async (t) => {
  await using server = await startEmbeddingServer();
  const world = await makeWorld(t, [], {
    PROVIDER_CASCADE: "",
    EMBEDDING_PROVIDER: "remote",
    EMBEDDING_PRICE: "1",
    REMOTE_BASE_URL: server.url,
    REMOTE_API_KEY: "remote-key-4711-c0ffee",
    HEARTBEAT_INTERVAL: "3600",
  });
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  writeFileSync(join(notes, "notes.org"), "* A blue sedan\nThe vehicle is here.\n* Soup\nLeeks.\n");
  const heard = server.heard("Leeks");
  const daemon = await serveDaemon(world);
  await heard;
  const search = ["memory", "search", "automobile", "--json"];
  let beside = await world.command(search);
  // The vectors are kept a moment after they were asked for.
  for (let tries = 0; tries < 400 && beside.out === ""; tries += 1) {
    await pause(250);
    beside = await world.command(search);
  }
  assert.match(beside.out, /^\{"id":"notes.org::A blue sedan"/);
  await daemon.leave();
  const before = server.requests.length;
  assert.equal((await world.command(search)).out, beside.out);
  assert.deepEqual(
    server.requests.slice(before).map(({ input }) => input),
    [["automobile"]],
  );
  const unpaid = await world.command(["memory", "search", "soup"], { settings: { BUDGET_PER_DAY: "0" } });
  assert.match(unpaid.out, /Soup/);
  assert.match(unpaid.err, /by their words alone.*Budget exhausted/);
  assert.equal(server.requests.length, before + 1);
});
