import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type AgentWorld, makeWorld } from "./agent-world.ts";

/** A world whose workspace is a repository with one commit. */
export async function repositoryWorld(t: TestContext): Promise<AgentWorld> {
  const world = await makeWorld(t, [], { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" });
  writeFileSync(join(world.home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
  writeFileSync(world.path("a.txt"), "hello\n");
  writeFileSync(world.path("Makefile"), "all:\n\techo all\n");
  gitIn(world, "init", "-q", "-b", "main");
  gitIn(world, "add", "-A");
  gitIn(world, "commit", "-q", "-m", "begin");
  return world;
}

/** Runs git in the workspace of a world, as its owner does. */
export function gitIn(world: AgentWorld, ...args: readonly string[]): string {
  const env = { ...process.env, HOME: world.home, GIT_CONFIG_GLOBAL: join(world.home, ".gitconfig") };
  return execFileSync("git", args, { cwd: world.workspace, encoding: "utf8", env });
}
