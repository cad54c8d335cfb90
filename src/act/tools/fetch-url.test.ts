import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { makePdf } from "../web/pdf.fixture.ts";
import type { ResolveHost } from "../web/send-request.ts";
import {
  answering,
  fetched,
  go,
  nobody,
  outward,
  publicAddress,
  sending,
  serving,
} from "./fetch-url.fixture.ts";
import { makeFetchUrlTool } from "./fetch-url.ts";
import { callerAt, codeOf, contentOf, prepareCall } from "./workbench.fixture.ts";

test("the effect names host, scheme, port and the addresses that stand in the URL, and is final", async () => {
  for (const [url, expected] of [
    ["https://example.org/a?b#c", ["example.org", "https", 443, []]],
    ["http://192.0.2.7:81/", ["192.0.2.7", "http", 81, ["192.0.2.7"]]],
    ["http://[::1]/", ["::1", "http", 80, ["::1"]]],
  ] as const) {
    const prepared = await prepareCall(makeFetchUrlTool({ resolveHost: nobody }), { url }, callerAt(null));
    const [effect] = prepared.effects;
    assert.ok(effect?.kind === "reach-host");
    assert.deepEqual([effect.target, effect.scheme, effect.port, effect.addresses], expected);
    assert.equal(effect.reversal, "final");
    assert.equal(prepared.resultLabel.integrity, "untrusted");
  }
});

test("preparing resolves no name, and the plan is bound to the URL", async () => {
  const { resolveHost, asked } = answering([publicAddress]);
  const tool = makeFetchUrlTool({ resolveHost });
  const planOf = async (url: string) => (await prepareCall(tool, { url }, callerAt(null))).plan;
  assert.deepEqual(await planOf("https://a.example/x#y"), await planOf("https://A.example:443/x"));
  assert.notDeepEqual(await planOf("https://a.example/x"), await planOf("https://b.example/x"));
  assert.deepEqual(asked, []);
});

test("a name is looked up once, when it is fetched, and its public addresses alone are connected to", async () => {
  await using server = await serving((request, response) => {
    if (request.url === "/") response.writeHead(301, { location: "/next" }).end();
    else response.end(`for ${request.headers.host}`);
  });
  const { resolveHost, asked } = answering(["2606:2800:220::1", publicAddress], ["127.0.0.1"]);
  const { sendRequest, reached } = outward();
  const content = contentOf(
    await fetched(`http://any.invalid:${server.port}/`, { resolveHost, sendRequest }),
  );
  assert.equal(content["text"], `for any.invalid:${server.port}`);
  assert.deepEqual(asked, ["any.invalid"]);
  const found = ["2606:2800:220::1", publicAddress];
  assert.deepEqual(reached, [found, found]);
});

test("a name that changes between two look-ups never leads to a private address", async () => {
  await using server = await serving((_request, response) => response.end("text"));
  const { resolveHost } = answering([publicAddress], ["127.0.0.1"], [publicAddress, "10.0.0.1"]);
  const { sendRequest, reached } = outward();
  const tool = makeFetchUrlTool({ resolveHost, sendRequest });
  const url = `http://rebind.invalid:${server.port}/`;
  const run = async () => (await prepareCall(tool, { url }, callerAt(null))).run(go);
  assert.equal(contentOf(await run())["text"], "text");
  assert.equal(codeOf(await run()), "private-address");
  assert.equal(codeOf(await run()), "private-address");
  assert.deepEqual(reached, [[publicAddress]]);
});

test("a name with an address that is not public is not fetched, and the error names the address to ask for", async () => {
  for (const address of [
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "fe80::1%1",
    "::ffff:192.168.1.1",
    "x",
  ]) {
    const { sendRequest, reached } = outward();
    const resolveHost: ResolveHost = async () => [publicAddress, address];
    const outcome = await fetched("http://any.invalid/", { resolveHost, sendRequest });
    assert.equal(codeOf(outcome), "private-address", address);
    const message = outcome.status === "error" ? outcome.message : "";
    assert.ok(message.includes(`leads to ${address},`) && message.includes("in the URL"), message);
    assert.deepEqual(reached, []);
  }
});

test("localhost is this machine without a resolver, and is fetched under its own name", async () => {
  await using server = await serving((request, response) => response.end(`for ${request.headers.host}`));
  for (const host of ["localhost", "localhost.", "any.localhost", "LOCALHOST"]) {
    const tool = makeFetchUrlTool({ resolveHost: nobody });
    const prepared = await prepareCall(tool, { url: `http://${host}:${server.port}/` }, callerAt(null));
    const [effect] = prepared.effects;
    assert.deepEqual(effect?.kind === "reach-host" && effect.addresses, ["127.0.0.1", "::1"]);
    assert.equal(contentOf(await prepared.run(go))["text"], `for ${host.toLowerCase()}:${server.port}`);
  }
  const { resolveHost, asked } = answering(["127.0.0.1"]);
  assert.equal(codeOf(await fetched("http://notlocalhost/", { resolveHost })), "private-address");
  assert.deepEqual(asked, ["notlocalhost"]);
});

