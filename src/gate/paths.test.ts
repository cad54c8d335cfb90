import assert from "node:assert/strict";
import { test } from "node:test";
import type { Effect } from "../signal/effect.ts";
import { paths } from "./paths.ts";
import { sampleEffects, sampleFacts } from "./sample-action.ts";

const { read, write, remove } = sampleEffects;
const answer = (effect: Effect, facts = sampleFacts): string => {
  const given = paths.answer(effect, facts, 0);
  return "code" in given ? `${given.result} ${given.code}` : given.result;
};

test("the workspace and the notes are free to read and write", () => {
  for (const target of ["/home/ada/project/a", "/home/ada/memex/b/c.org", "/home/ada/project/.env.example"]) {
    assert.equal(answer({ ...read, target }), "passed");
    assert.equal(answer({ ...write, target }), "passed");
    assert.equal(answer({ ...remove, target }), "passed");
  }
});

test("a folder whose name begins like the workspace's is outside", () => {
  assert.equal(answer({ ...write, target: "/home/ada/project-2/a" }), "ask write-outside");
  assert.equal(answer({ ...write, target: "/home/ada/Project/a" }), "ask write-outside");
});

test("outside the workspace and the notes, names pass and contents and changes ask", () => {
  const target = "/usr/share/doc/a";
  assert.equal(answer({ ...read, target, access: "names" }), "passed");
  assert.equal(answer({ ...read, target }), "ask read-outside");
  assert.equal(answer({ ...write, target }), "ask write-outside");
  assert.equal(answer({ ...remove, target }), "ask delete-outside");
});

test("every notes folder is free, and a folder that is or holds one is never deleted unasked", () => {
  const otherNotes = ["/mnt/notes", "/home/ada/project/notes"];
  const facts = { ...sampleFacts, folders: { ...sampleFacts.folders, otherNotes } };
  for (const target of ["/mnt/notes/a.org", "/home/ada/project/notes/a.org"]) {
    assert.equal(answer({ ...read, target }, facts), "passed");
    assert.equal(answer({ ...write, target }, facts), "passed");
    assert.equal(answer({ ...remove, target }, facts), "passed");
  }
  for (const target of ["/mnt/notes-2/a.org", "/mnt/note", "/mnt"])
    assert.equal(answer({ ...write, target }, facts), "ask write-outside");
  for (const target of ["/mnt/notes", "/mnt", "/home/ada/project/notes", "/home/ada/project/Notes"])
    assert.equal(answer({ ...remove, target }, facts), "ask delete-outside", target);
});

test("a write asks where its notes folder is lost, and only there", () => {
  const lostFolders = [{ folder: "/mnt/notes", files: 7 }];
  const folders = { ...sampleFacts.folders, otherNotes: ["/mnt/notes"], lostFolders };
  const facts = { ...sampleFacts, folders };
  assert.equal(answer({ ...write, target: "/mnt/notes/a.org" }, facts), "ask write-lost-notes");
  assert.equal(answer({ ...write, target: `${sampleFacts.folders.notes}/a.org` }, facts), "passed");
});

test("without a workspace only the notes are free", () => {
  const facts = { ...sampleFacts, folders: { ...sampleFacts.folders, workspace: null } };
  assert.equal(answer(read, facts), "ask read-outside");
  assert.equal(answer({ ...read, target: "/home/ada/memex/a" }, facts), "passed");
});

test("secret paths block for contents, names, writes and deletes, inside the workspace too", () => {
  for (const target of ["/home/ada/.ssh", "/home/ada/project/.env", "/home/ada/project/copy/.aws/config"]) {
    assert.equal(answer({ ...read, target }), "block secret-path");
    assert.equal(answer({ ...read, target, access: "names" }), "block secret-path");
    assert.equal(answer({ ...write, target }), "block secret-path");
    assert.equal(answer({ ...remove, target }), "block secret-path");
  }
});

test("public certificates that a trial found are no key, where the ending alone is secret and nobody reads them", () => {
  const target = "/home/ada/project/certifi/cacert.pem";
  const seen = { certificates: true } as const;
  assert.equal(answer({ ...write, target, ...seen }), "passed");
  assert.notEqual(answer({ ...remove, target, ...seen }), "block secret-path");
  assert.equal(answer({ ...write, target }), "block secret-path");
  assert.equal(answer({ ...read, target }), "block secret-path");
  for (const other of [
    "/home/ada/project/.ssh/a.pem",
    "/home/ada/project/id_rsa.pem",
    "/home/ada/project/a.key",
  ])
    assert.equal(answer({ ...write, target: other, ...seen }), "block secret-path");
});

test("the agent's own folders block, in any case, even where the workspace holds them", () => {
  const workspace = "/home/ada";
  const facts = { ...sampleFacts, folders: { ...sampleFacts.folders, workspace } };
  for (const target of ["/home/ada/.local/state/passepartout/journal", "/home/ada/.Config/Passepartout"]) {
    assert.equal(answer({ ...read, target }, facts), "block own-folder");
    assert.equal(answer({ ...read, target, access: "names" }, facts), "block own-folder");
    assert.equal(answer({ ...write, target }, facts), "block own-folder");
    assert.equal(answer({ ...remove, target }, facts), "block own-folder");
  }
});

