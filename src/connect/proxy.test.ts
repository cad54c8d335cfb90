import assert from "node:assert/strict";
import { test } from "node:test";
import { describeProxy, proxyFor, withoutPasswords, withPassword } from "./proxy.ts";

const through = (url: string, variables: Record<string, string>): string | null => {
  const proxy = proxyFor(new URL(url), variables);
  return proxy === null ? null : proxy.url.host;
};

test("each scheme has its own variable, the lower-case form counts first, and an empty one is none", () => {
  const both = { HTTPS_PROXY: "http://big:1", https_proxy: "http://small:2", HTTP_PROXY: "plain:3" };
  assert.equal(through("https://a.example", both), "small:2");
  assert.equal(through("http://a.example", both), "plain:3");
  assert.equal(through("https://a.example", { HTTP_PROXY: "http://plain:3" }), null);
  assert.equal(through("https://a.example", { https_proxy: "", HTTPS_PROXY: "http://big:1" }), "big:1");
  assert.equal(through("https://a.example", {}), null);
});

test("ALL_PROXY counts where the scheme has none of its own, and a SOCKS proxy stops the request, naming the variable", () => {
  assert.equal(through("https://a.example", { ALL_PROXY: "http://all:1" }), "all:1");
  assert.equal(through("https://a.example", { ALL_PROXY: "socks5://all:1", HTTPS_PROXY: "big:2" }), "big:2");
  assert.equal(through("https://a.example", { ALL_PROXY: "socks5://all:1", NO_PROXY: "a.example" }), null);
  assert.throws(() => through("https://a.example", { ALL_PROXY: "socks5h://me:secret@h:1" }), {
    message:
      "ALL_PROXY names a SOCKS proxy, which is not supported: set HTTPS_PROXY to an HTTP proxy (http://HOST:PORT), or unset ALL_PROXY",
  });
});

test("this machine is never reached through a proxy", () => {
  for (const host of ["localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]"])
    assert.equal(through(`http://${host}:11434`, { http_proxy: "http://p:1", no_proxy: "" }), null, host);
});

test("NO_PROXY exempts names with all below them, ports, addresses, blocks and ranges, as curl reads it", () => {
  for (const [list, exempt, others] of [
    ["*", ["a.example", "10.0.0.1"], []],
    ["example.org", ["example.org", "a.example.org", "EXAMPLE.org."], ["badexample.org", "example.org.evil"]],
    [".example.org", ["a.example.org", "example.org"], ["a.example.com"]],
    ["*.example.org, b.c", ["a.example.org", "b.c"], ["c"]],
    ["example.org:8443 other", ["example.org:8443", "other"], ["example.org", "example.org:80"]],
    ["10.0.0.0/8", ["10.1.2.3"], ["11.0.0.1", "10.example.org"]],
    ["192.168.1.1-192.168.1.9", ["192.168.1.5"], ["192.168.1.10"]],
    ["fd00::/8,[2001:db8::1]", ["[fd12::1]", "[2001:db8::1]"], ["[2001:db8::2]"]],
    ["10.0.0.0/99, ,-,/,1.1.1.9-1.1.1.1", [], ["10.0.0.1", "1.1.1.5", "a.example"]],
  ] as const)
    for (const [hosts, wanted] of [
      [exempt, null],
      [others, "p:1"],
    ] as const)
      for (const host of hosts)
        for (const name of ["NO_PROXY", "no_proxy"])
          assert.equal(
            through(`https://${host}`, { HTTPS_PROXY: "http://p:1", [name]: list }),
            wanted,
            `${list} ${host}`,
          );
});

test("a name and password go into the header alone, and no words show them", () => {
  const proxy = proxyFor(new URL("https://a.example"), { https_proxy: "http://me:p%40ss%@host:3128" });
  assert.ok(proxy !== null);
  assert.equal(proxy.authorization, `Basic ${Buffer.from("me:p%40ss%").toString("base64")}`);
  assert.equal(describeProxy(proxy), "the proxy host:3128 (https_proxy)");
  const decoded = proxyFor(new URL("https://a.example"), { https_proxy: "http://me:p%40ss@host" });
  assert.equal(decoded?.authorization, `Basic ${Buffer.from("me:p@ss").toString("base64")}`);
});

test("a value that names no HTTP proxy stops the request, without showing the value", () => {
  for (const value of ["http://", "h:port", "ftp://x"])
    assert.throws(() => proxyFor(new URL("https://a.example"), { HTTPS_PROXY: value }), {
      message: "HTTPS_PROXY names no HTTP proxy: write http://HOST:PORT",
    });
});

test("what is written for a service has no password, whatever the value looks like, and gets it back from elsewhere", () => {
  for (const [value, bare] of [
    ["http://me:hunter2@host:3128", "http://me@host:3128"],
    ["me:hunter2@host:3128", "me@host:3128"],
    ["http://me:hun/ter2:x@y@host/", "http://me@host/"],
    ["http://host:3128", "http://host:3128"],
    ["host:3128", "host:3128"],
  ] as const) {
    const { variables, left } = withoutPasswords({ HTTPS_PROXY: value, NO_PROXY: "a.b", OTHER: "x" });
    assert.deepEqual(variables, { HTTPS_PROXY: bare, NO_PROXY: "a.b" });
    assert.deepEqual(left, value === bare ? [] : ["HTTPS_PROXY"]);
  }
  const filled = withPassword({ HTTPS_PROXY: "http://me@host:3128", http_proxy: "http://host" }, "p@ss word");
  assert.deepEqual(Object.keys(filled), ["HTTPS_PROXY"]);
  const proxy = proxyFor(new URL("https://a.example"), filled);
  assert.equal(proxy?.authorization, `Basic ${Buffer.from("me:p@ss word").toString("base64")}`);
});
