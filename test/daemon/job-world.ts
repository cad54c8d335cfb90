import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Agent } from "../../src/daemon/agent/resources/agent.ts";
import type { JobRequest } from "../../src/signal/jobs/job-request.ts";
import { type AgentWorld, makeWorld } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { serveDaemon } from "./serve-daemon.ts";

export type Run = {
  readonly job: string;
  readonly state: string;
  readonly reason: string;
  readonly count: number;
  readonly "scheduled-ms": number;
  readonly turn: string;
};

/** Settings with which a process takes a time for now, and goes on from there. */
export function clockAt(time: string): { readonly NODE_OPTIONS: string } {
  const code = `const now = Date.now; const shift = ${Date.parse(time)} - now(); Date.now = () => now() + shift;`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

/** An entry of `jobs.org` that is due once a year. */
export function entry(
  name: string,
  words: string,
  properties: readonly string[] = [],
  allows: readonly string[] = [],
) {
  const lines = [":PROPERTIES:", ":CRON: 0 9 1 1 *", ...properties, ":END:"];
  return [`* ${name}`, ...lines, ...allows.map((step) => `- ALLOW: ${step}`), words, ""].join("\n");
}

export async function jobsOf(agent: Agent, request: JobRequest) {
  const reply = await agent.runCommand({ kind: "jobs", request }, "");
  assert.ok(reply.kind === "said");
  return reply;
}

/** The runs that a log shows: of one job, or of all. */
export async function runsOf(agent: Agent, name: string | null): Promise<readonly Run[]> {
  const { data } = await jobsOf(agent, { verb: "log", name });
  return JSON.parse(JSON.stringify(data));
}

/** Runs a job and waits for the outcome of this run. */
export async function outcomeOf(agent: Agent, name: string): Promise<Run> {
  const before = (await runsOf(agent, name)).length;
  await jobsOf(agent, { verb: "run", name });
  for (let tries = 0; tries < 600; tries += 1) {
    const [last, ...others] = await runsOf(agent, name);
    if (last !== undefined && others.length === before && !["queued", "running"].includes(last.state))
      return last;
    await pause(100);
  }
  return assert.fail(`${name} did not end`);
}

/** A world with a daemon, notes and jobs, and an agent that is connected to it. */
export async function openJobs(
  t: TestContext,
  steps: readonly Step[],
  jobs: (world: AgentWorld) => readonly string[],
  more: { readonly [name: string]: string } = {},
) {
  const world = await makeWorld(t, steps);
  const notes = join(world.home, "notes");
  const outside = join(world.home, "outside");
  for (const folder of [notes, outside, world.configuration]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(world.configuration, "jobs.org"), jobs(world).join("\n"));
  const daemon = await serveDaemon(world, { settings: { MEMEX_DIR: notes, ...more } });
  const agent = await world.open({ MEMEX_DIR: notes, ...more });
  t.after(() => agent[Symbol.asyncDispose]());
  return { world, notes, outside, daemon, agent };
}
