import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { onTheInternet, publicAddress, serve, serveTcp } from "../../src/act/tools/shell/network.fixture.ts";
import { outputOf } from "../../src/act/tools/shell/shell.fixture.ts";

const inside = "/tmp-egress/proxy";

/** Sends each text, on a connection of its own, to a path or port inside the sandbox; returns what came back. */
async function send(
  { workspace, run }: NonNullable<Awaited<ReturnType<typeof onTheInternet>>>,
  to: object,
  ...texts: readonly string[]
): Promise<string> {
  const script = `
    for (const text of ${JSON.stringify(texts)}) {
      const socket = require("net").connect(${JSON.stringify(to)});
      socket.on("error", (fault) => console.log("REFUSED", fault.code));
      socket.on("data", (bytes) => process.stdout.write(bytes));
      socket.setTimeout(1000, () => socket.destroy());
      socket.write(text);
    }`;
  await writeFile(join(workspace, "send.cjs"), script);
  return run(`${process.execPath} send.cjs`, ["good.example"]);
}

test("an approved command reaches no other host, port or address, whatever form it takes", async (context) => {
  const port = await serve(context, (_request, response) => response.end("REACHED"));
  const names = {
    "inside.example": ["10.0.0.7"],
    "mixed.example": [publicAddress, "127.0.0.1"],
    "mapped.example": ["::ffff:169.254.169.254"],
  };
  const world = await onTheInternet(context, port, { names });
  if (world === null) return;
  const allowed = ["good.example", "inside.example", "mixed.example", "mapped.example"];
  const control = await world.run("curl -sS http://good.example/", allowed);
  assert.match(control, /REACHED/);
  const urls =
    "http://bad.example http://good.example:81 http://x.good.example http://good.example.bad.example " +
    `http://${publicAddress} http://127.0.0.2 http://169.254.169.254/latest http://0x5db8d70e http://[::1] ` +
    "http://inside.example http://mixed.example http://mapped.example http://good.example:80@bad.example";
  const words = urls.split(" ").join("' '");
  const out = await world.run(`curl -sS --noproxy '' '${words}'`, allowed);
  assert.doesNotMatch(out, /REACHED/);
  assert.match(out, /inside\.example:80 \(it leads to 10\.0\.0\.7, which is not a public address\)/);
  const tunnels = await world.run(`curl -sSp --noproxy '' '${words}'`, allowed);
  assert.doesNotMatch(tunnels, /REACHED/);
  assert.deepEqual(
    world.dialled.map(({ host }) => host),
    ["good.example"],
  );
  assert.ok(
    world.connections.length > 12 && world.connections.filter(({ refused }) => refused === null).length === 1,
  );
});

test("a redirect to another host leads nowhere, and a Host header changes nothing", async (context) => {
  const seen: (string | undefined)[] = [];
  const port = await serve(context, (request, response) => {
    seen.push(request.headers.host);
    response.writeHead(302, { location: "http://bad.example/REACHED" }).end();
  });
  const world = await onTheInternet(context, port);
  if (world === null) return;
  const out = await world.run("curl -sSL -H 'Host: bad.example' http://good.example/");
  assert.match(out, /It could not connect to bad\.example:80/);
  assert.deepEqual(seen, ["good.example"]);
  assert.deepEqual(
    world.dialled.map(({ host }) => host),
    ["good.example"],
  );
});

test("odd requests to the proxy itself are refused and leave it whole", async (context) => {
  const port = await serve(context, (_request, response) => response.end("REACHED"));
  const world = await onTheInternet(context, port);
  if (world === null) return;
  const odd = [
    "CONNECT good.example HTTP/1.1\r\n\r\n",
    "CONNECT good.example:80:80 HTTP/1.1\r\n\r\n",
    "CONNECT http://good.example/ HTTP/1.1\r\n\r\n",
    "CONNECT bad.example:443 HTTP/1.1\r\nHost: good.example:443\r\n\r\n",
    "CONNECT good.example:99999 HTTP/1.1\r\n\r\n",
    "CONNECT good.example@bad.example:80 HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: good.example\r\n\r\n",
    "GET http://bad.example/ HTTP/1.1\r\nHost: good.example\r\n\r\n",
    "GET https://good.example/ HTTP/1.1\r\nHost: good.example\r\n\r\n",
    "GET file:///etc/passwd HTTP/1.1\r\nHost: good.example\r\n\r\n",
    "GET unix:/run/x.sock:/ HTTP/1.1\r\nHost: good.example\r\n\r\n",
    "\x05\x01\x00",
    `GET http://good.example/ HTTP/1.1\r\nHost: ${"x".repeat(17_000)}\r\n\r\n`,
    "POST http://good.example/ HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://bad.example/ HTTP/1.1\r\n\r\n",
  ];
  const out = await send(world, { path: inside }, ...odd);
  assert.doesNotMatch(out, /REACHED|HTTP\/1\.1 2/);
  assert.ok((out.match(/HTTP\/1\.1 403/g)?.length ?? 0) >= 10, out);
  const control = "GET http://good.example./ HTTP/1.1\r\nHost: x\r\n\r\n";
  assert.match(await send(world, { port: 18_080, host: "127.0.0.1" }, control), /REACHED/);
});

