import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openCommandOverlays } from "../../trial/command-overlays.ts";
import { rememberNothing } from "../../trial/workshop.fixture.ts";
import { cage } from "./sandbox.fixture.ts";
import { outputOf, sandboxFor, shellIn } from "./shell.fixture.ts";

test("a line does outside of the workspace what its words say, once the owner said yes, and the question says that it can be undone", async (t) => {
  const made = await cage(t);
  if (made === null) return;
  const { inside, elsewhere, workspace } = made;
  const at = (...names: readonly string[]): string => join(elsewhere, ...names);
  writeFileSync(at("there"), "words");
  writeFileSync(at("other"), "others");
  mkdirSync(at("docs/deep"), { recursive: true });
  writeFileSync(at("docs/deep/one"), "one");
  writeFileSync(join(workspace, "own"), "own");
  const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, "utf8") : null);
  for (const [cmd, path, becomes] of [
    [`sed -i s/words/changed/ ${at("there")}`, at("there"), "changed"],
    [`cp own ${at("copy")}`, at("copy"), "own"],
    [`mkdir -p ${at("new/deeper")} && cp own ${at("new/deeper")}`, at("new/deeper/own"), "own"],
    [`sh -c 'touch ${at("touched")}'`, at("touched"), ""],
    [`rm ${at("there")}`, at("there"), null],
    [`mv own ${at("docs")}`, at("docs/own"), "own"],
    [`mv ${at("docs/own")} own`, at("docs/own"), null],
    [`git config -f ${at("settings")} user.name somebody`, at("settings"), "[user]\n\tname = somebody\n"],
    [`cp -r ${at("docs")} ${at("new")}`, at("new/docs/deep/one"), "one"],
    [`cp -r ${at("docs")} ${at("new")}`, at("new/docs/deep/one"), "one"],
    [`echo said > ${at("said")} && sed -i s/a/o/ ${at("said")} && cat ${at("said")}`, at("said"), "soid\n"],
    [`mkdir ${at("made")} && echo said > ${at("made/said")}`, at("made/said"), "said\n"],
    [`find ${at("docs")} -name one -delete`, at("docs/deep/one"), null],
    [`rm -rf ${at("docs")}`, at("docs/deep"), null],
  ] as const) {
    const prepared = await inside.prepare(cmd);
    assert.ok(prepared.ok, `${cmd}: ${JSON.stringify(prepared)}`);
    const targets = prepared.effects.filter(({ kind }) => kind === "write-path" || kind === "delete-path");
    assert.ok(
      targets.every(({ reversal }) => reversal === "undoable"),
      cmd,
    );
    assert.ok(
      targets.some(({ target }) => target === path || path.startsWith(`${target}/`)),
      cmd,
    );
    const said = outputOf(await prepared.run(new AbortController().signal));
    assert.match(said, /"exitCode":0/, `${cmd}: ${said}`);
    assert.equal(read(path), becomes, cmd);
    assert.equal(read(at("other")), "others");
  }
  assert.equal(read(join(workspace, "own")), "own");
  assert.deepEqual(readdirSync(elsewhere).sort(), [
    "copy",
    "made",
    "new",
    "other",
    "said",
    "settings",
    "touched",
  ]);
  assert.ok(lstatSync(at("new/deeper")).isDirectory());
});

test("a line sees of a folder outside of the workspace only what it names, and a program that changes more there changes nothing at all", async (t) => {
  const made = await cage(t);
  if (made === null) return;
  const { inside, elsewhere, workspace, state } = made;
  mkdirSync(join(elsewhere, "docs"));
  for (const name of ["named", "other", "docs/one"]) writeFileSync(join(elsewhere, name), name);
  const run = async (script: string): Promise<string> => {
    writeFileSync(join(workspace, "more.sh"), `cd ${elsewhere}; ${script}`);
    const code = `BEGIN { system("sh", "more.sh") } s/named/changed/`;
    return outputOf(await inside.run(`perl -i -pe '${code}' ${elsewhere}/named`));
  };
  const own = join(workspace, "own");
  for (const more of [
    "echo x > other",
    "echo x > new",
    "mkdir docs",
    "mkdir -p docs/one",
    "ln -s /etc link",
    "chmod 777 .",
    "mkfifo pipe",
    "rm named; mkdir named; echo x > named/one",
    "mkdir .git; echo x > .git/config",
  ]) {
    const said = await run(`${more}; echo own > ${own}`);
    assert.match(
      said,
      /^not-made: (?:.*\n)?Nothing of what the command changed was made here\./s,
      `${more}: ${said}`,
    );
    assert.match(said, /would also have changed|named would be a folder/, more);
    assert.deepEqual(readdirSync(elsewhere).sort(), ["docs", "named", "other"], more);
    assert.deepEqual(
      ["named", "other", "docs/one"].map((name) => readFileSync(join(elsewhere, name), "utf8")),
      ["named", "other", "docs/one"],
      more,
    );
    assert.ok(!existsSync(own), more);
  }
  assert.match(await run("ls -a; cat other docs/one"), /"stdout":"\.\\n\.\.\\nnamed\\n"/);
  assert.equal(readFileSync(join(elsewhere, "named"), "utf8"), "changed");
  const left = readdirSync(join(state, "commands")).filter((name) => name.startsWith("overlay-"));
  assert.deepEqual(left, []);
});

