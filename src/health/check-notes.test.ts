import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { checkNotes } from "./check-notes.ts";

const root = mkdtempSync(join(tmpdir(), "check-notes-"));
after(() => rmSync(root, { recursive: true, force: true }));

test("doctor names the notes that are skipped, and why", async () => {
  const folder = join(root, "notes");
  mkdirSync(join(folder, "sub"), { recursive: true });
  writeFileSync(join(folder, "a.org"), "* A\n");
  writeFileSync(join(folder, "huge.org"), "");
  truncateSync(join(folder, "huge.org"), 100 * 1024 * 1024);
  symlinkSync("/", join(folder, "everything"));
  for (let file = 0; file < 5; file += 1) writeFileSync(join(folder, `a.sync-conflict-${file}.org`), "");
  const checks = await checkNotes({ folder, variables: [] }, "/nowhere");
  assert.match(checks[0]?.text ?? "", /2 files in 2 folders/);
  assert.equal(checks.filter(({ result }) => result === "finding").length, 6);
  assert.match(checks.map(({ text }) => text).join("\n"), /conflict|circle/);
  assert.match(checks.at(-1)?.text ?? "", /2 more files have such problems/);
});

test("doctor names a note whose tags nobody knows, so that it is private", async () => {
  const folder = join(root, "setups");
  mkdirSync(folder);
  writeFileSync(join(folder, "manual.org"), "#+SETUPFILE: gone.org\n* A\n");
  const [, finding] = await checkNotes({ folder, variables: [] }, "/nowhere");
  assert.match(
    finding?.text ?? "",
    /^manual\.org: Its #\+SETUPFILE: gone\.org is not read\. .* private\. Put/,
  );
});

test("doctor finds no problem with a missing notes folder or with sound notes", async () => {
  const folder = join(root, "few");
  assert.deepEqual(
    (await checkNotes({ folder, variables: [] }, "/nowhere")).map(({ result }) => result),
    ["ok"],
  );
  mkdirSync(folder);
  writeFileSync(join(folder, "a.org"), "* A\n");
  assert.deepEqual(
    (await checkNotes({ folder, variables: [] }, "/nowhere")).map(({ result }) => result),
    ["ok"],
  );
});

test("doctor names words that are used as TODO words and that nothing sets, and no others", async () => {
  const folder = join(root, "words");
  mkdirSync(folder);
  const wordsIn = async (text: string, todo: string | null = null): Promise<string> => {
    writeFileSync(join(folder, "a.org"), text);
    const variables = todo === null ? [] : [{ key: "TODO", value: todo }];
    const checks = await checkNotes({ folder, variables }, "/nowhere");
    return /part of the title: (.*?)\./.exec(checks.map(({ text: said }) => said).join("\n"))?.[1] ?? "";
  };
  const thrice = (line: string): string => [1, 2, 3].map((number) => `* ${line} ${number}\n`).join("");
  assert.equal(
    await wordsIn(thrice("WAITING Call Anna") + thrice("SOMEDAY learn Dutch")),
    "WAITING (3), SOMEDAY (3)",
  );
  assert.equal(await wordsIn(thrice("XY [#B] one")), "");
  assert.equal(await wordsIn(thrice("ASK [#B] one")), "ASK (3)");
  assert.equal(
    await wordsIn(`${thrice("offen Dach")}- State "offen"      from "TODO"       [2024-01-15 Mon 10:00]\n`),
    "offen (3)",
  );
  assert.equal(await wordsIn(`* TODO Roof\n${thrice("PARKED Paint")}`), "PARKED (3)");
  assert.equal(await wordsIn(thrice("PARKED Paint\nSCHEDULED: <2024-01-15 Mon>\n** Day")), "PARKED (3)");
  assert.equal(await wordsIn(thrice("WAITING Call Anna").replace("* WAITING Call Anna 2\n", "")), "");
  for (const ordinary of [
    "NASA visit",
    "NASA Visit",
    "UNESCO Heritage",
    "README Update",
    "WAITING: for Anna",
    "Waiting for Anna",
    "2024 Plans",
  ])
    assert.equal(await wordsIn(thrice(ordinary)), "", ordinary);
  assert.equal(await wordsIn(`* TODO Read about UNESCO\n${thrice("UNESCO Heritage")}`), "");
  assert.equal(await wordsIn(thrice("WAITING Call Anna"), "TODO WAITING | DONE"), "");
  assert.equal(await wordsIn(`#+TODO: WAITING | DONE\n${thrice("WAITING Call Anna")}`), "");
  assert.equal(await wordsIn(thrice("TODO Call Anna"), "offen | fertig"), "TODO (3)");
});
