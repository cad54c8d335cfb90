import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, isMissing, makeWorld, named, talkTo } from "../agent-world.ts";

const text = (file: number): string => `Report ${file} of the year with plans, costs and names\n`.repeat(60);
const other = (file: number): string => `zzz yyy ${file + 1000}\n`.repeat(60);
const nameOf = (file: number): string => `docs/d-${file}.txt`;

/** A world with so many documents of 60 lines each. */
async function withDocuments(t: TestContext, count = 15): Promise<AgentWorld> {
  const world = await makeWorld(t, [], { TRIALS: "true" });
  mkdirSync(world.path("docs"));
  for (let file = 0; file < count; file += 1) writeFileSync(world.path(nameOf(file)), text(file));
  return world;
}

type Call = readonly [tool: string, args: object];

const write = (file: number, content: string): Call => ["write-file", { path: nameOf(file), content }];
const empty = (file: number): Call => [
  "shell",
  { cmd: `perl -e 'open F, ">", "docs/d-${file}.txt"; print F "gone"'` },
];
const replace = (files: readonly number[]): Call => [
  "shell",
  {
    cmd: `perl -e 'for (${files.join(", ")}) { open F, ">", "docs/d-$_.txt"; print F "zzz yyy\\n" x 60 }'`,
  },
];
const each = (count: number, call: (file: number) => Call): readonly Call[] =>
  Array.from({ length: count }, (_, file) => call(file));

/**
 * Has the model make the calls in one turn, those of an answer together; gives how many documents changed
 * until a question, and the question.
 */
async function make(world: AgentWorld, answers: readonly (readonly Call[])[]) {
  world.provider.add(...answers.map((made) => calls(...made)), { text: "Done." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const said = await talk.say("Bring the project up to date.");
  return { changed: changedIn(world), asked: named(said.events, "approval-required")[0]?.reason ?? "" };
}

function changedIn(world: AgentWorld): number {
  return readdirSync(world.path("docs")).filter(
    (name) => readFileSync(world.path(`docs/${name}`), "utf8") !== text(Number(/\d+/.exec(name)?.[0])),
  ).length;
}

const oneByOne = (made: readonly Call[]) => made.map((call) => [call]);

test("files that write-file leaves next to nothing of, one by one, are added up", async (t) => {
  const writes = each(15, (file) => write(file, "gone\n"));
  const { changed, asked } = await make(await withDocuments(t), oneByOne(writes));
  assert.equal(changed, 1);
  assert.match(
    asked,
    /empties or overwrites 2 files, 1 of them before it in this turn, and your message plainly asks for none/,
  );
  assert.match(asked, /docs\/d-0\.txt, docs\/d-1\.txt/);
});

test("files that write-file gives wholly other contents, in several answers or in one, are added up", async (t) => {
  const writes = each(15, (file) => write(file, other(file)));
  for (const answers of [[writes.slice(0, 6), writes.slice(6)], [writes]]) {
    const { changed, asked } = await make(await withDocuments(t), answers);
    assert.equal(changed, 10);
    assert.match(asked, /11 files, 10 of them before it in this turn/);
  }
});

test("a file that edits take away piece by piece is lost", async (t) => {
  const world = await withDocuments(t, 0);
  const lines = Array.from({ length: 50 }, (_, line) => `word${line} of ${line * 7}`);
  const edits = (file: number): readonly Call[] =>
    [0, 1, 2, 3, 4].map((part) => [
      "edit-file",
      { path: nameOf(file), old: `${lines.slice(part * 10, part * 10 + 10).join("\n")}\n`, new: "" },
    ]);
  for (const file of [0, 1]) writeFileSync(world.path(nameOf(file)), `${lines.join("\n")}\nend\n`);
  const { asked } = await make(world, [edits(0), edits(1)]);
  assert.match(asked, /2 files, 1 of them before it in this turn/);
  assert.ok(readFileSync(world.path(nameOf(1)), "utf8").length > 20);
});

test("what commands of a turn lose, each below the bound, is added up", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const one = await make(await withDocuments(t), oneByOne(each(6, empty)));
  assert.equal(one.changed, 1);
  assert.match(one.asked, /2 files, 1 of them before it in this turn/);
  const many = await make(await withDocuments(t), [[replace([0, 1, 2, 3, 4, 5]), replace([6, 7, 8, 9, 10])]]);
  assert.equal(many.changed, 6);
  assert.match(many.asked, /11 files, 6 of them before it in this turn/);
});

test("what commands and writes of a turn lose is added up, in either order", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  for (const mixed of [
    [empty(0), write(1, "gone\n")],
    [write(0, "gone\n"), empty(1)],
    [write(0, "gone\n"), ["shell", { cmd: "rm docs/d-1.txt" }] as const],
  ]) {
    const { changed, asked } = await make(await withDocuments(t), [mixed]);
    assert.equal(changed, 1);
    assert.match(asked, /2 files, 1 of them before it in this turn/);
  }
  const some = [...each(8, (file) => write(file, other(file))), replace([8, 9, 10])];
  assert.equal((await make(await withDocuments(t), [some])).changed, 8);
});

test("what the sub-tasks of a turn lose is added up with it", async (t) => {
  const world = await withDocuments(t);
  const task = { task: "PART-A", tools: ["write-file"] };
  world.provider.add(
    { ...calls(write(0, "gone\n")), when: "WHOLE" },
    { ...calls(["delegate", { tasks: [task] }]), when: "WHOLE" },
    { ...calls(write(1, "gone\n")), when: "PART-A" },
    { text: "Done.", when: "PART-A" },
    { text: "Done.", when: "WHOLE" },
  );
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("delegate the parts of the WHOLE")).end, "answered");
  assert.equal(changedIn(world), 1);
  assert.match(
    JSON.stringify(world.provider.requests.map(({ body }) => body)),
    /2 files, 1 of them before it/,
  );
});

