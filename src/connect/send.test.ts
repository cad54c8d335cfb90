import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { startProxy, startSecureFront } from "./proxy.fixture.ts";
import { adviceOnProxy } from "./proxy-advice.ts";
import { type Agents, proxyFaultIn, send } from "./send.ts";

const read = async (answer: IncomingMessage): Promise<string> =>
  (await answer.setEncoding("utf8").toArray()).join("");

async function startHost() {
  const got: (readonly [line: string, authorization: string | undefined])[] = [];
  const server = createServer((request, response) => {
    got.push([`${request.method} ${request.url}`, request.headers.authorization]);
    request.resume().once("end", () => response.end(`from ${request.headers.host}`));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    got,
    port: address.port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const wanted = {
  headers: { authorization: "Bearer host-key" },
  addresses: ["192.0.2.1"],
  isConfidential: true,
};

test("through a proxy what is confidential goes in a tunnel: the proxy sees the host's name and no header", async () => {
  await using host = await startHost();
  await using proxy = await startProxy(new Map([["models.test:80", host.port]]), "word");
  const variables = { http_proxy: proxy.url.replace("//", "//user:word@") };
  const agents: Agents = new Map();
  const url = new URL("http://models.test/v1");
  for (let call = 0; call < 3; call += 1)
    assert.equal(await read(await send({ ...wanted, url, agents }, variables)), "from models.test");
  assert.deepEqual(host.got[0], ["GET /v1", "Bearer host-key"]);
  assert.deepEqual(
    proxy.seen.map(({ line }) => line),
    ["CONNECT models.test:80"],
  );
  assert.deepEqual(Object.keys(proxy.seen[0]?.headers ?? {}).sort(), [
    "connection",
    "host",
    "proxy-authorization",
  ]);
});

test("a page over http goes to the proxy as a plain request", async () => {
  await using host = await startHost();
  await using proxy = await startProxy(new Map([["page.test", host.port]]));
  const page = { url: new URL("http://page.test/a?b"), headers: {}, addresses: [], isConfidential: false };
  assert.equal(await read(await send(page, { HTTP_PROXY: proxy.url })), "from page.test");
  assert.deepEqual(
    proxy.seen.map(({ line }) => line),
    ["GET http://page.test/a?b"],
  );
});

test("a failure on the way through a proxy names the proxy, and never its password", async () => {
  await using proxy = await startProxy(new Map(), "word");
  const gone = proxy.url.replace(/\d+$/, "1");
  const other = proxy.url.replace("//", "//user:hunter2@");
  for (const [address, isConfidential, why, advice] of [
    [other, true, /another name or password \(407\)/, /vault set proxy-password/],
    [other, false, /another name or password \(407\)/, /vault set proxy-password/],
    [
      proxy.url.replace("//", "//user:word@"),
      true,
      /refused models\.test:80: 403 Forbidden/,
      /^Check the proxy/,
    ],
    [gone, true, /ECONNREFUSED/, /^Check the proxy/],
  ] as const) {
    const url = new URL("http://models.test/");
    const failed = await send({ ...wanted, isConfidential, url }, { HTTP_PROXY: address }).then(
      () => null,
      proxyFaultIn,
    );
    assert.match(failed ?? "", /^through the proxy 127\.0\.0\.1:\d+ \(HTTP_PROXY\): /);
    assert.match(failed ?? "", why);
    assert.match(adviceOnProxy(failed ?? "") ?? "", advice);
    assert.doesNotMatch(failed ?? "", /hunter2|word@/);
  }
});

test("without a proxy a request goes to the judged address, a proxy that is named for others is not asked, and this machine needs none", async () => {
  await using host = await startHost();
  await using proxy = await startProxy(new Map());
  const variables = { HTTP_PROXY: proxy.url, NO_PROXY: "models.test" };
  const place = { headers: {}, addresses: ["127.0.0.1"], isConfidential: true };
  for (const name of ["models.test", "localhost", "127.0.0.1"]) {
    const url = new URL(`http://${name}:${host.port}/`);
    assert.equal(await read(await send({ ...place, url }, variables)), `from ${url.host}`);
  }
  assert.deepEqual(proxy.seen, []);
});

const openssl = await promisify(execFile)("openssl", ["version"]).then(
  () => false,
  () => (process.env["CI"] === "true" ? false : "install openssl: an own authority is made with it"),
);

test("TLS runs inside the tunnel, with an own authority by NODE_EXTRA_CA_CERTS and not without", {
  skip: openssl,
}, async () => {
  await using host = await startHost();
  await using front = await startSecureFront(["models.test"], host.port);
  await using proxy = await startProxy(new Map([["models.test:443", front.port]]));
  const script = `
    import { send } from ${JSON.stringify(join(import.meta.dirname, "send.ts"))};
    const headers = { authorization: "Bearer host-key" };
    const url = new URL(process.argv[1]);
    const answer = await send({ url, headers, addresses: null, isConfidential: true }).catch((error) => error);
    console.log(answer.statusCode ?? answer.message);
  `;
  const ask = async (env: NodeJS.ProcessEnv, url = "https://models.test/v1") => {
    const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script, url];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: "", ...env } });
    return stdout.trim();
  };
  const own = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: front.authority };
  assert.equal(await ask(own), "200");
  assert.deepEqual(host.got, [["GET /v1", "Bearer host-key"]]);
  assert.deepEqual(Object.keys(proxy.seen[0]?.headers ?? {}).sort(), ["connection", "host"]);
  const unknown = await ask({ HTTPS_PROXY: proxy.url });
  assert.match(unknown, /through the proxy .*: the host has a certificate that nobody signed/);
  assert.match(adviceOnProxy(unknown) ?? "", /NODE_EXTRA_CA_CERTS/);
  assert.equal(host.got.length, 1);
});

test("no source asks by the global fetch, whose connections obey no proxy and whose faults end the process", () => {
  const root = join(import.meta.dirname, "..");
  const asking = globSync("**/*.ts", { cwd: root }).filter(
    (file) =>
      !/\.(?:test|fixture)\.ts$/.test(file) &&
      /(?<![.\w$])fetch\(|globalThis\.fetch\(|\bnew WebSocket\b|\bEventSource\(/.test(
        readFileSync(join(root, file), "utf8").replaceAll(/`[^`]*`|"[^"]*"|\/\/.*/g, ""),
      ),
  );
  assert.deepEqual(asking, []);
});
