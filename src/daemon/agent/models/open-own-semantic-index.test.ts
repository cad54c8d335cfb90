import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { nothingNear } from "../../../memory/recall/search-memory.ts";
import { loadPolicy } from "../../../settings/policy.ts";
import { bottomLabel } from "../../../signal/label.ts";
import { makeJournalPort } from "../resources/journal-port.ts";
import { openOwnSemanticIndex } from "./open-own-semantic-index.ts";
import { makeSemanticWorld, notesText } from "./semantic-world.fixture.ts";

test("without an embedding provider nothing is sent, and no vectors are kept", async (t) => {
  const world = await makeSemanticWorld(t, { EMBEDDING_PROVIDER: "" });
  await world.beat();
  assert.deepEqual(await world.find("automobile"), []);
  assert.equal(world.semanticIndex, null);
  assert.equal(world.server.requests.length, 0);
});

test("a note with another word for the query is found once its vector was made in the background", async (t) => {
  const world = await makeSemanticWorld(t);
  assert.deepEqual(await world.find("automobile"), [], "its words alone do not find it");
  assert.equal(world.server.requests.length, 0, "nothing is asked before there is anything to compare with");
  await world.beat();
  assert.equal((await world.find("automobile"))[0], "A blue sedan");
  const before = world.server.requests.length;
  await world.beat();
  await world.find("automobile");
  assert.equal(world.server.requests.length, before, "idle costs no request, nor does the same search");
});

test("a note that matches by words and by meaning comes before one that matches by either", async (t) => {
  const world = await makeSemanticWorld(t);
  writeFileSync(world.file, "* Vehicle\n* Automobile keys are where the soup is\nAutomobile\n* Soup\n");
  await world.notes.sync();
  await world.beat();
  assert.deepEqual((await world.find("automobile")).slice(0, 2), [
    "Automobile keys are where the soup is",
    "Vehicle",
  ]);
});

test("a private text is in no request to a provider that is not local, a secret text in no request at all", async (t) => {
  const remote = await makeSemanticWorld(t, { EMBEDDING_PROVIDER: "remote" });
  await remote.beat();
  assert.match(remote.sent().join("\n"), /vehicle/);
  assert.doesNotMatch(remote.sent().join("\n"), /PRIVATE-WORDS|Diary|SECRET-WORDS/);
  const local = await makeSemanticWorld(t);
  await local.beat();
  assert.match(local.sent().join("\n"), /PRIVATE-WORDS/);
  assert.doesNotMatch(local.sent().join("\n"), /SECRET-WORDS/);
});

test("a private query is not sent to a provider that is not local", async (t) => {
  const world = await makeSemanticWorld(t, { EMBEDDING_PROVIDER: "remote" });
  await world.beat();
  const before = world.server.requests.length;
  const found = await world.semanticIndex?.nearest("automobile", { ...bottomLabel, secrecy: "private" }, 5);
  assert.deepEqual(found, nothingNear);
  assert.equal(world.server.requests.length, before);
  const near = await world.semanticIndex?.nearest("automobile", bottomLabel, 5);
  assert.notDeepEqual(near?.notes, []);
});

test("the vector of a note that becomes private is deleted", async (t) => {
  const world = await makeSemanticWorld(t, { EMBEDDING_PROVIDER: "remote" });
  await world.beat();
  writeFileSync(world.file, notesText.replace("* A blue sedan", "* A blue sedan :@personal:"));
  await world.notes.sync();
  await world.beat();
  assert.doesNotMatch((await world.find("automobile")).join(), /sedan/);
});

test("only changed notes are sent again, and the vectors of deleted notes are deleted", async (t) => {
  const world = await makeSemanticWorld(t);
  await world.beat();
  const before = world.sent().length;
  writeFileSync(world.file, notesText.replace("* Recipe for soup\nLeeks", "* Doctor\nLeeks"));
  await world.notes.sync();
  await world.beat();
  assert.deepEqual(world.sent().slice(before), ["Doctor\nLeeks and potatoes."]);
  assert.deepEqual((await world.find("physician")).slice(0, 2), ["Doctor", "Diary"]);
});

