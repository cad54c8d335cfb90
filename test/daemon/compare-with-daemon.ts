import { writeFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { type AgentWorld, calls, makeWorld } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import type { Finished } from "../run-command.ts";
import { serveDaemon } from "./serve-daemon.ts";

/** One command after the other: its arguments, or what makes them of what was printed so far. */
type Commands = readonly (readonly [
  args: readonly string[] | ((printed: string) => readonly string[]),
  running?: Parameters<AgentWorld["command"]>[1],
])[];

/** The result of a command, without what differs from run to run. */
export type Comparable = Finished & { readonly events: readonly unknown[] };

/** Runs the same commands with a daemon and without one, and returns the comparable results of each. */
export async function runWithAndWithoutDaemon(
  t: TestContext,
  steps: readonly Step[],
  commands: Commands,
  settings: Readonly<Record<string, string>> = {},
): Promise<
  readonly [withDaemon: readonly Comparable[], alone: readonly Comparable[], worlds: readonly AgentWorld[]]
> {
  const worlds = [await makeWorld(t, steps, settings), await makeWorld(t, steps, settings)] as const;
  for (const world of worlds) writeFileSync(world.path("a.txt"), "alpha\n");
  await serveDaemon(worlds[0]);
  const [withDaemon, alone] = await Promise.all(worlds.map((world) => runAll(world, commands)));
  return [withDaemon ?? [], alone ?? [], worlds];
}

async function runAll(world: AgentWorld, commands: Commands): Promise<readonly Comparable[]> {
  const all: Comparable[] = [];
  let printed = "";
  for (const [args, running] of commands) {
    const done = await world.command(typeof args === "function" ? args(printed) : args, running);
    printed += done.out + done.err;
    all.push(comparableOf(world, done));
  }
  return all;
}

function comparableOf(world: AgentWorld, { code, out, err }: Finished): Comparable {
  const same = (text: string): string =>
    text
      .replaceAll(world.home, "HOME")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
      .replaceAll(/[\w-]{22}(?=[\s"])/g, "TOKEN")
      .replaceAll(/(?<=[Ss]ession )[0-9a-f]{8}\b/g, "ID")
      .replaceAll(/question-[0-9a-f]{12}/g, "QUESTION")
      .replaceAll(/"expiresAt":\d+/g, '"expiresAt":0')
      .replaceAll(/"(microseconds|milliseconds)":\d+/g, '"$1":0')
      .replaceAll(/approval [0-9a-f]{8}/g, "approval HASH")
      .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, "TIME");
  const json = out.startsWith("{");
  const events = json
    ? out
        .trimEnd()
        .split("\n")
        .map((line): unknown => JSON.parse(same(line)))
    : [];
  return { code, out: json ? "" : same(out), err: same(err), events };
}

/** A file outside the workspace, which needs a yes. */
export const outside = (world: AgentWorld): string => `${world.home}/outside.txt`;
/** The step of a model that writes that file. */
export const writesOutside = calls(["write-file", { path: "../outside.txt", content: "made\n" }]);
/** The token of the question that was printed; empty where none was. */
export const tokenIn = (printed: string): string =>
  /approve ([\w-]{22})|"token":"([\w-]+)"/
    .exec(printed)
    ?.slice(1)
    .find((found) => found !== undefined) ?? "";
