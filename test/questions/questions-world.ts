import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { LocalAgent } from "../../src/daemon/agent/local-agent.ts";
import { openLocalAgent } from "../../src/daemon/agent/open-local-agent.ts";
import { openStateForWriting } from "../../src/daemon/serve.ts";
import { loadPolicy } from "../../src/settings/policy.ts";
import { type AgentWorld, calls, makeWorld } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { sharedStart } from "../shared-start.ts";

/** An agent with a folder of notes, and what the file of questions holds. */
export type QuestionsWorld = AgentWorld & {
  readonly notes: string;
  /** The text of the file; empty where there is none. */
  readonly read: () => string;
  readonly write: (text: string) => void;
  /** Waits until the file matches, and returns its text. */
  readonly until: (pattern: RegExp) => Promise<string>;
  /** Opens the agent in this process, as a daemon does; `warned` gets what it reports. */
  readonly serve: (warned?: string[], settings?: Readonly<Record<string, string>>) => Promise<LocalAgent>;
  /** A proposal that asks: it writes outside of the workspace. */
  readonly asks: (name: string, content?: string) => Step;
  readonly outside: (name: string) => string;
};

/** Makes a world with a notes folder. */
export async function makeQuestionsWorld(
  t: TestContext,
  settings: Readonly<Record<string, string>> = {},
): Promise<QuestionsWorld> {
  const world = await makeWorld(t, [], settings);
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  const file = join(notes, "questions.org");
  const outside = (name: string): string => join(world.home, name);
  const read = (): string => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return "";
    }
  };
  return {
    ...world,
    notes,
    read,
    outside,
    write: (text) => writeFileSync(file, text),
    async until(pattern) {
      for (let tries = 0; tries < 1200; tries += 1) {
        if (pattern.test(read())) return read();
        await pause(50);
      }
      throw new Error(`questions.org never matched ${pattern}:\n${read()}`);
    },
    async serve(warned = [], more = {}) {
      const environment = { ...world.environment, ...more };
      const policy = loadPolicy(environment);
      const warn = (text: string): void => void warned.push(text);
      const start = {
        environment,
        cwd: world.workspace,
        version: "0.0.0-test",
        ...sharedStart,
        warn,
      };
      const state = await openStateForWriting(policy);
      return openLocalAgent({ start, policy, state, folder: world.workspace });
    },
    asks: (name, content = "new words\n") => calls(["write-file", { path: outside(name), content }]),
  };
}

/** The entry of a heading that matches, without its children. */
export function entryOf(text: string, pattern: RegExp): string {
  return text.split(/^(?=\* )/m).find((entry) => pattern.test(entry)) ?? "";
}

/** A property of an entry. */
export function property(entry: string, name: string): string {
  return new RegExp(`^:${name}: +(.*)$`, "m").exec(entry)?.[1] ?? "";
}
