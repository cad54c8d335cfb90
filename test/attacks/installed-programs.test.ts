import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { makeOwnerHome } from "../../src/act/tools/shell/owner-home.fixture.ts";
import { probe } from "../../src/act/tools/shell/sandbox.fixture.ts";
import { outputOf } from "../../src/act/tools/shell/shell.fixture.ts";

const program = "#!/bin/sh\necho ran\n";
const needle = "NEEDLE";

/** A script that prints what it can read of some files, however they are named. */
function reads(paths: readonly string[]): string {
  const read = paths.map((path) => `cat "${path}"`).join("; ");
  return `bash -c ':; ${read}; true'`;
}

test("secret files, sockets and what git keeps in an installation are withheld, and the rest is read", async (context) => {
  const made = await makeOwnerHome(context);
  if (made === null) return;
  const { root, file, shell } = made;
  await file("home/.cargo/bin/tool", program);
  const secrets = [
    ".cargo/credentials.toml",
    ".cargo/a/b/c/d/.env",
    ".cargo/.netrc",
    ".cargo/x/.npmrc",
    ".cargo/k.pem",
  ];
  for (const path of secrets) await file(`home/${path}`, needle);
  await file("home/.cargo/registry/plain", "SHOWN");
  const repository = join(root, "home/.cargo");
  execFileSync("git", ["init", "-q", repository]);
  execFileSync("git", [
    "-C",
    repository,
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@b",
    "commit",
    "-q",
    "--allow-empty",
    "-m",
    needle,
  ]);
  const all = [...secrets, ".cargo/registry/plain", ".cargo/.git/logs/HEAD"].map((path) =>
    join(root, "home", path),
  );
  const said = outputOf(await shell(["home/.cargo/bin"]).run(reads(all)));
  assert.match(said, /SHOWN/);
  assert.doesNotMatch(said, new RegExp(needle));
  const socket = join(root, "home/.cargo/socket");
  const server = createServer((client) => client.on("error", () => undefined).end(needle));
  server.listen(socket);
  await once(server, "listening");
  context.after(() => server.close());
  const connect = probe(`net.connect("${socket}").on("connect", reached).on("error", refused);`);
  const control = await promisify(execFile)("bash", ["-c", connect]);
  assert.match(control.stdout, /REACHED/, "control: somebody listens there");
  assert.match(outputOf(await shell(["home/.cargo/bin"]).run(connect)), /TRIED\\nREFUSED/);
});

test("settings in an installation that are closed to others, or hold what looks like a secret, are withheld at once", async (context) => {
  const made = await makeOwnerHome(context);
  if (made === null) return;
  const { root, file, shell } = made;
  await file("home/.tool/bin/tool", program);
  await file("home/.tool/access", needle);
  await file("home/.tool/config/access", needle);
  for (const path of ["home/.tool/access", "home/.tool/config/access"]) await chmod(join(root, path), 0o600);
  await file("home/.tool/config.json", "SHOWN");
  const tool = shell(["home/.tool/bin"]);
  const cmd = reads(["access", "config/access", "config.json"].map((path) => join(root, "home/.tool", path)));
  const before = outputOf(await tool.run(cmd));
  assert.match(before, /SHOWN/);
  assert.doesNotMatch(before, new RegExp(needle));
  await file("home/.tool/config.json", "SHOWN token-12345");
  assert.doesNotMatch(outputOf(await tool.run(cmd)), /SHOWN|12345/);
});