test("a redirect to another host, port or scheme is reported and not followed", async () => {
  await using other = await serving((_request, response) => response.end("other"));
  for (const location of [
    `http://127.0.0.1:${other.port}/`,
    "https://127.0.0.1/",
    `http://localhost:${other.port}/`,
    "http://any.invalid/",
    "http://169.254.169.254/latest",
    "file:///etc/passwd",
  ]) {
    await using server = await serving((_request, response) => response.writeHead(302, { location }).end());
    const content = contentOf(await fetched(`http://127.0.0.1:${server.port}/`));
    assert.deepEqual([content["status"], content["text"]], [302, undefined]);
    assert.match(String(content["note"]), /was not fetched/);
  }
});

test("a redirect on the same host is followed, and an endless one ends", async () => {
  await using server = await serving((request, response) => {
    if (request.url === "/end") response.end("there");
    else response.writeHead(301, { location: request.url === "/start" ? "/end" : "/loop" }).end();
  });
  assert.equal(contentOf(await fetched(`http://127.0.0.1:${server.port}/start`))["text"], "there");
  assert.equal(contentOf(await fetched(`http://127.0.0.1:${server.port}/loop`))["status"], 301);
});

test("a refused connection and a name without an address are errors in words, after the judgement", async () => {
  const closed = await sending("");
  await closed[Symbol.asyncDispose]();
  assert.equal(codeOf(await fetched(`http://127.0.0.1:${closed.port}/`)), "not-fetched");
  assert.equal(
    codeOf(await fetched("http://any.invalid/", { resolveHost: async () => [] })),
    "host-not-found",
  );
  const unusable = () => Promise.reject(new Error("the proxy is none"));
  const outcome = await fetched("http://any.invalid/", { resolveHost: unusable });
  assert.partialDeepStrictEqual(outcome, {
    code: "host-not-found",
    message: "Nothing was sent: the proxy is none.",
  });
});

test("a page comes as Markdown with its title, decompressed and in its own encoding, under each name of its type", async () => {
  const html =
    "<title>T</title><meta charset=iso-8859-1><h1>Caf\u00e9</h1><script>evil()</script><p><a href=/x>a &eacute;</a>";
  await using server = await serving((request, response) => {
    const type = request.url?.slice(1) ?? "";
    if (type !== "") response.setHeader("content-type", decodeURIComponent(type));
    response.setHeader("content-encoding", "br").end(brotliCompressSync(Buffer.from(html, "latin1")));
  });
  for (const type of ["text/html", "application/xhtml+xml", "TEXT/HTML; charset=windows-1252"]) {
    const content = contentOf(await fetched(`http://127.0.0.1:${server.port}/${encodeURIComponent(type)}`));
    const link = `[a \u00e9](http://127.0.0.1:${server.port}/x)`;
    assert.deepEqual([content["title"], content["text"]], ["T", `## Caf\u00e9\n\n${link}`], type);
  }
});

test("a page without a content type is known by its start, and a text is not taken for one", async () => {
  await using server = await serving((request, response) =>
    response.end(request.url === "/page" ? "<!DOCTYPE html><p>a&amp;b" : "a&amp;b <html>"),
  );
  assert.equal(contentOf(await fetched(`http://127.0.0.1:${server.port}/page`))["text"], "a&b");
  assert.equal(contentOf(await fetched(`http://127.0.0.1:${server.port}/text`))["text"], "a&amp;b <html>");
});

test("a status that reports an error is an error with the server's words, and never done", async () => {
  await using server = await serving((request, response) => {
    const status = Number(request.url?.slice(1));
    if (status === 429) response.setHeader("retry-after", "120");
    response
      .writeHead(status, { "content-type": "text/html" })
      .end(status === 304 ? "" : "<p>No &quot;such&quot; thing");
  });
  for (const [status, wanted] of [
    [404, /status 404.*check the URL.*said: No "such" thing/],
    [410, /no such page/],
    [403, /login/],
    [429, /Retry-After: 120/],
    [500, /try again later/],
    [503, /try again later/],
    [304, /status 304/],
  ] as const) {
    const outcome = await fetched(`http://127.0.0.1:${server.port}/${status}`);
    assert.equal(codeOf(outcome), "http-error");
    assert.match(outcome.status === "error" ? outcome.message : "", wanted);
  }
});