test("neither the agent's own socket nor another one is reached through the proxy, and no other command sees it", async (context) => {
  const port = await serve(context, (_request, response) => response.end("REACHED"));
  const world = await onTheInternet(context, port);
  if (world === null) return;
  const own = createServer((socket) => socket.end("REACHED"));
  await new Promise<void>((resolve) => own.listen(join(world.folder, "..", "own.sock"), resolve));
  context.after(() => own.close());
  // The words of a script are not judged one by one: all of it runs beside the proxy.
  const script = (name: string, text: string) => writeFile(join(world.workspace, name), text);
  await script("list.sh", `ls -la ${world.folder} ${world.root}; ls /tmp-egress; true`);
  const listing = await world.run(`sh list.sh ${world.root}`, ["good.example"]);
  assert.match(listing, /bridge\.m[jt]s\\n(?:certificates-\w+\.pem\\n)?node\\nproxy/);
  assert.doesNotMatch(listing, /egress-\d+/);
  const other = await send(world, { path: join(world.root, "own.sock") }, "x");
  assert.match(other, /REFUSED/);
  await script(
    "look.sh",
    `curl -sS http://a.example/; find / -name "egress-*" -o -path "/tmp-egress/*" 2>/dev/null`,
  );
  // Two commands at once: each has a proxy with its own hosts, and does not see the other's.
  const [first, second] = await Promise.all([
    world.run("sh -c 'sleep 1; curl -sS http://a.example/'", ["a.example"]),
    world.run("sh look.sh", ["b.example"]),
  ]);
  assert.match(first, /REACHED/);
  assert.doesNotMatch(second, /REACHED/);
  assert.match(second, /\/tmp-egress\/proxy/);
  assert.doesNotMatch(second, /egress-\d/);
  assert.deepEqual(await readdir(world.folder), [], "no socket outlives its command");
});

test("a proved command of the same line, and a command whose words name other hosts, get no way to these", async (context) => {
  const world = await onTheInternet(
    context,
    await serve(context, (_request, response) => response.end("REACHED")),
  );
  if (world === null) return;
  await writeFile(join(world.workspace, "x"), "http://a.example/");
  const out = await world.run(
    "curl -s http://a.example/ && curl -sS -o - http://b.example/ && sh -c 'curl -sS $0' http://a.example/",
  );
  assert.equal(out.match(/REACHED/g)?.length, 2, out);
  assert.match(out, /could not connect to a\.example:80/);
});

test("a line of many commands shares a proxy for the same hosts, and one with too many hosts is refused", async (context) => {
  const world = await onTheInternet(context, 1);
  if (world === null) return;
  const line = (count: number, one: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => one(index)).join("; ");
  const many = world.run(line(6, () => "sh -c 'touch made; sleep 0.1'"));
  while ((await readdir(world.root)).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal((await readdir(world.folder)).length, 1);
  assert.match(await many, /"exitCode":0/);
  const spread = await world.run(line(30, (index) => `curl https://h${index}.example/`));
  assert.match(spread, /^no-network: .*more than 20 different sets of hosts/);
});

test("a child that a command leaves behind loses the network with it", async (context) => {
  let asked = 0;
  const port = await serve(context, (_request, response) => {
    asked += 1;
    response.end("x");
  });
  const world = await onTheInternet(context, port);
  if (world === null) return;
  const asking = "(while :; do curl -s http://good.example/ -o reached; sleep 0.1; done) &";
  await world.run(`setsid sh -c '${asking} until [ -s reached ]; do sleep 0.1; done'`, ["good.example"]);
  const until = asked;
  assert.ok(until > 0);
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.equal(asked, until);
});

test("bytes, connections and time are capped, and memory does not grow with an answer of 200 MB", async (context) => {
  const block = Buffer.alloc(1_000_000);
  const port = await serveTcp(context, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 200000000\r\n\r\n");
    let left = 200;
    const more = (): void => {
      while (left > 0) {
        left -= 1;
        if (!socket.write(block)) return void socket.once("drain", more);
      }
      socket.end();
    };
    socket.once("data", more);
  });
  const world = await onTheInternet(context, port);
  if (world === null) return;
  const before = process.memoryUsage().rss;
  assert.match(
    await world.run("curl -sS -o /dev/null -w '%{size_download}' http://big.example/"),
    /200000000/,
  );
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 100_000_000, `${grown} bytes`);

  const small = await onTheInternet(context, port, { limits: { receivedBytes: 5_000_000, connections: 20 } });
  assert.ok(small !== null);
  const cut = await small.run("curl -sS -o /dev/null -w '%{size_download}' http://big.example/");
  assert.match(cut, /"exitCode":(?:18|56).*received more than 5000000 bytes/);
  const many = `sh -c 'for i in $(seq 60); do curl -s -o /dev/null http://other.example/; done'`;
  const flood = await small.run(many, ["big.example"]);
  assert.match(flood, /other\.example:80/);
  assert.ok(small.connections.length <= 1 + 21, `${small.connections.length} records`);
});

test("a stopped command ends its connections at once", async (context) => {
  let ended = false;
  const port = await serveTcp(context, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      ended = true;
    });
    socket.resume();
  });
  const world = await onTheInternet(context, port);
  if (world === null) return;
  const stop = new AbortController();
  const running = world.shell.run("curl -s http://slow.example/", stop.signal);
  while (world.dialled.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  stop.abort();
  assert.match(outputOf(await running), /^stopped/);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(ended);
});
