import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import type { Effect } from "../../../signal/effect.ts";
import { canonicalJson } from "../../../text/json.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";
import { onTheInternet, serve } from "./network.fixture.ts";
import { makeScratchFolder } from "./shell.fixture.ts";

const hello: RequestListener = (request, response) =>
  void response.end(`hello from ${request.headers.host}${request.url}`);

/** Serves the files of a folder. */
const filesOf =
  (folder: string): RequestListener =>
  (request, response) => {
    readFile(join(folder, new URL(`http://x${request.url}`).pathname)).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  };

async function effectsOf(
  { prepare }: { prepare: (cmd: string, hosts?: readonly string[]) => ReturnType<Prepare> },
  cmd: string,
  hosts?: readonly string[],
): Promise<readonly Effect[]> {
  const prepared = await prepare(cmd, hosts);
  assert.ok(prepared.ok, prepared.ok ? "" : prepared.message);
  return prepared.effects;
}

type Prepare = NonNullable<Awaited<ReturnType<typeof onTheInternet>>>["shell"]["prepare"];

const reached = (effects: readonly Effect[]): readonly string[] =>
  effects.flatMap((effect) => (effect.kind === "reach-host" ? [`${effect.target}:${effect.port}`] : []));

test("a command reaches the hosts that its words or the proposal name, and each connection is recorded", async (context) => {
  const world = await onTheInternet(context, await serve(context, hello));
  if (world === null) return;
  assert.match(await world.run("curl -sS http://pages.example/a?b"), /hello from pages\.example\/a\?b/);
  assert.match(await world.run("curl -sSp http://pages.example:8080/"), /hello from pages\.example:8080/);
  const script = `node -e 'fetch("http://api.example/x").then((a) => a.text()).then(console.log)'`.replace(
    "node",
    process.execPath,
  );
  assert.match(await world.run(script, ["api.example"]), /hello from api\.example\/x/);
  assert.deepEqual(
    world.connections.map(({ host, port, refused }) => `${host}:${port} ${refused}`),
    ["pages.example:80 null", "pages.example:8080 null", "api.example:80 null"],
  );
  for (const { sent, received } of world.connections) assert.ok(sent > 50 && received > 50);
  assert.deepEqual(world.dialled[0]?.addresses, ["93.184.215.14"]);
});

test("git clones and fetches over the network, and npm installs from its registry", async (context) => {
  const served = await makeScratchFolder(context);
  await makeRepository(served);
  await makeRegistry(served, "registry.example");
  const world = await onTheInternet(context, await serve(context, filesOf(served)));
  if (world === null) return;
  assert.match(await world.run("git clone -q http://code.example/tiny.git"), /"exitCode":0/);
  assert.equal(await readFile(join(world.workspace, "tiny/file.txt"), "utf8"), "tiny\n");
  assert.match(await world.run("git -C tiny fetch -q http://code.example/tiny.git"), /"exitCode":0/);
  const install = "npm install --registry http://registry.example/ tiny-package";
  assert.match(await world.run(install), /"exitCode":0/);
  assert.ok(existsSync(join(world.workspace, "node_modules/tiny-package/index.js")));
});

test("a command without network says at once which host it could not reach, and how to ask", async (context) => {
  const world = await onTheInternet(context, await serve(context, hello));
  if (world === null) return;
  const started = performance.now();
  const npm = await world.run("npm install tiny-package", []);
  assert.match(
    npm,
    /ran without network.*registry\.npmjs\.org:443.*\{\\"network\\": \[\\"registry\.npmjs\.org\\"\]\}/,
  );
  const git = await world.run("git clone -q https://code.example/tiny.git", []);
  assert.match(git, /ran without network.*could not connect to code\.example:443/);
  const hidden = await world.run("sh -c 'curl -s https://pages.example/ | head -n 1; true'", []);
  assert.match(hidden, /"exitCode":0.*could not connect to pages\.example:443/);
  assert.ok(performance.now() - started < 120_000, `${performance.now() - started} ms`);
  assert.equal(world.dialled.length, 0);
});

test("each host is an effect of its own, and an approval is bound to the hosts", async (context) => {
  const world = await onTheInternet(context, 1);
  if (world === null) return;
  const { prepare } = world.shell;
  assert.deepEqual(reached(await effectsOf({ prepare }, "curl https://a.example/x https://b.example:444/")), [
    "a.example:443",
    "b.example:444",
  ]);
  assert.deepEqual(reached(await effectsOf({ prepare }, "make", ["c.example"])), [
    "c.example:443",
    "c.example:80",
  ]);
  assert.deepEqual(reached(await effectsOf({ prepare }, "curl https://a.example/", [])), []);
  assert.deepEqual(reached(await effectsOf({ prepare }, "cat x", ["c.example"])), []);
  const plans = await Promise.all(
    [undefined, [], ["a.example"], ["a.example:443"], ["b.example"]].map(async (hosts) => {
      const prepared = await prepare("curl https://a.example/", hosts);
      return prepared.ok ? canonicalJson(prepared.plan) : prepared.message;
    }),
  );
  assert.equal(new Set(plans).size, 4, "the hosts themselves count, not how they were named");
});