test("of a line that changes several folders nothing is kept, and nothing deleted, where somebody else changed one of them meanwhile", async (t) => {
  const [made, sandbox] = [await cage(t), await sandboxFor(t)];
  if (made === null || sandbox === null) return;
  const { elsewhere, workspace, state, runtime } = made;
  const at = (...names: readonly string[]): string => join(elsewhere, ...names);
  const overlays = openCommandOverlays(join(state, "commands"), rememberNothing);
  let meanwhile: string | null = null;
  const inside = shellIn(workspace, {
    hidden: [state, runtime],
    sandbox,
    overlays: {
      ...overlays,
      // A folder is compared with what it was when its copy began.
      openPart: async (...given) => {
        const opened = await overlays.openPart(...given);
        if (meanwhile !== null && typeof opened !== "string")
          do writeFileSync(meanwhile, "somebody else's");
          while (statSync(meanwhile, { bigint: true }).ctimeNs <= opened.begun);
        return opened;
      },
    },
  });
  const files = ["docs/one", "docs/two", "other/three"].map((name) => at(name));
  const plant = (): void => {
    rmSync(elsewhere, { recursive: true });
    for (const folder of ["docs", "other"]) mkdirSync(at(folder), { recursive: true });
    for (const file of [...files, join(workspace, "own")]) writeFileSync(file, "as it was");
  };
  for (const [cmd, changed] of [
    [
      `mv ${at("docs/one")} ${at("other/one2")}; mv ${at("other/three")} ${at("docs/three")}`,
      at("other/one2"),
    ],
    [`mv ${at("docs/one")} ${at("other")}; rm ${at("docs/two")}; mv own ${at("docs")}`, at("docs/own")],
    [`mv ${at("docs/one")} here; rm own; cp own2 ${at("other/three")}`, join(workspace, "here")],
  ] as const) {
    plant();
    writeFileSync(join(workspace, "own2"), "new");
    meanwhile = changed;
    const said = outputOf(await inside.run(cmd));
    assert.match(
      said,
      /^not-made: (?:.*\n)?Nothing of what the command changed was made here\./s,
      `${cmd}: ${said}`,
    );
    assert.ok(
      said.includes(`${changed} was changed by somebody else`) && said.includes("Run it again"),
      said,
    );
    for (const file of [...files, join(workspace, "own")])
      assert.equal(readFileSync(file, "utf8"), "as it was", `${cmd}: ${file}`);
    assert.equal(readFileSync(changed, "utf8"), "somebody else's", cmd);
    meanwhile = null;
    rmSync(changed);
    assert.match(outputOf(await inside.run(cmd)), /"exitCode":0/, cmd);
    assert.ok(existsSync(changed) && !existsSync(at("docs/one")), cmd);
    rmSync(changed);
  }
});

/** Root may write everywhere: `.ci/run` runs these tests as an ordinary user, too. */
const isRoot = process.getuid?.() === 0;

test("what belongs to others outside of the workspace is not asked about, and stays", {
  skip: isRoot && "root may write everywhere",
}, async (t) => {
  const made = await cage(t);
  if (made === null) return;
  const { inside, elsewhere, workspace } = made;
  const closed = join(elsewhere, "closed");
  mkdirSync(closed);
  writeFileSync(join(closed, "one"), "one");
  chmodSync(closed, 0o555);
  writeFileSync(join(workspace, "own"), "own");
  for (const [cmd, why] of [
    [`rm ${closed}/one`, "cannot be read and written"],
    [`cp own ${closed}/two`, "cannot be read and written"],
    ["cp own /var/lib/two", "cannot be read and written"],
    [`rm -rf ${elsewhere} /usr/share/doc`, "a folder of the system"],
  ] as const) {
    const prepared = await inside.prepare(cmd);
    assert.ok(!prepared.ok, cmd);
    assert.ok(prepared.message.includes(why), `${cmd}: ${prepared.message}`);
  }
  chmodSync(closed, 0o755);
  assert.deepEqual(readdirSync(closed), ["one"]);
});
