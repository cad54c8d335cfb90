import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { outputOf, sandboxFor, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";
import { calls, makeWorld, talkTo } from "../agent-world.ts";
import { removeFolder } from "../remove-folder.ts";

/**
 * Folders of the system that hold a user's files where a disk is mounted in them, or where they are open to
 * all. In most of them only root makes folders.
 */
const runtimePlaces = process.getuid?.() === 0 ? ["/dev/shm", "/run"] : ["/dev/shm"];
const places = process.getuid?.() === 0 ? [...runtimePlaces, "/usr/local/src"] : runtimePlaces;

/** A folder in a place of the system, removed after the test. */
function folderIn(t: TestContext, place: string): string {
  const folder = mkdtempSync(join(place, "passepartout-place-"));
  t.after(() => removeFolder(folder));
  return folder;
}

/** A workspace in a place of the system, and the setting that puts the state beside it. */
function workspaceIn(t: TestContext, place: string) {
  const folder = folderIn(t, place);
  const cwd = join(folder, "work");
  mkdirSync(cwd);
  return { cwd, settings: { XDG_STATE_HOME: join(folder, "state") } };
}

test("in a workspace below a folder of the system an approval is void once its script holds something else", async (t) => {
  for (const place of places) {
    const { cwd, settings } = workspaceIn(t, place);
    const world = await makeWorld(t, [
      calls(["shell", { cmd: "sh job.sh" }]),
      calls(["write-file", { path: "job.sh", content: "touch swapped\n" }]),
      { text: "written" },
      { text: "done" },
    ]);
    writeFileSync(join(cwd, "job.sh"), "touch judged\n");
    await using agent = await world.open(settings, { cwd });
    const talk = await talkTo(agent);
    assert.equal((await talk.say("run the job")).end, "approval-required");
    const first = talk.token();
    assert.equal((await talk.say("change the script meanwhile")).end, "answered");
    await talk.say(`/approve ${first}`);
    assert.notEqual(talk.token(), first, "it is asked anew");
    assert.deepEqual(readdirSync(cwd), ["job.sh"]);
    await talk.say(`/approve ${talk.token()}`);
    assert.deepEqual(readdirSync(cwd), ["job.sh", "swapped"]);
  }
});

test("private text below a folder of the system stays known after a command removed its file", async (t) => {
  for (const place of places) {
    const { cwd, settings } = workspaceIn(t, place);
    const passage = "The doctor found a lump on the left side and wants another look at it in March.";
    const world = await makeWorld(t, [
      calls(["shell", { cmd: "rm p.org" }]),
      calls(["read-file", { path: "copy.txt" }]),
      { text: "Done." },
    ]);
    writeFileSync(join(cwd, "p.org"), `* Health :@personal:\n${passage}\n`);
    writeFileSync(join(cwd, "copy.txt"), `${passage}\n`);
    await using agent = await world.open(settings, { cwd });
    const talk = await talkTo(agent);
    const { end } = await talk.say("Go on.");
    if (end === "approval-required") await talk.say(`/approve ${talk.token()}`);
    assert.equal(existsSync(join(cwd, "p.org")), false);
    assert.equal(world.provider.requests.length, 3);
    assert.equal(
      world.provider.requests.some(({ body }) => JSON.stringify(body).includes("left side")),
      false,
    );
  }
});

test("below a runtime folder commands see their workspace and the files that were judged, and no socket or folder of running programs", async (t) => {
  const sandbox = await sandboxFor(t);
  if (sandbox === null) return;
  for (const place of runtimePlaces) {
    const root = folderIn(t, place);
    for (const name of ["workspace", "files", "running/inner"])
      mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, "files", "shown"), "visible");
    writeFileSync(join(root, "running", "beside"), "runtime");
    writeFileSync(join(root, "running", "inner", "deeper"), "runtime");
    symlinkSync("../running/beside", join(root, "workspace", "link"));
    for (const folder of ["workspace", "running"]) {
      const server = createServer().listen(join(root, folder, "socket"));
      t.after(() => server.close());
    }
    const shell = shellIn(join(root, "workspace"), { sandbox });
    assert.match(outputOf(await shell.run(`cat ${root}/files/shown`)), /visible/);
    assert.match(outputOf(await shell.run(`ls ${root}/files`)), /shown/);
    writeFileSync(
      join(root, "workspace", "x.sh"),
      "echo kept > made; cat made; test -S socket; echo $?; cat link ../running/beside ../running/inner/deeper",
    );
    assert.match(outputOf(await shell.run("sh x.sh")), /"stdout":"kept\\n1\\n"/);
    assert.equal(existsSync(join(root, "workspace", "made")), true);
    for (const path of ["running/beside", "running/inner/deeper", "running/socket", "workspace/link"])
      assert.doesNotMatch(outputOf(await shell.run(`cat ${root}/${path}`)), /runtime/, path);
    assert.doesNotMatch(
      outputOf(await shell.run(`ls -R ${root}/running ${root}/running/inner`)),
      /beside|deeper/,
    );
  }
});

test("a folder of the kernel, of devices or of running programs is no workspace for commands, and is said to be the system's", async (t) => {
  const sandbox = await sandboxFor(t);
  if (sandbox === null) return;
  for (const place of ["/dev", "/dev/shm", "/run", "/proc/self/fdinfo", "/sys/kernel"]) {
    const said = JSON.stringify(await shellIn(place, { sandbox }).run("sh -c 'ls'"));
    assert.match(said, /belongs to the system and cannot be a workspace for commands/, place);
  }
});
