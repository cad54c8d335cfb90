import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, isMissing, makeWorld, named, providerKey, talkTo } from "../agent-world.ts";

test("an edit tells its file, its diff and how long it took, and each verdict how many gates answered and how fast", async (t) => {
  const world = await makeWorld(t, [
    calls(["edit-file", { path: "plan.txt", old: "Friday", new: "Saturday" }]),
    { text: "Moved." },
  ]);
  writeFileSync(world.path("plan.txt"), "Water the roses on Friday.\n");
  await using daemon = await world.open();
  const { events } = await (await talkTo(daemon)).say("move it");
  const [outcome] = named(events, "outcome");
  assert.deepEqual(outcome?.changes, [
    {
      path: world.path("plan.txt"),
      change: "replace",
      added: 1,
      removed: 1,
      diff: "@@ -1 +1 @@\n-Water the roses on Friday.\n+Water the roses on Saturday.",
      left: 0,
    },
  ]);
  assert.ok((outcome.milliseconds ?? -1) >= 0);
  const [verdict] = named(events, "verdict");
  assert.ok((verdict?.gates ?? 0) > 10 && (verdict?.microseconds ?? 0) > 0);
});

test("a question about a file shows the diff before the yes, without keys", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: ".envrc", content: "use nix\nexport B=2\n" }]),
    { text: "Written." },
  ]);
  writeFileSync(world.path(".envrc"), `use nix\nexport A=${providerKey}\n`);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const [question] = named((await talk.say("write it")).events, "approval-required");
  const [change] = question?.changes ?? [];
  assert.deepEqual([change?.added, change?.removed], [1, 1]);
  assert.match(change?.diff ?? "", /^-export A=\[masked: .*\]\n\+export B=2$/m);
  const done = await talk.say(`/approve ${talk.token()}`);
  assert.equal(named(talk.events, "outcome").at(-1)?.changes?.[0]?.diff, change?.diff);
  assert.equal(done.end, "answered");
});

test("what did not happen shows no diff: an edit that failed, and one that says that it changed nothing", async (t) => {
  const world = await makeWorld(t, [
    calls(
      ["edit-file", { path: "a.txt", old: "missing", new: "there" }],
      ["write-file", { path: "b.txt", content: "same\n" }],
    ),
    { text: "Nothing." },
  ]);
  writeFileSync(world.path("a.txt"), "one\n");
  writeFileSync(world.path("b.txt"), "same\n");
  await using daemon = await world.open();
  const { events } = await (await talkTo(daemon)).say("try it");
  assert.deepEqual(
    named(events, "outcome").map(({ changes }) => changes),
    [undefined, []],
  );
});

test("a command that was approved and not tried shows what it changed, also where it failed, and no words of a secret file", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const cmd =
    "sh -c 'sed -i s/Friday/Saturday/ a.txt; rm old.md; echo x > .env; mkdir .husky; echo x > .husky/hook; exit 3'";
  const world = await makeWorld(t, [calls(["shell", { cmd }]), { text: "Done." }], { TRIALS: "false" });
  for (const name of ["a.txt", "old.md"]) writeFileSync(world.path(name), "On Friday.\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const [question] = named((await talk.say("change a.txt, delete old.md")).events, "approval-required");
  assert.equal(question?.changes, undefined);
  await talk.say(`/approve ${talk.token()}`);
  const shown = named(talk.events, "outcome").at(-1)?.changes ?? [];
  assert.deepEqual(
    shown.map(({ path, change, diff }) => [path.slice(world.workspace.length + 1), change, diff]).sort(),
    [
      [".env", "create", ""],
      ["a.txt", "replace", "@@ -1 +1 @@\n-On Friday.\n+On Saturday."],
      ["old.md", "delete", "@@ -1 +0,0 @@\n-On Friday."],
    ],
  );
});

test("a command that was tried shows what it would change in files, and what it changed once it was kept", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await makeWorld(
    t,
    [calls(["shell", { cmd: "sed -i s/Friday/Saturday/ *.txt && rm old.md" }]), { text: "Done." }],
    { TRIALS: "true" },
  );
  for (const name of ["a.txt", "b.txt", "old.md"]) writeFileSync(world.path(name), "On Friday.\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const said = await talk.say("Run sed -i s/Friday/Saturday/ *.txt && rm old.md");
  const question = named(said.events, "approval-required")[0];
  if (question !== undefined) await talk.say(`/approve ${talk.token()}`);
  const shown = named(talk.events, "outcome").at(-1)?.changes ?? [];
  assert.deepEqual(
    shown.map(({ path, change, added, removed }) => [path.slice(-5), change, added, removed]).sort(),
    [
      ["a.txt", "replace", 1, 1],
      ["b.txt", "replace", 1, 1],
      ["ld.md", "delete", 0, 1],
    ],
  );
  if (question !== undefined) assert.deepEqual(question.changes, shown);
  assert.equal(readFileSync(world.path("a.txt"), "utf8"), "On Saturday.\n");
});

test("each file of a new folder is shown with its lines where a trial was kept, by /diff and by /undo", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const cmd =
    "mkdir -p n/deep empty && echo hello > n/a.txt && echo more > n/deep/b.txt && ln -s a.txt n/leads";
  const world = await makeWorld(t, [calls(["shell", { cmd }]), { text: "Done." }], { TRIALS: "true" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const said = await talk.say("make them");
  assert.deepEqual(named(said.events, "approval-required"), []);
  const shown = named(said.events, "outcome").at(-1)?.changes ?? [];
  assert.deepEqual(
    shown.map(({ path, change, diff }) => [path, change, diff.split("\n").at(-1)]),
    [
      [world.path("empty"), "create", "+an empty folder"],
      [world.path("n/a.txt"), "create", "+hello"],
      [world.path("n/leads"), "create", "+a link to a.txt"],
      [world.path("n/deep/b.txt"), "create", "+more"],
    ],
  );
  const { text } = await talk.say("/diff");
  assert.match(
    text,
    /new empty .*an empty folder\n.*new n\/a\.txt \(\+1 −0\)\n.*hello\n.*new n\/deep\/b\.txt.*more/s,
  );
  assert.match((await talk.say("/undo")).text, /\/n was deleted, with a\.txt, .* in it\./);
});