test("what is no installation is not seen through a folder of PATH", async (context) => {
  const made = await makeOwnerHome(context);
  if (made === null) return;
  const { root, file, link, shell } = made;
  const folders = [
    "home/bin",
    "home/.local/bin",
    "home/memex/bin",
    "home/work/bin",
    "home/Documents/bin",
    "home/Pictures",
    "home/.local/state/passepartout/bin",
    "home/.ssh/bin",
    "bin",
  ];
  for (const folder of folders) await file(`${folder}/tool`, program);
  const withheld = [
    "home/letter",
    "home/.profile",
    "home/.ssh/config",
    "home/.ssh/bin/other",
    "home/.config/app/settings",
    "home/.local/share/app/data",
    "home/.local/state/passepartout/state.db",
    "home/memex/diary.org",
    "home/work/other/source",
    "home/Documents/letter",
    "home/Pictures/1",
    "home/Pictures/2",
    "other",
  ];
  for (const path of withheld) await file(path, needle);
  await link("home/bin/diary", join(root, "home/memex/diary.org"));
  await link("home/bin/letter", join(root, "home/Documents/letter"));
  const tool = shell(folders, {
    HOME_OF_NOTES: "home/memex",
    SETTINGS: "home/.config",
    DATA: "home/.local/share",
    KEYS: "home/.ssh",
    ALL: "home",
    DOCUMENTS: "home/Documents",
  });
  const paths = [...withheld, "home/bin/diary", "home/bin/letter"].map((path) => join(root, path));
  const said = outputOf(await tool.run(reads(paths)));
  assert.doesNotMatch(said, new RegExp(needle));
  const variables = outputOf(await tool.run("bash -c ':; env'"));
  assert.match(variables, /PATH=[^"]*home\/bin:/);
  assert.doesNotMatch(variables, /HOME_OF_NOTES|SETTINGS|DATA|KEYS|ALL=|DOCUMENTS/);
  for (const folder of folders.filter((each) => !each.includes(".ssh") && !each.includes("passepartout")))
    assert.match(outputOf(await tool.run(`${join(root, folder)}/tool`)), /ran/, folder);
});

test("an installation is not written, whoever asks for it", async (context) => {
  const made = await makeOwnerHome(context);
  if (made === null) return;
  const { root, file, shell } = made;
  await file("home/.volta/bin/tool", `#!/bin/sh\necho x > "\${0%/*}/planted" || echo refused\n`);
  const tool = shell(["home/.volta/bin"], { VOLTA_HOME: "home/.volta" });
  assert.match(outputOf(await tool.run("tool")), /refused/);
  assert.match(
    outputOf(await tool.run(`bash -c ':; touch "$VOLTA_HOME/planted" || echo refused'`)),
    /refused/,
  );
  assert.match(
    outputOf(await tool.run("bash -c ':; rm -rf ~/.volta/bin; true'")),
    /Read-only|A command cannot change/,
  );
  assert.equal(existsSync(join(root, "home/.volta/bin/planted")), false);
  assert.equal(existsSync(join(root, "home/.volta/bin/tool")), true);
});

test("a program of the workspace that PATH names is judged as before, and no program starts it by its name", async (context) => {
  const made = await makeOwnerHome(context);
  if (made === null) return;
  const { workspace, file, link, shell } = made;
  await file("home/work/site/node_modules/.bin/ls", "#!/bin/sh\necho planted\n");
  await file("home/.volta/bin/other", program);
  await link("home/.volta/bin/mine", join(workspace, "mine"));
  await file("home/work/site/mine", "#!/bin/sh\necho mine\n");
  const tool = shell(["home/work/site/node_modules/.bin", "home/.volta/bin"]);
  const prepared = await tool.prepare("ls");
  assert.ok(prepared.ok);
  const [ran] = prepared.effects;
  assert.ok(ran?.kind === "run-program");
  assert.equal(ran.proof, null);
  assert.doesNotMatch(outputOf(await tool.run("bash -c ':; ls'")), /planted/);
  assert.match(outputOf(await tool.run("mine")), /"mine\\n"/);
});

test("a command that was proved to only read sees the installation of its own program alone", async (context) => {
  const made = await makeOwnerHome(context);
  if (made === null) return;
  const { root, file, shell } = made;
  await file("home/.other/bin/tool", program);
  await file("home/.one/bin/rg", `#!/bin/sh\ncat "\${0%/*}/../words" "$HOME/../$1" 2>&1; env\n`);
  await file("home/.one/words", "WORDS ");
  const cmd = "rg x";
  const tool = shell(["home/.one/bin", "home/.other/bin"], { OTHER: "home/.other" });
  const prepared = await tool.prepare(cmd);
  assert.ok(prepared.ok);
  const [ran] = prepared.effects;
  assert.ok(ran?.kind === "run-program");
  if (ran.proof === null) return context.skip("this machine has a program of this name");
  const said = outputOf(await tool.run(cmd));
  assert.match(said, /WORDS/);
  assert.doesNotMatch(said, new RegExp(`OTHER=|${join(root, "home/.other")}`));
});