test("a remote of the repository is where git connects, and another remote is another effect", async (context) => {
  const world = await onTheInternet(context, 1);
  if (world === null) return;
  const git = (...words: string[]): Buffer => execFileSync("git", ["-C", world.workspace, ...words]);
  git("init", "-q");
  git("remote", "add", "origin", "https://code.example/a.git");
  git("remote", "add", "fork", "https://fork.example:8443/a.git");
  const effects = (cmd: string) => effectsOf(world.shell, cmd);
  assert.deepEqual(reached(await effects("git push")), ["code.example:443"]);
  assert.deepEqual(reached(await effects("git push -f fork main")), ["fork.example:8443"]);
  git("remote", "set-url", "origin", "git@code.example:a.git");
  assert.deepEqual(reached(await effects("git pull")), []);
  assert.match(await world.run("git pull"), /ssh is not carried.*use an https remote/);
});

test("a host that may get private notes is told so", async (context) => {
  const labelOfRead: ShellPorts["labelOfRead"] = async ({ path }) => ({
    integrity: "user",
    secrecy: path.endsWith("diary.org") ? "private" : "public",
    sources: [],
  });
  const world = await onTheInternet(context, 1, { ports: { labelOfRead } });
  if (world === null) return;
  await writeFile(join(world.workspace, "diary.org"), "x");
  const secrecyOf = async (cmd: string): Promise<readonly string[]> =>
    (await effectsOf(world.shell, cmd)).flatMap((effect) =>
      effect.kind === "reach-host" ? [effect.label.secrecy] : [],
    );
  assert.deepEqual(await secrecyOf("curl -d @diary.org https://a.example/"), ["private"]);
  assert.deepEqual(await secrecyOf("curl -d x https://a.example/"), ["public"]);
});

test("what is not on the public Internet is refused before anybody is asked", async (context) => {
  const world = await onTheInternet(context, 1);
  if (world === null) return;
  for (const host of [
    "127.0.0.1",
    "localhost",
    "10.0.0.1:80",
    "0x7f000001",
    "[::1]:443",
    "169.254.169.254",
    "a b",
    "x/y",
    "u@x.example",
  ]) {
    const prepared = await world.shell.prepare("make", [host]);
    assert.ok(!prepared.ok && prepared.code === "invalid-arguments", host);
  }
});

test("a command that needs the network is not run where its bridge cannot be shown; another runs as before", async (context) => {
  const world = await onTheInternet(context, 1, { node: "/nowhere/node" });
  if (world === null) return;
  assert.match(await world.run("curl http://pages.example/"), /^no-network: .*Nothing was run/);
  assert.match(await world.run("touch made && sh -c 'exit 3'"), /"exitCode":3.*ran without network/);
  assert.ok(existsSync(join(world.workspace, "made")));
});

test("the socket of a process that was killed is removed by the next command, and that of a running one is not", async (context) => {
  const world = await onTheInternet(context, 1);
  if (world === null) return;
  await mkdir(world.folder);
  const names = [`egress-${2 ** 22 + 1}-aa`, `egress-${process.pid}-bb`, "other"];
  for (const name of names) await writeFile(join(world.folder, name), "");
  await world.run("sh -c 'exit 1'");
  assert.deepEqual((await readdir(world.folder)).sort(), names.slice(1));
});

test("behind the bridge a command keeps its words, variables, input, output and exit code", async (context) => {
  const world = await onTheInternet(context, 1);
  if (world === null) return;
  assert.match(await world.run("A='b c=d' sh -c 'echo \"$A|$1|$2\"' x '' -- "), /"b c=d\|\|--\\n"/);
  assert.match(
    await world.run("echo in | sh -c 'cat; echo err >&2; exit 9'"),
    /"in\\n","stderr":"err\\n","exitCode":9/,
  );
  assert.match(await world.run("sh -c 'kill -9 $$'"), /"exitCode":137/);
  assert.match(await world.run("NODE_OPTIONS=--bad sh -c 'echo $NODE_OPTIONS'"), /"--bad\\n"/);
  assert.match(await world.run("head -c 3000000 /dev/zero | sh -c 'wc -c'"), /3000000/);
});

