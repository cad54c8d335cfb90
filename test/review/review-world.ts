import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { NewProposal } from "../../src/daemon/agent/review/new-proposal.ts";
import { openServedAgent } from "../../src/daemon/serve.ts";
import { loadPolicy } from "../../src/settings/policy.ts";
import { bottomLabel } from "../../src/signal/label.ts";
import { type AgentWorld, makeWorld } from "../agent-world.ts";

/** An agent with a folder of notes, and its files by name. */
export type ReviewWorld = AgentWorld & {
  readonly notes: string;
  readonly read: (name: string) => string;
  readonly write: (name: string, text: string) => void;
  /** A change of a note from what it holds to a text. */
  readonly change: (name: string, after: string, more?: Partial<NewProposal>) => NewProposal;
  /** Opens the agent in this process, with its review inbox. */
  readonly serve: () => ReturnType<typeof openServedAgent>;
};

/** Makes a world with these notes. */
export async function makeReviewWorld(
  t: TestContext,
  notes: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = {},
): Promise<ReviewWorld> {
  const world = await makeWorld(t, [], settings);
  const folder = join(world.home, "memex");
  mkdirSync(folder);
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  for (const [name, text] of Object.entries(notes)) write(name, text);
  return {
    ...world,
    notes: folder,
    read: (name) => readFileSync(join(folder, name), "utf8"),
    write,
    change: (name, after, more = {}) => ({
      title: `Change ${name}`,
      why: "It is better so.",
      source: `[[file:${name}]]`,
      label: bottomLabel,
      change: {
        kind: "files",
        files: [
          { path: join(folder, name), before: readFileSync(join(folder, name)), after: Buffer.from(after) },
        ],
      },
      ...more,
    }),
    serve: () =>
      openServedAgent(
        { environment: world.environment, cwd: world.workspace, version: "0.0.0-test" },
        loadPolicy(world.environment),
      ),
  };
}