test("a copy that the turn made and takes away again keeps nothing", async (t) => {
  const keep = each(2, (file) => ["write-file", { path: `kept/${file}.txt`, content: text(file) }]);
  const moved = each(2, (file) => write(file, "moved\n"));
  const again = each(2, (file) => ["write-file", { path: `kept/${file}.txt`, content: "gone\n" }]);
  const world = await withDocuments(t);
  const { asked } = await make(world, [keep, moved, again]);
  assert.match(asked, /2 files, 2 of them before it in this turn.*docs\/d-0\.txt, docs\/d-1\.txt/);
  assert.equal(readFileSync(world.path("kept/1.txt"), "utf8"), text(1));
});

/** Has the contents of all documents copied to files of a folder, and then overwritten. */
const copyTo = (folder: string): Call => [
  "shell",
  {
    cmd: `perl -e 'mkdir "${folder}"; for (glob "docs/*.txt") { system("cp", $_, "${folder}"); open F, ">$_"; print F "gone" }'`,
  },
];
const overwrite = (folder: string, by: string): Call => [
  "shell",
  { cmd: `perl -e 'for (glob "${folder}/*.txt") { open F, ">$_"; print F "${by}" }'` },
];

test("a copy in a folder that the turn made keeps a file only while it stands", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const emptyCopy = each(15, (file) => ["write-file", { path: `copies/d-${file}.txt`, content: "y\n" }]);
  const copied: Call = ["shell", { cmd: "cp -r docs copies" }];
  for (const answers of [
    [[copyTo("copies")], [overwrite("copies", "y")]],
    [[copied], [overwrite("docs", "x")], [overwrite("copies", "y")]],
    [
      [copied],
      [overwrite("docs", "x")],
      [["shell", { cmd: `perl -e 'unlink glob "copies/*"; rmdir "copies"'` }] as const],
    ],
    [[copied], [overwrite("docs", "x")], emptyCopy],
  ]) {
    const world = await withDocuments(t);
    const { asked } = await make(world, answers);
    assert.match(asked, /(?:2|15) files, (?:2|15) of them before it in this turn/, JSON.stringify(answers));
    assert.equal(readFileSync(world.path("copies/d-14.txt"), "utf8"), text(14));
  }
});

test("a copy where a build makes its files again keeps nothing", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  for (const isThere of [true, false]) {
    const world = await withDocuments(t);
    if (isThere) mkdirSync(world.path("dist"));
    const { asked, changed } = await make(world, [[copyTo("dist")]]);
    assert.match(asked, /overwrites 15 files, and your message plainly asks for none/);
    assert.equal(changed, 0);
  }
  const copies = each(2, (file) => ["write-file", { path: `dist/${file}.txt`, content: text(file) }]);
  const written = await make(await withDocuments(t), [[...copies, ...each(2, (file) => write(file, "x\n"))]]);
  assert.match(written.asked, /2 files, 1 of them before it in this turn/);
});

test("a copy in a folder that the turn made, and a move of it, keeps a file", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const { asked, changed } = await make(await withDocuments(t), [
    [["shell", { cmd: "cp -r docs copies" }], overwrite("docs", "x")],
    [["shell", { cmd: `perl -e 'rename "copies", "other"'` }]],
  ]);
  assert.equal(asked, "");
  assert.equal(changed, 15);
});

test("what a question listed is not counted again", async (t) => {
  const world = await withDocuments(t, 22);
  world.provider.add(calls(...each(22, (file) => write(file, other(file)))), { text: "Done." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("Go on.")).end, "approval-required");
  const next = await talk.say(`/approve ${talk.token()}`);
  assert.equal(next.end, "approval-required");
  assert.equal(changedIn(world), 21);
  assert.match(named(next.events, "approval-required")[0]?.reason ?? "", /11 files, 10 of them before it/);
});

test("a turn that a process left goes on with its sum in the next one", async (t) => {
  const world = await withDocuments(t);
  world.provider.add(calls(write(0, "gone\n")), { fault: "hang" });
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    void talk.say("Go on.");
    await world.provider.reached(2);
  }
  world.provider.add(calls(write(1, "gone\n")), { text: "Done." });
  await using daemon = await world.open();
  await daemon.whenIdle();
  assert.equal(changedIn(world), 1);
});

test("small edits, a few new versions, files of the turn's own and a file that is written twice ask nothing", async (t) => {
  const edits = each(10, (file) => [
    "edit-file",
    { path: nameOf(file), old: "costs", new: "prices", all: true },
  ]);
  const own = (content: (file: number) => string): readonly Call[] =>
    each(3, (file) => ["write-file", { path: `new/${file}.txt`, content: content(file) }]);
  const { changed, asked } = await make(await withDocuments(t), [
    [...edits, ...own(text)],
    [...each(3, (file) => write(file, other(file))), ...own(() => "x\n")],
    each(3, (turn) => write(turn, other(turn + 50))),
  ]);
  assert.equal(asked, "");
  assert.equal(changed, 10);
});

test("what moved to another file in the turn is there", async (t) => {
  const moves = each(3, (file) => ["write-file", { path: `moved/${file}.txt`, content: text(file) }]);
  const { asked, changed } = await make(await withDocuments(t), [
    [...moves, ...each(3, (file) => write(file, "moved\n"))],
  ]);
  assert.equal(asked, "");
  assert.equal(changed, 3);
});
