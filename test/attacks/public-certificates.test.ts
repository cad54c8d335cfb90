import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { probe } from "../../src/act/tools/shell/sandbox.fixture.ts";
import { isSecretPath } from "../../src/gate/secret-path.ts";
import { certificate } from "../../src/text/certificates.fixture.ts";
import { court } from "./trial-court.ts";

const key = `-----BEGIN PRIVATE KEY-----\n${Buffer.from("canary-key").toString("base64")}\n-----END PRIVATE KEY-----\n`;

async function courtWith(context: TestContext, files: Readonly<Record<string, string>>) {
  const made = await court(context, { isSecretPath: (path) => isSecretPath(path, "/home/ada") });
  if (made === null) return null;
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(made.path(`${name}/..`), { recursive: true });
    writeFileSync(made.path(name), text);
  }
  /** What a trial of a command says, and what of its changes is told as public certificates. */
  const attempt = async (cmd: string) => {
    const { said, kept } = await made.attempt(cmd);
    const changes = kept.effects.filter(({ kind }) => kind === "write-path" || kind === "delete-path");
    const public_ = changes.filter((effect) => "certificates" in effect && effect.certificates === true);
    return {
      said,
      changes: changes.map(({ target }) => target),
      certificates: public_.map(({ target }) => target),
    };
  };
  return { ...made, attempt };
}

test("what a command writes under a key's name is public where it is certificates alone, and a key, a mixture or a cut block is not", async (context) => {
  const made = await courtWith(context, { "certs/grows.pem": certificate });
  if (made === null) return;
  const files = {
    "env/cacert.pem": certificate,
    "env/key.pem": key,
    "env/mixed.pem": certificate + key,
    "env/cut.pem": certificate.slice(0, 300),
    "env/empty.pem": "",
    "certs/grows.pem": certificate + key,
  };
  const script = `for (const [path, text] of Object.entries(${JSON.stringify(files)})) { fs.mkdirSync("env", { recursive: true }); fs.writeFileSync(path, text); }`;
  const { changes, certificates } = await made.attempt(probe(script));
  for (const name of Object.keys(files)) assert.ok(changes.includes(made.path(name)), name);
  assert.deepEqual(certificates, [made.path("env/cacert.pem")]);
});

test("a command sees certificates of the workspace and no file that holds a key beside them or became one", async (context) => {
  const made = await courtWith(context, {
    "certs/ca.pem": certificate,
    "certs/server.pem": certificate + key,
    "certs/own.pem": key,
    ".ssh/ca.pem": certificate,
  });
  if (made === null) return;
  const reads = (name: string) =>
    `try { console.log("READ ${name} " + fs.readFileSync("${name}", "utf8").length); } catch (fault) { console.log("NOT ${name}"); }`;
  const all = ["certs/ca.pem", "certs/server.pem", "certs/own.pem", ".ssh/ca.pem"];
  const look = probe(`${all.map(reads).join("\n")} fs.writeFileSync("made", "");`);
  const { said } = await made.attempt(look);
  assert.deepEqual(
    [...said.matchAll(/READ (\S+) [1-9]/g)].map(([, name]) => name),
    ["certs/ca.pem"],
  );
  writeFileSync(made.path("certs/ca.pem"), key);
  const later = await made.attempt(`${look} ; true`);
  assert.deepEqual(
    [...later.said.matchAll(/READ (\S+) [1-9]/g)].map(([, name]) => name),
    [],
  );
});

test("a command that replaces or deletes certificates is judged by them, and neither a link nor a change of a key is", async (context) => {
  const made = await courtWith(context, {
    "certs/a.pem": certificate,
    "certs/b.pem": certificate,
    "plain.txt": key,
  });
  if (made === null) return;
  const script = `fs.writeFileSync("certs/a.pem", fs.readFileSync("certs/b.pem")+ "\\n"); fs.unlinkSync("certs/b.pem"); fs.symlinkSync("../plain.txt", "certs/c.pem"); fs.renameSync("plain.txt", "certs/d.pem");`;
  const { certificates } = await made.attempt(probe(script));
  assert.deepEqual([...certificates].sort(), [made.path("certs/a.pem"), made.path("certs/b.pem")]);
});