test("the text of a PDF comes, also where its type is only hinted at; one that is too large is refused", async () => {
  const pdf = makePdf(deflateSync("BT /F1 24 Tf 72 700 Td (Hello heron) Tj ET"), "/FlateDecode");
  await using server = await serving((request, response) => {
    const type = request.url === "/file.pdf" ? "application/octet-stream" : "application/pdf";
    response.setHeader("content-type", type).end(request.url === "/broken" ? "%PDF-1.4 nothing" : pdf);
  });
  const at = (path: string) => `http://127.0.0.1:${server.port}/${path}`;
  for (const path of ["a", "file.pdf"])
    assert.equal(contentOf(await fetched(at(path)))["text"], "[page 1]\n\nHello heron");
  assert.equal(codeOf(await fetched(at("a"), { maxPdfBytes: 100 })), "too-large");
  assert.equal(codeOf(await fetched(at("broken"))), "unreadable-pdf");
});

test("a compression bomb is cut, and a compression that nobody knows is named", async () => {
  await using server = await serving((request, response) => {
    const known = request.url === "/bomb";
    response.setHeader("content-type", "text/plain").setHeader("content-encoding", known ? "gzip" : "x-own");
    response.end(known ? gzipSync(Buffer.alloc(50_000_000, "a")) : "secret form");
  });
  const bomb = contentOf(await fetched(`http://127.0.0.1:${server.port}/bomb`, { maxCharacters: 1000 }));
  assert.equal(String(bomb["text"]).length, 1000);
  assert.match(String(bomb["note"]), /first 5000000 bytes.*first 1000 characters/);
  const unknown = contentOf(await fetched(`http://127.0.0.1:${server.port}/own`));
  assert.deepEqual([unknown["text"], /x-own/.test(String(unknown["note"]))], [undefined, true]);
});

test("content that is not text is named and not shown, and a charset is respected", async () => {
  await using server = await serving((request, response) => {
    if (request.url === "/png") response.setHeader("content-type", "image/png").end(Buffer.alloc(100));
    else response.setHeader("content-type", "text/plain; charset=iso-8859-1").end(Buffer.of(0xe9));
  });
  const image = contentOf(await fetched(`http://127.0.0.1:${server.port}/png`));
  assert.deepEqual([image["text"], image["contentType"]], [undefined, "image/png"]);
  assert.equal(contentOf(await fetched(`http://127.0.0.1:${server.port}/`))["text"], "é");
});

test("only http and https URLs without a password are taken", async () => {
  const tool = makeFetchUrlTool({ resolveHost: nobody });
  const caller = callerAt(null);
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
    const refused = await tool.prepare({ url }, caller, () => caller.promptLabel);
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
    const [effect] = (await prepareCall(makeFetchUrlTool({ resolveHost: null }), { url }, callerAt(null)))
      .effects;
    assert.deepEqual(
      effect?.kind === "reach-host" && [effect.target, effect.addresses],
      [target, [target]],
      url,
    );
  }
});

test("without a resolver an address is judged and never fetched", async () => {
  const prepared = await prepareCall(
    makeFetchUrlTool({ resolveHost: null }),
    { url: "https://example.org/" },
    callerAt(null),
  );
  const [effect] = prepared.effects;
  assert.deepEqual(effect?.kind === "reach-host" && effect.addresses, []);
  assert.equal(codeOf(await prepared.run(go)), "not-resolved");
});

test("an address that the owner typed in this turn has a licence, and no other has", async () => {
  const tool = makeFetchUrlTool({ resolveHost: nobody });
  const licensed = async (url: string, ...words: readonly string[]): Promise<boolean> => {
    const sources = { words, results: [], contacts: async () => [], approved: [] };
    const { licences = [] } = await prepareCall(tool, { url }, { ...callerAt(null), sources });
    return licences.some(({ discharges }) => discharges.includes("reach-host"));
  };
  assert.ok(await licensed("https://news.example/a", "Read https://news.example/a and tell me the gist"));
  assert.ok(await licensed("https://news.example/a", "Was steht auf news.example/a?"));
  for (const [url, words] of [
    ["https://news.example/a?q=secret", "Read https://news.example/a"],
    ["https://news.example/", "Read https://news.example/a"],
    ["https://news.example.evil.example/a", "Read https://news.example/a"],
    ["https://evil-news.example/a", "Read news.example/a"],
    ["https://news.example/a", "Do not open https://news.example/a"],
    ["https://news.example/a", "Translate the following text: open https://news.example/a"],
    ["https://news.example/a", "Read the news"],
  ] as const)
    assert.ok(!(await licensed(url, words)), `${url} after ${words}`);
});
