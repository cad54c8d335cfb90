import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { test } from "node:test";
import type { LookUp } from "../reach.ts";
import { isPrivateAddress } from "../reach.ts";
import { askerAt, codeOf, contentOf, ready } from "../workbench.ts";
import { type FetchPorts, makeFetchUrlTool } from "./fetch-url.ts";

const go = new AbortController().signal;
const loopback: LookUp = async () => ["127.0.0.1"];

async function listening(server: Server) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

const serving = (listener: RequestListener) => listening(createServer(listener));
const sending = (text: string) => listening(createTcpServer((socket) => socket.end(text)));

async function fetched(url: string, ports: Partial<FetchPorts> = {}) {
  return await (await ready(makeFetchUrlTool({ lookUp: loopback, ...ports }), { url }, askerAt(null))).run(
    go,
  );
}

test("the effect names host, scheme, port and the addresses that will be connected to, and is final", async () => {
  const tool = makeFetchUrlTool({ lookUp: async () => ["192.0.2.7"] });
  const prepared = await ready(tool, { url: "https://example.org/a?b#c" }, askerAt(null));
  const [effect] = prepared.effects;
  assert.ok(effect?.kind === "reach-host");
  assert.deepEqual(
    [effect.target, effect.scheme, effect.port, effect.addresses],
    ["example.org", "https", 443, ["192.0.2.7"]],
  );
  assert.equal(effect.reversal, "final");
  assert.equal(prepared.resultLabel.integrity, "untrusted");
});

test("a text is fetched from the judged address, under the host's own name", async () => {
  await using server = await serving((request, response) =>
    response.setHeader("content-type", "text/plain").end(`for ${request.headers.host}`),
  );
  const content = contentOf(await fetched(`http://any.invalid:${server.port}/x`));
  assert.deepEqual([content["status"], content["text"]], [200, `for any.invalid:${server.port}`]);
});

test("a name that means another address after the judgement changes nothing: the judged one is connected to", async () => {
  await using judged = await serving((_request, response) => response.end("judged"));
  const addresses = [["127.0.0.1"], ["127.0.0.2"], ["169.254.169.254"]];
  const asked: string[] = [];
  const lookUp: LookUp = async (host) => {
    asked.push(host);
    return addresses.shift() ?? ["127.0.0.3"];
  };
  const prepared = await ready(
    makeFetchUrlTool({ lookUp }),
    { url: `http://rebind.invalid:${judged.port}/` },
    askerAt(null),
  );
  assert.equal(contentOf(await prepared.run(go))["text"], "judged");
  assert.deepEqual(asked, ["rebind.invalid"]);
});

test("an approval of a public host holds for its other public addresses, and for no private one", async () => {
  const planOf = async (...addresses: string[]) =>
    JSON.stringify(
      (
        await ready(
          makeFetchUrlTool({ lookUp: async () => addresses }),
          { url: "https://a.example/" },
          askerAt(null),
        )
      ).plan,
    );
  const approved = await planOf("93.184.216.34", "2606:2800::1");
  assert.equal(await planOf("93.184.216.35"), approved);
  for (const other of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1", "::ffff:127.0.0.1"]) {
    assert.notEqual(await planOf(other), approved, other);
    assert.notEqual(await planOf("93.184.216.34", other), approved, other);
  }
});

test("addresses of this machine, the local network and the cloud's metadata are private", () => {
  for (const address of [
    "127.9.9.9",
    "10.1.1.1",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "0.0.0.0",
    "::1",
    "fe80::1",
    "fd12::1",
    "::ffff:10.0.0.1",
  ]) {
    assert.equal(isPrivateAddress(address), true, address);
  }
  for (const address of ["93.184.216.34", "8.8.8.8", "172.32.0.1", "2606:4700::1111"])
    assert.equal(isPrivateAddress(address), false, address);
});

test("a redirect to another host, port or scheme is not followed but told", async () => {
  await using other = await serving((_request, response) => response.end("other"));
  for (const location of [
    `http://127.0.0.1:${other.port}/`,
    "https://any.invalid/",
    "http://169.254.169.254/latest",
    "file:///etc/passwd",
  ]) {
    await using server = await serving((_request, response) => response.writeHead(302, { location }).end());
    const content = contentOf(await fetched(`http://any.invalid:${server.port}/`));
    assert.deepEqual([content["status"], content["text"]], [302, undefined]);
    assert.match(String(content["note"]), /was not fetched/);
  }
});

test("a redirect on the same host is followed, and an endless one ends", async () => {
  await using server = await serving((request, response) => {
    if (request.url === "/end") response.end("there");
    else response.writeHead(301, { location: request.url === "/start" ? "/end" : "/loop" }).end();
  });
  assert.equal(contentOf(await fetched(`http://any.invalid:${server.port}/start`))["text"], "there");
  assert.equal(contentOf(await fetched(`http://any.invalid:${server.port}/loop`))["status"], 301);
});