test("the installation may be read and never changed", () => {
  const target = "/opt/passepartout/dist/main.js";
  assert.equal(answer({ ...read, target }), "ask read-outside");
  assert.equal(answer({ ...write, target }), "block own-folder");
  assert.equal(answer({ ...remove, target }), "block own-folder");
});

test("a folder that contains the agent's own folders is never deleted, and reading everything below it asks", () => {
  assert.equal(answer({ ...remove, target: "/home/ada/.local" }), "block own-folder");
  const facts = { ...sampleFacts, folders: { ...sampleFacts.folders, workspace: "/home/ada" } };
  assert.equal(answer({ ...read, target: "/home/ada", tree: true }, facts), "ask read-around-own");
  const clone = { ...sampleFacts, folders: { ...sampleFacts.folders, workspace: "/opt" } };
  assert.equal(answer({ ...read, target: "/opt", tree: true }, clone), "passed");
});

test("a file that is executed later asks, inside the workspace too", () => {
  const names = [
    ".git/hooks/pre-commit",
    ".git/config",
    ".envrc",
    ".vscode/tasks.json",
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".bashrc",
    ".ci/run",
    ".husky/pre-push",
    "sub/.GIT/hooks/x",
  ];
  for (const name of names) {
    const target = `/home/ada/project/${name}`;
    assert.equal(answer({ ...write, target }), "ask write-executed-later", name);
    assert.equal(answer({ ...remove, target }), "ask delete-executed-later", name);
    assert.equal(answer({ ...read, target }), "passed", name);
  }
});

test("a change that could not be undone asks", () => {
  assert.equal(answer({ ...remove, reversal: "final" }), "ask delete-final");
  assert.equal(answer({ ...write, change: "replace", reversal: "final" }), "ask write-final");
  assert.equal(answer({ ...write, change: "replace", reversal: "undoable" }), "passed");
  assert.equal(answer({ ...remove, target: "/home/ada/project" }), "ask delete-outside");
});

test("other kinds of effect do not concern the gate", () => {
  assert.equal(answer(sampleEffects.reach), "not-concerned");
});

test("only what a build of the workspace makes again is deleted unasked: a workspace may lie in a folder of such a name, and notes may", () => {
  const there = { ...remove, existed: true } as const;
  assert.equal(answer({ ...there, target: "/home/ada/project/dist/a.js" }), "passed");
  const tracked = { ...there, target: "/home/ada/project/dist/a.js", tracked: true } as const;
  assert.equal(answer(tracked), "ask delete-existing");
  assert.equal(answer({ ...there, target: "/home/ada/project/src/a.ts" }), "ask delete-existing");
  for (const workspace of ["/home/ada/build/site", "/srv/target/app", "/home/ada/out/x/y"]) {
    const facts = { ...sampleFacts, folders: { ...sampleFacts.folders, workspace } };
    assert.equal(
      answer({ ...there, target: `${workspace}/main.c` }, facts),
      "ask delete-existing",
      workspace,
    );
    assert.equal(answer({ ...there, target: `${workspace}/build/main.o` }, facts), "passed", workspace);
  }
  assert.equal(answer({ ...there, target: "/home/ada/memex/out/plan.org" }), "ask delete-existing");
  const { notes } = sampleFacts.folders;
  const around = { ...sampleFacts, folders: { ...sampleFacts.folders, workspace: "/home/ada", notes } };
  assert.equal(answer({ ...there, target: "/home/ada/memex/build/plan.org" }, around), "ask delete-existing");
});

test("a name that a person would not read as it is blocks, but where the owner's own undo takes it from a kept set of changes", () => {
  const command = { ...sampleFacts, action: { ...sampleFacts.action, kind: "command" as const } };
  for (const name of ["caf\udce9", "a\nb", "a\tb", "Icon\r", "a\u202eb"]) {
    const target = `/home/ada/project/${name}`;
    for (const effect of [write, remove]) {
      assert.equal(answer({ ...effect, target }), "block malformed-path");
      assert.equal(answer({ ...effect, target }, command), "block malformed-path");
      assert.equal(answer({ ...effect, target, isKept: true }), "block malformed-path");
      assert.equal(answer({ ...effect, target, isKept: true }, command), "passed");
    }
  }
  for (const target of ["project/a", "/home/ada/project/../b", "/home/ada/.ssh/caf\udce9"])
    assert.match(answer({ ...write, target, isKept: true }, command), /^block/);
});

test("the owner's own undo takes a secret file away that a command made, and nothing else touches it", () => {
  const command = { ...sampleFacts, action: { ...sampleFacts.action, kind: "command" as const } };
  const target = "/home/ada/docs/.ssh/id_rsa";
  assert.notEqual(answer({ ...remove, target, isKept: true }, command), "block secret-path");
  assert.equal(answer({ ...remove, target, isKept: true }), "block secret-path");
  assert.equal(answer({ ...remove, target }, command), "block secret-path");
  assert.equal(answer({ ...write, target, isKept: true }, command), "block secret-path");
});
