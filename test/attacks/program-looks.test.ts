import assert from "node:assert/strict";
import { chmod, lstat, mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import type { FilePorts } from "../../src/act/files/file-ports.ts";
import { labelOfNames, traceOf } from "../../src/act/files/private-names.ts";
import { noPrograms, openProgramFolders } from "../../src/act/shell/program-folders.ts";
import { programsOfLine } from "../../src/act/shell/programs-of-line.ts";
import { makeScratchFolder } from "../../src/act/tools/shell/shell.fixture.ts";
import { isSecretPath } from "../../src/gate/secret-path.ts";
import { makeNeedles } from "../../src/gate/secrets/needles.ts";
import { scanSecrets } from "../../src/gate/secrets/secrets.ts";
import { wait } from "../../src/machine/wait.ts";
import { bottomLabel } from "../../src/signal/label.ts";

type Rules = Partial<Parameters<typeof openProgramFolders>[0]>;

/** A home with a declared folder `.tool`, and what a look at it finds covered, by the paths below it. */
async function openHome(t: TestContext, rules: Rules = {}) {
  const home = await realpath(await makeScratchFolder(t));
  const file = async (path: string, text: string, mode = 0o644): Promise<void> => {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
    await chmod(join(home, path), mode);
  };
  await file(".tool/bin/tool", "#!/bin/sh\n", 0o755);
  const needles = makeNeedles([]);
  const programs = openProgramFolders({
    named: [join(home, ".tool")],
    searchPath: "/usr/bin",
    home,
    own: [],
    notes: [join(home, "memex")],
    isSecretPath: (path) => isSecretPath(path, home),
    holdsSecret: (text) => scanSecrets(text, needles).length > 0,
    ...rules,
  });
  const covered = async (): Promise<readonly string[]> => {
    const shown = await programs.look(null);
    assert.deepEqual(shown.problems, []);
    return shown.covered.map(({ path }) => path.slice(join(home, ".tool/").length)).toSorted();
  };
  return { home, file, programs, covered };
}

test("what appears, is closed, rewritten, replaced or gone in a folder that was looked through is found by the next look", async (t) => {
  // An hour ahead all folders have been as they are for long, and none is listed again.
  const world = await openHome(t, { clock: () => Date.now() + 3_600_000 });
  const { home, file, programs, covered } = world;
  const names = ["lib/code.js", "lib/a/settings.ini", "lib/a/plain", "lib/a/b/deep.js"];
  for (const name of names) await file(`.tool/${name}`, "plain = 1\n");
  const stamp = async () => (await programs.look(null)).stamps[0]?.stamp ?? "";
  assert.deepEqual(await covered(), []);
  const at = (path: string): string => join(home, ".tool", path);
  const changes: readonly (readonly [() => Promise<unknown>, readonly string[]])[] = [
    [() => file(".tool/lib/a/.env", "KEY=1"), ["lib/a/.env"]],
    [() => chmod(at("lib/code.js"), 0o600), ["lib/a/.env", "lib/code.js"]],
    [
      () => writeFile(at("lib/a/settings.ini"), "password = letmein\n"),
      ["lib/a/.env", "lib/a/settings.ini", "lib/code.js"],
    ],
    [() => chmod(at("lib/a/b"), 0o700), ["lib/a/.env", "lib/a/b", "lib/a/settings.ini", "lib/code.js"]],
    [() => rm(at("lib/a/.env")), ["lib/a/b", "lib/a/settings.ini", "lib/code.js"]],
    [() => chmod(at("lib/a/b"), 0o755), ["lib/a/settings.ini", "lib/code.js"]],
    [
      () => rename(at("lib/a/plain"), at("lib/a/.netrc")),
      ["lib/a/.netrc", "lib/a/settings.ini", "lib/code.js"],
    ],
    [
      () => file(".tool/lib/a/b/id_rsa", "x"),
      ["lib/a/.netrc", "lib/a/b/id_rsa", "lib/a/settings.ini", "lib/code.js"],
    ],
    [
      () => writeFile(at("lib/a/b/deep.js"), "plain = 2\n"),
      ["lib/a/.netrc", "lib/a/b/id_rsa", "lib/a/settings.ini", "lib/code.js"],
    ],
  ];
  let before = await stamp();
  for (const [change, expected] of changes) {
    // Longer than the kernel gives two changes the same time.
    await wait(30, new AbortController().signal);
    await change();
    assert.deepEqual(await covered(), expected, String(change));
    const now = await stamp();
    assert.equal(await stamp(), now, "control: nothing changed");
    assert.notEqual(now, before, String(change));
    before = now;
  }
});

test("a look ends with whoever waits for it, and tells them what it does once it takes a while", async (t) => {
  const stop = new AbortController();
  const told: string[] = [];
  let [time, looked] = [0, 0];
  const { home, file, programs } = await openHome(t, {
    clock: () => time,
    labelOf: async ({ files }) => {
      looked += files.length;
      time += 600;
      if (looked > 400) stop.abort(new Error("stopped"));
      return bottomLabel;
    },
  });
  for (let at = 0; at < 900; at += 1) await file(`.tool/share/${at}.md`, "words");
  const waiting = { cancel: stop.signal, notice: (text: string) => void told.push(text) };
  await assert.rejects(programs.look(null, waiting), /stopped/);
  assert.ok(looked < 900, "it went on");
  assert.deepEqual(told, [
    `Looking through ${join(home, ".tool")} for what commands must not see: 903 entries, 256 texts so far.`,
  ]);
});

test("a line looks once at a large folder where it runs at once, and again where it waits or the folder is small", async () => {
  const waiting = { cancel: new AbortController().signal, notice: () => undefined };
  for (const [entries, later, looks] of [
    [60_000, 400, 1],
    [60_000, 600, 2],
    [4_000, 0, 2],
  ] as const) {
    let [time, count] = [0, 0];
    const look = async (_: string | null, by?: unknown) => {
      assert.equal(by, waiting);
      count += 1;
      time += 500;
      return { ...noPrograms, cost: { entries, milliseconds: 500 } };
    };
    const ports = { sandbox: {} as never, programFolders: { look } as never };
    const lookForLine = programsOfLine(ports, { workspace: null, waiting }, () => time);
    await lookForLine("planned");
    time += later;
    await lookForLine("planned");
    assert.equal(count, 1, "control: a line is planned with one look");
    await lookForLine("run");
    assert.equal(count, looks, `${entries} entries, ${later} ms later`);
  }
});

test("what was made of private text in a declared folder is known by the entries that the look met", async (t) => {
  const { home, file, programs, covered } = await openHome(t);
  const path = join(home, ".tool");
  for (const name of ["lib/a/made", "lib/a/other", "lib/secret"]) await file(`.tool/${name}`, "x");
  await chmod(join(path, "lib/secret"), 0o600);
  assert.equal(programs.met(path), undefined, "control: no look yet");
  assert.deepEqual(await covered(), ["lib/secret"]);
  const labelIn = async (tells: string): Promise<string> => {
    const labelOf = (name: string) =>
      name === tells ? ({ ...bottomLabel, secrecy: "private" } as const) : bottomLabel;
    const names = { known: async () => ({ isEmpty: false, labelOf }), keep: async () => undefined };
    const ports = { origins: { names }, folders: { notes: join(home, "memex"), home, own: [] } };
    const listing = { path, tree: true, shows: ["made", "changed"] as const };
    const found = programs.met(path);
    assert.ok(found !== undefined);
    return (await labelOfNames({ ...listing, found }, ports as unknown as FilePorts)).secrecy;
  };
  for (const name of ["lib/a/made", "lib/a", "lib/secret"]) {
    const status = await lstat(join(path, name));
    assert.equal(await labelIn(traceOf("changed", status)), "private", name);
    assert.equal(await labelIn(name.slice(name.lastIndexOf("/") + 1)), "private", name);
  }
  assert.equal(await labelIn("nothing of it"), "public", "control");
});

test("what becomes private or secret without a change of its file is covered at the next look", async (t) => {
  const secrecy = new Map<string, "private">();
  let secrets: readonly string[] = [];
  const { home, file, covered } = await openHome(t, {
    labelOf: async ({ files }) => ({
      ...bottomLabel,
      secrecy: files.some((path) => secrecy.has(path)) ? "private" : "public",
    }),
    holdsSecret: (text) => secrets.some((secret) => text.includes(secret)),
    secretsNow: () => secrets,
  });
  for (let at = 0; at < 300; at += 1) await file(`.tool/share/${at}.md`, "words");
  await file(".tool/etc/app.ini", "name = correct horse\n");
  assert.deepEqual(await covered(), []);
  for (const at of [7, 201]) secrecy.set(join(home, `.tool/share/${at}.md`), "private");
  assert.deepEqual(await covered(), ["share/201.md", "share/7.md"]);
  secrecy.clear();
  secrets = ["correct horse"];
  assert.deepEqual(await covered(), ["etc/app.ini"]);
  secrets = [];
  assert.deepEqual(await covered(), []);
});

test("a login of no known form is covered in settings anywhere, and in other data outside of packages", async (t) => {
  const { file, covered } = await openHome(t);
  const closed = {
    "auth.json": '{"token": "hunter2"}',
    "gh/hosts.yml": "github.com:\n    oauth_token: hunter2\n",
    "docker/config.json": '{"auths": {"r.example": {"auth": "YWRhOmh1bnRlcjI="}}}',
    "app/application.properties": "db.password=hunter2\n",
    "gradle.properties": "ossrhPassword=hunter2\n",
    "m2/settings.xml": "<server><password>hunter2</password></server>",
    "env.sh": "export TOKEN=hunter2\n",
    "state.json": '{"a": 1, "password":"hunter2","b": 2}',
    history: "curl https://ada:hunter2@host.example/\n",
    "session.log": "api_key: hunter2\n",
    "lib/app/settings.toml": 'secret = "hunter2"\n',
  };
  const open = {
    "etc/openssl.cnf":
      "[ req_attributes ]\n# input_password = secret\nchallengePassword\t= A challenge password\n",
    "lib/node_modules/p/data.json": '{"token": "hunter2"}',
    "share/app.yml": `token: \${TOKEN}\npassword: null\nsecret: string\n`,
    "install.sh": 'local TOKEN="$1"\npassword=$(ask)\n',
    "theme.ini": "tokens = 12\ncolour = blue\n",
    "package.json": '{"repository": "https://github.com/a/b", "tokens": {"x": 1}, "a-password": "^1.2.1"}',
    LICENSE: "Permission is hereby granted.\n",
  };
  for (const [path, text] of Object.entries({ ...closed, ...open })) await file(`.tool/${path}`, text);
  assert.deepEqual(await covered(), Object.keys(closed).toSorted());
});

test("a copy of a text, and a text without an ending, is covered as a text is; a program of such a name is not read", async (t) => {
  const asked: string[] = [];
  const { file, covered } = await openHome(t, {
    labelOf: async ({ files }) => {
      asked.push(...files);
      return { ...bottomLabel, secrecy: "private" };
    },
  });
  const texts = [
    "README",
    "diary.md~",
    "diary.md.bak",
    "diary.txt.old",
    "a.mdwn",
    "b.ipynb",
    "c.log",
    "d.wiki",
    "e.xhtml",
  ];
  for (const path of [...texts, "lib/code.js", "lib/code.so.1"]) await file(`.tool/${path}`, "words");
  await file(".tool/bin/node", "#!/bin/sh\n", 0o755);
  assert.deepEqual(await covered(), texts.toSorted());
  assert.equal(asked.filter((path) => path.endsWith("bin/node")).length, 0);
});

test("a declared folder that another declared one covers is seen, and one deeper in a covered folder is named", async (t) => {
  const { home, file, programs } = await openHome(t);
  await file(".tool/closed/bin/inner", "#!/bin/sh\n", 0o755);
  await file(".tool/closed/.env", "KEY=1");
  await chmod(join(home, ".tool/closed"), 0o700);
  const open = (...inner: string[]) =>
    openProgramFolders({
      named: [".tool", ...inner].map((path) => join(home, path)),
      searchPath: join(home, ".tool/closed/bin"),
      home,
      own: [],
      notes: [],
      isSecretPath: (path) => isSecretPath(path, home),
    }).look(null);
  const masked = (await programs.look(null)).covered.map(({ path }) => path);
  assert.deepEqual(masked, [join(home, ".tool/closed")], "control: alone the outer one covers it");
  const both = await open(".tool/closed");
  assert.deepEqual(
    both.covered.map(({ path }) => path),
    [join(home, ".tool/closed/.env")],
  );
  assert.deepEqual(both.problems, []);
  assert.ok(both.searchPath?.includes(join(home, ".tool/closed/bin")));
  assert.deepEqual(
    both.stamps.map(({ path }) => path),
    [join(home, ".tool"), join(home, ".tool/closed")],
    "and counts where something in it changes",
  );
  const deeper = await open(".tool/closed/bin");
  assert.match(
    deeper.problems.join(),
    /closed\/bin, and no command sees it: \S+\.tool\/closed, around it, is covered/,
  );
});

test("advice opens no key and names no wide folder, and a folder without programs is not shown", async (t) => {
  const { home, file, programs } = await openHome(t);
  const advised = (path: string) => programs.howToDeclare([path.replace("~", home)]);
  const named = join("~", ".tool");
  const expected: Readonly<Record<string, string | null>> = {
    "~/.nvm/versions/node/v22/bin/node": "~/.nvm",
    "~/.claude/local/claude": "~/.claude/local",
    "~/go/bin/x": "~/go/bin",
    "~/go/x": null,
    "~/dev/node": null,
    "~/miniconda3/bin/python3": "~/miniconda3",
    "/opt/x": null,
    "/opt/app/bin/x": "/opt/app",
  };
  for (const [path, folder] of Object.entries(expected))
    assert.equal(advised(path), folder === null ? null : `${named}:${folder}`, path);
  await file("Mail/inbox/1", "words");
  await file("Nextcloud/notes/run.sh", "words", 0o755);
  await file("apps/one/bin/run", "#!/bin/sh\n", 0o755);
  const look = (path: string) =>
    openProgramFolders({
      named: [path.replace("~", home)],
      searchPath: "/usr/bin",
      home,
      own: [],
      notes: [],
      isSecretPath: () => false,
    }).look(null);
  for (const path of ["~/Mail", "~/Nextcloud"]) {
    const { folders, problems } = await look(path);
    assert.deepEqual(folders, [], path);
    assert.match(problems.join(), /no program lies in it.*Name the folder of a program/, path);
  }
  assert.equal((await look("~/apps")).folders.length, 1, "control");
  for (let at = 0; at < 1_001; at += 1) await file(`.tool/keys/${at}`, "key", 0o600);
  const { problems } = await programs.look(null);
  assert.match(problems.join(), /more than 1000 files .*chmod go\+rx FOLDER FOLDER\/bin/);
  assert.doesNotMatch(problems.join(), /chmod -R/);
});
