import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeTarball, makeZip } from "../../src/skills/archives/archives.fixture.ts";
import { makeWorld, sent, talkTo } from "../agent-world.ts";
import { liarEntry, revisions, setUpServers, withoutSandbox } from "../mcp/mcp-world.ts";

const schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const md = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: Deploy workers to the edge\nallowed-tools: Read\n---\n${body}\n`;
const digestOf = (bytes: Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** A site on loopback: what lies at which path. */
async function openSite(t: TestContext) {
  const pages = new Map<string, Buffer>();
  const asked: string[] = [];
  const redirects = new Map<string, string>();
  const later = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const location = redirects.get(path);
    if (location !== undefined) return void response.writeHead(302, { location }).end();
    const page = pages.get(path);
    const next = later.get(path);
    if (next !== undefined) pages.set(path, next);
    return void response.writeHead(page === undefined ? 404 : 200).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const put = (path: string, bytes: Buffer | string): Buffer => {
    pages.set(path, Buffer.from(bytes));
    return Buffer.from(bytes);
  };
  const offer = (skills: readonly object[]) =>
    put("/.well-known/agent-skills/index.json", JSON.stringify({ $schema: schema, skills }));
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    put,
    offer,
    redirect: (path: string, to: string | null) =>
      to === null ? redirects.delete(path) : redirects.set(path, to),
    /** What lies at a path once it was fetched. */
    putNext: (path: string, bytes: Buffer) => later.set(path, bytes),
  };
}

test("a skill of a site is shown with its digest, installed exactly as it was shown after a yes, and shown again when it changed", async (t) => {
  const world = await makeWorld(t);
  const site = await openSite(t);
  const place = join(world.home, ".agents/skills/edge-deploy");
  const offerVersion = (body: string) => {
    const files = [
      { name: "SKILL.md", text: md("edge-deploy", body) },
      { name: "scripts/deploy.sh", text: "echo deploy" },
    ];
    const archive = site.put("/edge-deploy.tar.gz", makeTarball(files));
    const notes = site.put("/.well-known/agent-skills/notes/SKILL.md", md("notes", "NOTES steps"));
    site.offer([
      {
        name: "edge-deploy",
        type: "archive",
        description: "Deploy",
        url: "/edge-deploy.tar.gz",
        digest: digestOf(archive),
      },
      {
        name: "notes",
        type: "skill-md",
        description: "Notes",
        url: "notes/SKILL.md",
        digest: digestOf(notes),
      },
      { name: "odd", type: "plugin", description: "x", url: "x", digest: digestOf(notes) },
    ]);
  };
  offerVersion("EDGE steps");
  const which = await world.command(["skill", "install", site.url, "--yes"]);
  assert.equal(which.code, 1);
  assert.match(which.err, /edge-deploy: Deploy\n +notes: Notes\n/);
  const unsaid = await world.command(["skill", "install", site.url, "edge-deploy"]);
  assert.equal(unsaid.code, 1);
  assert.match(
    unsaid.out,
    /from: http:\/\/127[\s\S]*scripts\/deploy\.sh \(11 bytes\)[\s\S]*digest: [0-9a-f]{64}[\s\S]*EDGE steps/,
  );
  assert.equal(existsSync(place), false);
  const done = await world.command(["skill", "install", site.url, "edge-deploy", "--yes"]);
  assert.equal(done.code, 0, done.err);
  assert.equal(readFileSync(join(place, "scripts/deploy.sh"), "utf8"), "echo deploy");
  assert.deepEqual(readdirSync(join(place, "..")), ["edge-deploy"]);
  const again = await world.command(["skill", "install", site.url, "edge-deploy"]);
  assert.match(again.out, /nothing changed/);
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    world.provider.add({ text: "Yes." });
    await talk.say("use edge-deploy");
    assert.match(sent(world, 0), /\[Skill edge-deploy: installed, words of others[\s\S]*EDGE steps/);
  }
  offerVersion("OTHER steps");
  const changed = await world.command(["skill", "install", site.url, "edge-deploy"]);
  assert.equal(changed.code, 1);
  assert.match(changed.out, /OTHER steps/);
  assert.match(readFileSync(join(place, "SKILL.md"), "utf8"), /EDGE steps/);
  assert.equal((await world.command(["skill", "install", site.url, "edge-deploy", "--yes"])).code, 0);
  assert.match(readFileSync(join(place, "SKILL.md"), "utf8"), /OTHER steps/);
  assert.match((await world.command(["skill", "list"])).out, /^edge-deploy +SKILL\.md +in force$/m);
  // Another skill in its place is not replaced.
  mkdirSync(join(world.home, ".agents/skills/notes"));
  writeFileSync(join(world.home, ".agents/skills/notes/SKILL.md"), md("notes", "MINE"));
  const taken = await world.command(["skill", "install", site.url, "notes", "--yes"]);
  assert.notEqual(taken.code, 0);
  assert.match(taken.err, /another skill of this name/);
  assert.match(readFileSync(join(world.home, ".agents/skills/notes/SKILL.md"), "utf8"), /MINE/);
});

test("a site that lies is refused in words, and nothing of it is written: another digest, hostile archives, other indexes, a way to this machine", async (t) => {
  const world = await makeWorld(t);
  const site = await openSite(t);
  const other = await openSite(t);
  const good = { name: "SKILL.md", text: md("edge-deploy", "EDGE steps") };
  const entry = (bytes: Buffer, more: object = {}) => ({
    name: "edge-deploy",
    type: "archive",
    description: "x",
    url: "/a",
    digest: digestOf(bytes),
    ...more,
  });
  for (const [words, make] of [
    [
      /its digest differs/,
      () => site.offer([entry(Buffer.from("other"))]) && site.put("/a", makeZip([good])),
    ],
    [
      /is a link/,
      () =>
        site.offer([
          entry(site.put("/a", makeTarball([good, { name: "x", type: "2", link: "/etc/passwd" }]))),
        ]),
    ],
    [
      /leaves the folder/,
      () => site.offer([entry(site.put("/a", makeZip([good, { name: "../../.bashrc", text: "x" }])))]),
    ],
    [
      /more than 512 files or 16 MB/,
      () =>
        site.offer([
          entry(site.put("/a", makeZip([good, { name: "zeros", text: Buffer.alloc(20_000_000) }]))),
        ]),
    ],
    [
      /no SKILL\.md at its root/,
      () => site.offer([entry(site.put("/a", makeZip([{ ...good, name: "edge-deploy/SKILL.md" }])))]),
    ],
    [/neither a zip nor a tar\.gz/, () => site.offer([entry(site.put("/a", "#!/bin/sh"))])],
    [
      /its folder has letters and digits/,
      () => site.offer([entry(site.put("/a", makeZip([good])), { name: "../up" })]),
    ],
    [
      /not a public address/,
      () => site.offer([entry(other.put("/a", makeZip([good])), { url: `${other.url}/a` })]),
    ],
    [
      /no skill that can be used/,
      () => site.offer([entry(site.put("/a", makeZip([good])), { digest: "sha256:0" })]),
    ],
    [/cannot be read/, () => site.put("/.well-known/agent-skills/index.json", "<html>")],
    [
      /version that is not known/,
      () => site.put("/.well-known/agent-skills/index.json", JSON.stringify({ skills: [] })),
    ],
  ] as const) {
    make();
    const given = await world.command(["skill", "install", site.url, "--yes"]);
    assert.equal(given.code, 1, `${words}: ${given.out}`);
    assert.match(given.err, words);
    assert.equal(existsSync(join(world.home, ".agents")), false, String(words));
  }
  assert.deepEqual(other.asked, []);
  const metadata = await world.command(["skill", "install", "http://169.254.169.254/", "--yes"]);
  assert.match(metadata.err, /169\.254\.169\.254 was not asked/);
});

test("one that is named as another, pinned by what is no digest, or offered twice is refused, and its files are fetched once and from nowhere else", async (t) => {
  const world = await makeWorld(t);
  const site = await openSite(t);
  const other = await openSite(t);
  const bytes = site.put("/a", makeZip([{ name: "SKILL.md", text: md("edge-deploy", "EDGE steps") }]));
  const digest = digestOf(bytes);
  const entry = (more: object = {}) => ({
    name: "edge-deploy",
    type: "archive",
    description: "x",
    url: "/a",
    digest,
    ...more,
  });
  const install = async (entries: readonly object[], name = "edge-deploy") => {
    site.offer(entries);
    return world.command(["skill", "install", site.url, name, "--yes"]);
  };
  const hex = digest.slice("sha256:".length);
  for (const [words, given] of [
    [/no skill that can be used/, await install([entry({ digest: `sha256:${hex.toUpperCase()}` })])],
    [/no skill that can be used/, await install([entry({ digest: `SHA256:${hex}` })])],
    [
      /no skill that can be used/,
      await install([entry({ digest: `sha256-${Buffer.from(hex, "hex").toString("base64")}` })]),
    ],
    [/no skill that can be used/, await install([entry({ digest: `sha256:${hex} ` })])],
    [/offers these skills:\n {2}edge-deploy: x\n {2}edge-deploy: x\n/, await install([entry(), entry()])],
    [/its folder has letters and digits/, await install([entry({ name: "cafe\u0301" })], "cafe\u0301")],
    [
      /its folder has letters and digits/,
      await install([entry({ name: "edge\u2010deploy" })], "edge\u2010deploy"),
    ],
    [/offers these skills:/, await install([entry({ name: "Edge-Deploy" }), entry({ name: "x" })])],
  ] as const) {
    assert.equal(given.code, 1, `${words}: ${given.out}`);
    assert.match(given.err, words);
  }
  // A redirect to this machine is followed neither from the index nor from a file.
  site.redirect("/b", `${other.url}/a`);
  other.put("/a", bytes);
  assert.match((await install([entry({ url: "/b" })])).err, /leads to another host, which was not asked/);
  const index = "/.well-known/agent-skills/index.json";
  site.redirect(index, `${other.url}${index}`);
  const led = await world.command(["skill", "install", site.url, "--yes"]);
  assert.match(led.err, /leads to another host, which was not asked/);
  assert.deepEqual(other.asked, []);
  assert.equal(existsSync(join(world.home, ".agents")), false);
  // A site that gives another file at each look: what is shown is what was fetched, once.
  site.redirect(index, null);
  site.asked.length = 0;
  site.putNext("/a", makeZip([{ name: "SKILL.md", text: md("edge-deploy", "OTHER steps") }]));
  const done = await install([entry()]);
  assert.match(done.out, /EDGE steps/, done.err);
  assert.deepEqual(site.asked, [index, "/a"]);
  assert.match(readFileSync(join(world.home, ".agents/skills/edge-deploy/SKILL.md"), "utf8"), /EDGE steps/);
  assert.match((await install([entry()])).err, /its digest differs/);
});

test("a folder and an archive of this machine are installed the same way, as words of others", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(
    world.path("edge-deploy.zip"),
    makeZip([{ name: "SKILL.md", text: md("edge-deploy", "EDGE") }]),
  );
  mkdirSync(world.path("own-notes"));
  writeFileSync(world.path("own-notes/SKILL.md"), md("own-notes", "NOTES"));
  for (const source of ["edge-deploy.zip", "own-notes"]) {
    const done = await world.command(["skill", "install", source, "--yes"]);
    assert.equal(done.code, 0, done.err);
  }
  assert.match(
    (await world.command(["skill", "list"])).out,
    /^edge-deploy +SKILL\.md +in force\nown-notes +SKILL\.md +in force$/m,
  );
});

for (const revision of revisions)
  test(`a skill of an accepted server of revision ${revision} is installed, pinned file by file; one that lies is refused`, {
    skip: withoutSandbox,
  }, async (t) => {
    const world = await makeWorld(t);
    setUpServers(world, {
      docs: liarEntry(revision, "skills"),
      liar: liarEntry(revision, "skills-lie"),
      plain: liarEntry(revision, "plain"),
    });
    const early = await world.command(["skill", "install", "mcp:docs/git-flow", "--yes"]);
    assert.match(early.err, /did not accept it/);
    for (const name of ["docs", "liar", "plain"])
      assert.equal((await world.command(["mcp", "accept", name, "--yes"])).code, 0);
    const done = await world.command(["skill", "install", "mcp:docs/git-flow", "--yes"]);
    assert.equal(done.code, 0, done.err);
    assert.match(done.out, /from: mcp:docs\/skill:\/\/acme\/git-flow\/SKILL\.md[\s\S]*GIT steps/);
    assert.equal(readFileSync(join(world.home, ".agents/skills/git-flow/references/a.md"), "utf8"), "A");
    for (const [source, words] of [
      ["mcp:docs/other", /it has git-flow/],
      ["mcp:liar/git-flow", /not what its list says/],
      ["mcp:plain/git-flow", /offers no skills|failed/],
      ["mcp:nobody/git-flow", /no such server/],
    ] as const) {
      const given = await world.command(["skill", "install", source, "--yes"]);
      assert.equal(given.code, 1, source);
      assert.match(given.err, words);
    }
    assert.deepEqual(readdirSync(join(world.home, ".agents/skills")), ["git-flow"]);
  });
