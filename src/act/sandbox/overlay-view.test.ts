import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { countCalls } from "../../../test/count-calls.ts";
import { LeadsElsewhere } from "../files/open-beneath.ts";
import { makeScratchFolder, sandboxFor } from "../tools/shell/shell.fixture.ts";
import { openOverlay } from "./overlay.ts";
import { type Covers, openOverlayView } from "./overlay-view.ts";

const none: Covers = { masked: [], locked: [], pinned: [] };

async function opened(folder: string, state: string) {
  const overlay = await openOverlay(folder, state);
  if (typeof overlay === "string") throw new Error(overlay);
  return overlay;
}

/** A folder with a secret, a hook and a folder beside it, and its overlay. Null without a sandbox. */
async function place(context: TestContext) {
  if ((await sandboxFor(context)) === null) return null;
  const root = await makeScratchFolder(context);
  const [workspace, out] = [join(root, "work"), join(root, "out")];
  for (const folder of [join(workspace, "a/b"), out]) mkdirSync(folder, { recursive: true });
  for (const path of [join(workspace, "a/b/key"), join(workspace, "a/b/hook"), join(out, "key")])
    writeFileSync(path, "canary");
  const overlay = await opened(workspace, join(root, "state"));
  context.after(() => overlay[Symbol.asyncDispose]());
  const run = (enter: readonly string[], script: string): string => {
    const [program = "", ...words] = [...enter, "/bin/sh", "-c", `cd ${workspace}; ${script}`];
    return execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  };
  return { overlay, workspace, out, run };
}

test("what a view covers cannot be read, changed or moved in it, and is as it was in the overlay", async (context) => {
  const made = await place(context);
  if (made === null) return;
  const { overlay, workspace, run } = made;
  const at = (name: string): string => join(workspace, name);
  const covers = {
    masked: [{ path: at("a/b/key"), kind: "file" }],
    locked: [at("a/b/hook")],
    pinned: [at("a/b")],
  } as const;
  const view = await openOverlayView(overlay, covers);
  assert.ok(typeof view !== "string");
  await using _ = view;
  const tries = "mkdir new; mv a new/a || true; ln a/b/key name; cat $(find . -name key -type f) name";
  assert.equal(run(view.enter, `${tries}; true`), "");
  const changes = "echo x > a/b/hook || echo locked; mv a/b moved || echo pinned; rm a/b/key || echo masked";
  assert.equal(run(view.enter, changes), "locked\npinned\nmasked\n");
  assert.equal(run(overlay.enter, "cat a/b/key"), "canary");
});

test("no cover is a device of the machine, and none can be changed: modes, times, lists of access, contents", async (context) => {
  const made = await place(context);
  if (made === null) return;
  const { overlay, workspace, run } = made;
  const standIn = join(workspace, "../stand-in");
  mkdirSync(standIn);
  const at = (name: string): string => join(workspace, name);
  const covers = {
    ...none,
    masked: [
      { path: at("a/b/key"), kind: "file" },
      { path: at("a"), kind: "folder", standIn },
    ],
    locked: [at("a/b/hook")],
  } as const;
  for (const covered of [{ ...covers, masked: covers.masked.slice(0, 1) }, covers]) {
    const view = await openOverlayView(overlay, covered);
    assert.ok(typeof view !== "string");
    await using _ = view;
    // Nothing is tried before it is known that the machine's own device is not there.
    const path = covered.masked.length === 1 ? "a/b/key" : "a";
    const machine = statSync("/dev/null", { bigint: true });
    assert.notEqual(run(view.enter, `stat -c %d:%i ${path}`).trim(), `${machine.dev}:${machine.ino}`);
    const before = run(view.enter, `stat -c %a:%Y:%s ${path}`);
    const tries = [
      `chmod 777 ${path}`,
      `touch -d @1 ${path}`,
      `setfacl -m u:4711:rwx ${path}`,
      `echo x > ${path}`,
      `echo x > ${path}/new`,
    ];
    for (const each of tries) assert.equal(run(view.enter, `${each} && echo done || true`), "", each);
    assert.equal(run(view.enter, `stat -c %a:%Y:%s ${path}`), before);
  }
});

test("a view is refused where a name leads elsewhere, covers nothing outside, and needs nothing that is gone", async (context) => {
  const made = await place(context);
  if (made === null) return;
  const { overlay, workspace, out, run } = made;
  run(overlay.enter, `rm -r a; ln -s ${out} a`);
  const masked = (name: string) => [{ path: join(workspace, name), kind: "file" }] as const;
  mkdirSync(join(workspace, "d"));
  assert.match(
    String(await openOverlayView(overlay, { ...none, masked: masked("a/key") })),
    /could not be covered/,
  );
  assert.equal(readFileSync(join(out, "key"), "utf8"), "canary");
  const view = await openOverlayView(overlay, { ...none, masked: masked("gone") });
  assert.ok(typeof view !== "string");
  await view[Symbol.asyncDispose]();
});

test("a folder of an overlay is opened name by name, and no link is followed, relative or absolute", async (context) => {
  const made = await place(context);
  if (made === null) return;
  const { overlay, workspace, out, run } = made;
  symlinkSync(join(workspace, "a"), join(out, "back"));
  run(overlay.enter, `ln -s ../out r; ln -s ${workspace}/a s; ln -s a t`);
  for (const name of ["r", "s", "s/b", "t/b", "../out", "a/../a", "a/b/key"])
    await assert.rejects(overlay.openFolder(`${workspace}/${name}`), LeadsElsewhere, name);
  await assert.rejects(overlay.openFolder(out), LeadsElsewhere);
  await using folder = await overlay.openFolder(join(workspace, "a/b"));
  assert.deepEqual(readdirSync(folder.at()).sort(), ["hook", "key"]);
});

test("one process opens an overlay and gives it the list of access of its folder", async (context) => {
  if ((await sandboxFor(context)) === null) return;
  const root = await makeScratchFolder(context);
  const workspace = join(root, "work");
  mkdirSync(workspace);
  const { setfacl, getfacl } = { setfacl: "/usr/bin/setfacl", getfacl: "/usr/bin/getfacl" };
  const hasLists = existsSync(setfacl) && existsSync(getfacl);
  if (hasLists) execFileSync(setfacl, ["-d", "-m", "u:1234:rwx", workspace]);
  const { processes } = await countCalls(async () => {
    await using overlay = await opened(workspace, join(root, "state"));
    const words = ["--omit-header", "--numeric", "--absolute-names", overlay.upper];
    const list = hasLists ? execFileSync(getfacl, words, { encoding: "utf8" }) : "";
    assert.equal(list.includes("default:user:1234:rwx"), hasLists);
  });
  // A user who is not root looks for files of others before.
  assert.equal(processes, process.geteuid?.() === 0 ? 1 : 2);
});