test("nothing is sent that exceeds the day's budget", async (t) => {
  const world = await makeSemanticWorld(t, {
    EMBEDDING_PROVIDER: "remote",
    EMBEDDING_PRICE: "1",
    BUDGET_PER_DAY: "0",
  });
  await world.beat();
  assert.equal(world.server.requests.length, 0);
  assert.match(world.reports.join(), /Budget exhausted/);
  assert.deepEqual(await world.find("soup"), ["Recipe for soup"]);
});

test("the usage is booked, and the journal has the call without the text", async (t) => {
  const world = await makeSemanticWorld(t, { EMBEDDING_PROVIDER: "remote", EMBEDDING_PRICE: "1000" });
  await world.beat();
  const [total] = await world.state.ledger.totals({});
  assert.equal(total?.inputTokens, world.sent().length * 10);
  assert.equal(total?.microdollars, world.sent().length * 10 * 1000);
  const journal = world.journal();
  assert.match(journal, /"purpose":"embedding"/);
  assert.doesNotMatch(journal, /garage|remote-key/);
});

test("a failing provider is reported once and not asked for a while, and no search fails", async (t) => {
  const world = await makeSemanticWorld(t);
  await world.beat();
  world.server.fail(500);
  const before = world.server.requests.length;
  assert.deepEqual(await world.find("soup"), ["Recipe for soup"]);
  assert.deepEqual(await world.find("leeks"), ["Recipe for soup"]);
  await world.beat();
  assert.equal(world.server.requests.length, before + 1);
  assert.equal(world.reports.length, 1);
  assert.match(world.semanticIndex?.problem() ?? "", /ollama failed/);
  world.server.fail(null);
  world.time.now += 61_000;
  assert.equal((await world.find("physician"))[0], "Diary");
  assert.equal(world.semanticIndex?.problem(), null);
});

test("a search works even if the file of the vectors cannot be used", async (t) => {
  const world = await makeSemanticWorld(t);
  await world.beat();
  const vectors = new DatabaseSync(join(world.policy.config.places.state, "vectors.db"));
  vectors.exec("DROP TABLE places");
  vectors.close();
  assert.deepEqual(await world.find("soup"), ["Recipe for soup"]);
  assert.equal(world.reports.length, 1);
  await world.semanticIndex?.[Symbol.asyncDispose]();
  const { places } = world.policy.config;
  for (const suffix of ["", "-wal", "-shm"])
    rmSync(join(places.state, `vectors.db${suffix}`), { force: true });
  mkdirSync(join(places.state, "vectors.db"));
  const parts = { ...world, clock: () => 0, journal: makeJournalPort(world.state) };
  assert.equal(
    await openOwnSemanticIndex({ ...parts, report: (said) => void world.reports.push(said) }),
    null,
  );
  assert.match(world.reports.join(), /cannot be opened, so notes are found by their words alone/);
});

test("when no provider is set up any more, the vectors are deleted from the disk", async (t) => {
  const world = await makeSemanticWorld(t);
  await world.beat();
  await world.semanticIndex?.[Symbol.asyncDispose]();
  const { home, state } = world.policy.config.places;
  assert.ok(existsSync(join(state, "vectors.db")));
  const parts = { ...world, clock: () => 0, report: () => undefined, journal: makeJournalPort(world.state) };
  assert.equal(await openOwnSemanticIndex({ ...parts, policy: loadPolicy({ HOME: home }) }), null);
  assert.deepEqual(
    readdirSync(state).filter((name) => name.startsWith("vectors")),
    [],
  );
});

test("a change of the model makes all vectors anew", async (t) => {
  const world = await makeSemanticWorld(t);
  await world.beat();
  await world.semanticIndex?.[Symbol.asyncDispose]();
  const before = world.sent().length;
  const policy = loadPolicy({
    HOME: world.policy.config.places.home,
    EMBEDDING_PROVIDER: "ollama",
    EMBEDDING_MODEL: "other",
    OLLAMA_BASE_URL: world.server.url,
  });
  await using semanticIndex = await openOwnSemanticIndex({
    ...world,
    policy,
    clock: () => world.time.now,
    report: () => undefined,
    journal: makeJournalPort(world.state),
  });
  semanticIndex?.startFilling();
  await semanticIndex?.idle();
  assert.equal(world.sent().length, before * 2);
  assert.equal(world.server.requests.at(-1)?.model, "other");
});
