import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";

/** A home folder with documents and keys, and a talk in a workspace in it. */
export async function homeWorld(t: TestContext, settings: Readonly<Record<string, string>> = {}) {
  const world = await makeWorld(t, [], settings);
  const at = (...names: readonly string[]): string => join(world.home, ...names);
  for (const folder of ["docs/deep", "other", ".ssh"]) mkdirSync(at(folder), { recursive: true });
  for (const file of ["docs/one", "docs/deep/two", "other/three", "plan", ".ssh/id_rsa", "work/own"])
    writeFileSync(at(file), `${file}\n`);
  const agent = await world.open();
  t.after(() => agent[Symbol.asyncDispose]());
  const talk = await talkTo(agent);
  const propose = async (cmd: string) => {
    world.provider.add(calls(["shell", { cmd }]), { text: "done" });
    return talk.say("please do it");
  };
  const approve = async (): Promise<string> => {
    const before = named(talk.events, "outcome").length;
    const approved = await agent.runCommand({ kind: "approve", token: talk.token() }, talk.session);
    if (approved.kind === "turn") await agent.whenSettled(approved.turn);
    return JSON.stringify(named(talk.events, "outcome").slice(before));
  };
  return { ...world, agent, talk, at, propose, approve };
}