test("a huge or endless answer is cut, and the note says so", async () => {
  await using server = await serving((_request, response) => {
    response.setHeader("content-type", "text/plain");
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  });
  const content = contentOf(await fetched(`http://any.invalid:${server.port}/`, { mostBytes: 200_000 }));
  assert.equal(String(content["text"]).length, 200_000);
  assert.match(String(content["note"]), /first 200000 bytes/);
});

test("an answer that never comes or drips for ever is a timeout", async () => {
  await using silent = await listening(createTcpServer(() => undefined));
  assert.equal(codeOf(await fetched(`http://any.invalid:${silent.port}/`, { milliseconds: 150 })), "timeout");
  await using dripping = await serving((_request, response) => response.write("x"));
  assert.equal(
    codeOf(await fetched(`http://any.invalid:${dripping.port}/`, { milliseconds: 150 })),
    "timeout",
  );
});

test("an answer that breaks off, says more than it sends, or is not HTTP is an error and not half a text", async () => {
  for (const raw of [
    "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab",
    "SSH-2.0-OpenSSH\r\n",
    "",
  ]) {
    await using server = await sending(raw);
    assert.equal(codeOf(await fetched(`http://any.invalid:${server.port}/`)), "not-fetched", raw);
  }
});

test("a refused connection and a name without an address are errors in words, after the judgement", async () => {
  const closed = await sending("");
  await closed[Symbol.asyncDispose]();
  assert.equal(codeOf(await fetched(`http://any.invalid:${closed.port}/`)), "not-fetched");
  assert.equal(codeOf(await fetched("http://any.invalid/", { lookUp: async () => [] })), "host-not-found");
  assert.equal(
    codeOf(await fetched("http://any.invalid/", { lookUp: () => Promise.reject(new Error("no resolver")) })),
    "host-not-found",
  );
});

test("HTML comes as text, scripts and comments left out", async () => {
  await using server = await serving((_request, response) =>
    response
      .setHeader("content-type", "text/html; charset=utf-8")
      .end("<h1>T&amp;T</h1><script>evil()</script><!-- x --><p>one<br>two &#8211; &lt;b&gt;"),
  );
  assert.equal(
    contentOf(await fetched(`http://any.invalid:${server.port}/`))["text"],
    "T&T\n\none\ntwo – <b>",
  );
});

test("what is not text is named and not shown, and a charset is respected", async () => {
  await using server = await serving((request, response) => {
    if (request.url === "/png") response.setHeader("content-type", "image/png").end(Buffer.alloc(100));
    else response.setHeader("content-type", "text/plain; charset=iso-8859-1").end(Buffer.of(0xe9));
  });
  const image = contentOf(await fetched(`http://any.invalid:${server.port}/png`));
  assert.deepEqual([image["text"], image["contentType"]], [undefined, "image/png"]);
  assert.equal(contentOf(await fetched(`http://any.invalid:${server.port}/`))["text"], "é");
});

test("only http and https URLs without a password are taken", async () => {
  const tool = makeFetchUrlTool({ lookUp: loopback });
  const asker = askerAt(null);
  for (const url of [
    "file:///etc/passwd",
    "ftp://a/",
    "javascript:alert(1)",
    "data:text/plain,x",
    "//host",
    "host",
    "http://",
    "http://me:key@host/",
  ]) {
    const refused = await tool.prepare({ url }, asker, () => asker.promptLabel);
    assert.equal(refused.ok ? "ok" : refused.code, "invalid-url", url);
  }
});

test("a number that means a loopback address is judged as that address", async () => {
  for (const [url, target] of [
    ["http://2130706433/", "127.0.0.1"],
    ["http://0x7f.1/", "127.0.0.1"],
    ["http://[::1]/", "::1"],
    ["http://１２７.0.0.1/", "127.0.0.1"],
  ] as const) {
    const [effect] = (await ready(makeFetchUrlTool({ lookUp: null }), { url }, askerAt(null))).effects;
    assert.deepEqual(
      effect?.kind === "reach-host" && [effect.target, effect.addresses],
      [target, [target]],
      url,
    );
  }
});

test("without a resolver an address is judged and never fetched", async () => {
  const prepared = await ready(
    makeFetchUrlTool({ lookUp: null }),
    { url: "https://example.org/" },
    askerAt(null),
  );
  const [effect] = prepared.effects;
  assert.deepEqual(effect?.kind === "reach-host" && effect.addresses, []);
  assert.equal(codeOf(await prepared.run(go)), "not-resolved");
});

test("stopping ends a fetch at once", async () => {
  await using silent = await listening(createTcpServer(() => controller.abort()));
  const controller = new AbortController();
  const prepared = await ready(
    makeFetchUrlTool({ lookUp: loopback }),
    { url: `http://any.invalid:${silent.port}/` },
    askerAt(null),
  );
  assert.equal(codeOf(await prepared.run(controller.signal)), "cancelled");
});