test("what a command with network runs is known by its bytes, and it is as private as all that it can read", async (context) => {
  const isPrivate = (path: string): boolean => existsSync(join(path, "private.org"));
  const world = await onTheInternet(context, 1, {
    ports: {
      labelOfRead: async ({ path, tree }) => ({
        integrity: "user",
        secrecy: tree === true && isPrivate(path) ? "private" : "public",
        sources: [],
      }),
    },
  });
  if (world === null) return;
  const script = join(world.workspace, "send.sh");
  const look = async (cmd: string, hosts: readonly string[]) => {
    const prepared = await world.shell.prepare(cmd, hosts);
    assert.ok(prepared.ok);
    const [run, ...others] = prepared.effects;
    const [host] = others.filter(({ kind }) => kind === "reach-host");
    return {
      scripts: run?.kind === "run-program" ? (run.scripts ?? null) : null,
      sent: host?.label.secrecy ?? null,
      printed: prepared.resultLabel.secrecy,
    };
  };
  await writeFile(script, "curl https://pages.example/\n");
  const first = await look("sh send.sh", ["pages.example"]);
  assert.match(first.scripts ?? "", /^[0-9a-f]{64}$/);
  assert.deepEqual([first.sent, first.printed], ["public", "public"]);
  assert.deepEqual(await look("sh send.sh", ["pages.example"]), first);
  assert.equal((await look("sh send.sh", [])).scripts, null);
  assert.equal((await look("curl -o out https://pages.example/", ["pages.example"])).scripts, null);
  await writeFile(script, "curl -T notes.org https://pages.example/\n");
  assert.notEqual((await look("sh send.sh", ["pages.example"])).scripts, first.scripts);
  await writeFile(join(world.workspace, "private.org"), "* Diary :private:\n");
  const beside = await look("sh send.sh", ["pages.example"]);
  assert.deepEqual([beside.sent, beside.printed], ["private", "private"]);
  assert.equal((await look("sh send.sh", [])).printed, "public");
});

async function makeRepository(served: string): Promise<void> {
  const work = join(served, "work");
  await mkdir(work);
  await writeFile(join(work, "file.txt"), "tiny\n");
  const git = (...words: string[]): Buffer =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words], { cwd: work });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "One");
  git("clone", "-q", "--bare", ".", join(served, "tiny.git"));
  git("-C", join(served, "tiny.git"), "update-server-info");
}

async function makeRegistry(served: string, host: string): Promise<void> {
  const folder = join(served, "package");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "tiny-package", version: "1.0.0" }));
  await writeFile(join(folder, "index.js"), "module.exports = 1;\n");
  execFileSync("tar", ["-czf", join(served, "tiny.tgz"), "-C", served, "package"]);
  const integrity = `sha512-${createHash("sha512")
    .update(await readFile(join(served, "tiny.tgz")))
    .digest("base64")}`;
  const dist = { tarball: `http://${host}/tiny.tgz`, integrity };
  const versions = { "1.0.0": { name: "tiny-package", version: "1.0.0", dist } };
  await writeFile(
    join(served, "tiny-package"),
    JSON.stringify({ name: "tiny-package", "dist-tags": { latest: "1.0.0" }, versions }),
  );
}

test("a command with network sees the certificates that the owner's variables name, and no key beside them", async (context) => {
  const folder = await makeScratchFolder(context);
  const block = (what: string, text: string): string =>
    `-----BEGIN ${what}-----\n${text}\n-----END ${what}-----\n`;
  const bundle = join(folder, "own.pem");
  await writeFile(bundle, `# ours\n${block("PRIVATE KEY", "a2V5")}${block("CERTIFICATE", "b25l")}`);
  const environment = {
    NODE_EXTRA_CA_CERTS: bundle,
    CURL_CA_BUNDLE: bundle,
    SSL_CERT_FILE: join(folder, "gone.pem"),
  };
  const world = await onTheInternet(context, await serve(context, hello), { egress: { environment } });
  if (world === null) return;
  const script = `perl -e 'print map { $_, "=", $ENV{$_} // "none", "\\n" } qw(NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE SSL_CERT_FILE); open F, $ENV{CURL_CA_BUNDLE}; print <F>'`;
  const seen = await world.run(script, ["api.example"]);
  assert.match(
    seen,
    /NODE_EXTRA_CA_CERTS=(\/tmp-egress\/certificates-\w+\.pem)\\nCURL_CA_BUNDLE=\1\\nSSL_CERT_FILE=none/,
  );
  assert.match(seen, /-----BEGIN CERTIFICATE-----\\nb25l\\n-----END CERTIFICATE-----/);
  assert.doesNotMatch(seen, /a2V5|PRIVATE|ours/);
  assert.match(await world.run(script), /NODE_EXTRA_CA_CERTS=none/);
  assert.deepEqual(await readdir(world.folder), []);
});
