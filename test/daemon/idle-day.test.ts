import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { entryDigest } from "../../src/act/mcp/server-pool.ts";
import { openMcpAcceptances } from "../../src/settings/mcp-acceptances.ts";
import { readMcpFile } from "../../src/settings/mcp-servers.ts";
import { skillFile } from "../../src/skills/skills.fixture.ts";
import { makeWorld } from "../agent-world.ts";
import { startEmbeddingServer } from "../embedding-server.ts";
import { liarEntry, revisions, setUpServers, withoutSandbox } from "../mcp/mcp-world.ts";
import { startDaemon } from "./daemon-process.ts";
import { entry, jobsOf } from "./job-world.ts";

const hour = 3_600_000;
/** Milliseconds that the daemon's clock goes on in each real one: two hours a second. */
const pace = 7_200;
const fast = `const now = Date.now; const begun = now(); Date.now = () => Math.floor(begun + (now() - begun) * ${pace});`;

/**
 * Days after which it has to be quiet. A busy machine is still at the work of the first ones for some more:
 * a day lasts twelve seconds there, too.
 */
const mostDays = 40;

/** The time, size and contents of all files below some folders, but what readers of databases keep for themselves. */
function writtenBelow(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((path) => !path.endsWith("-shm") && existsSync(path) && statSync(path).isFile())
      .map((path) => `${path} ${statSync(path).mtimeMs} ${readFileSync(path).toString("latin1")}`)
      .toSorted(),
  );
}

test("with ten servers, 50 skills, jobs, watched folders, a skill's own condition and embeddings set up, 24 idle hours make no request and no write", {
  skip: withoutSandbox,
  timeout: 900_000,
}, async (t) => {
  const embedding = await startEmbeddingServer();
  t.after(() => embedding[Symbol.asyncDispose]());
  const world = await makeWorld(t, [], { HEARTBEAT_INTERVAL: "1", COGNITION_MODEL: "loop" });
  const notes = join(world.home, "memex");
  const skills = join(world.configuration, "skills");
  for (const folder of [notes, skills]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(notes, "house.org"), "* Boiler :project:\nServiced in March.\n");
  const code = "export const trigger = ({ text }: { text: string }) => text.includes('x');";
  for (let n = 0; n < 50; n += 1)
    writeFileSync(join(skills, `skill-${n}.org`), skillFile([`TITLE: Skill ${n}`], code));
  writeFileSync(
    join(skills, "patient.org"),
    `${skillFile(["TITLE: Patient", "HOOK: heartbeat", "TIER: cognition"], "export const trigger = () => false;")}
#+begin_job\nTidy up.\n#+end_job\n`,
  );
  const names = Array.from({ length: 10 }, (_, n) => `server${n}`);
  setUpServers(world, Object.fromEntries(names.map((name) => [name, liarEntry(revisions[0], "plain")])));
  const accepted = await world.command(["mcp", "accept", "server0", "--yes"]);
  assert.equal(accepted.code, 0, accepted.err);
  const acceptances = openMcpAcceptances(join(world.configuration, "mcp-accepted.json"));
  const kept = acceptances.of("server0");
  assert.ok(kept !== null);
  const { servers } = readMcpFile(join(world.configuration, "mcp.json"), { home: world.home, project: null });
  for (const server of servers) acceptances.accept(server.name, { ...kept, entry: entryDigest(server) });
  writeFileSync(
    join(world.configuration, "jobs.org"),
    [
      entry("yearly", "Look at the year.", [":HOOK: note-changed"]),
      entry("watcher", "Look.", [
        ":HOOK: file-changed:** turn-ended session-began job-failed",
        `:FOLDER: ${world.workspace}`,
      ]),
    ].join("\n"),
  );
  const settings = {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fast)}`,
    EMBEDDING_PROVIDER: "vectors",
    VECTORS_BASE_URL: embedding.url,
  };
  const embedded = embedding.heard("Boiler");
  await startDaemon(t, world, { settings });
  const agent = await world.open();
  for (const name of ["yearly", "watcher", "skill-patient"]) {
    const { code, text } = await jobsOf(agent, { verb: "add", name });
    assert.equal(code, "job-added", text);
  }
  await agent[Symbol.asyncDispose]();
  await embedded;
  // In the first days what is new is looked at: the gardener and the health check have been there once.
  const changes: string[] = [];
  for (let day = 1; day <= mostDays; day += 1) {
    const [before, asked] = [
      writtenBelow(world.state, world.configuration, notes),
      embedding.requests.length,
    ];
    await pause((25 * hour) / pace);
    const after = writtenBelow(world.state, world.configuration, notes);
    const changed = after.filter((file) => !before.includes(file)).map((file) => file.slice(0, 120));
    if (changed.length === 0 && embedding.requests.length === asked) break;
    assert.ok(day < mostDays, `each day something is written or asked: ${changed.join("\n")}`);
    changes.push(...changed);
  }
  t.diagnostic(`written in the days before: ${changes.length} files`);
  assert.equal(world.provider.requests.length, 0);
  const alive = embedding.heard("Gutter");
  writeFileSync(join(notes, "roof.org"), "* Gutter\nLeaks.\n");
  await alive;
});
