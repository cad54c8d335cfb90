import type { TestContext } from "node:test";
import { loadPolicy } from "../../src/settings/policy.ts";
import { type AgentWorld, makeWorld, onDatabase } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { keepKey, openWithDoors, until } from "./chat-world.ts";
import { FakeSignal, olga } from "./fake-signal.ts";

/**
 * Makes a world with a door to a fake of signal-cli, in which the owner's private chat is linked unless
 * `linked` is false.
 */
export async function makeSignalWorld(
  t: Pick<TestContext, "after">,
  steps: readonly Step[] = [],
  { linked = true }: { readonly linked?: boolean } = {},
) {
  const fake = await FakeSignal.start();
  t.after(() => fake[Symbol.asyncDispose]());
  const world = await makeWorld(t, steps);
  await keepKey(world, "signal-daemon", fake.key);
  const { chatLinks } = loadPolicy(world.environment);
  const link = (chat: string, kind: "private" | "group") =>
    chatLinks.add({ service: "signal", chat, sender: olga.uuid, kind, name: "Olga", linkedAt: 1 });
  if (linked) link(olga.uuid, "private");
  return { fake, world, link, open: (settings = {}) => openWithDoors(world, { settings }) };
}

/** Waits until nothing that came waits for anybody. */
export async function handled(fake: FakeSignal, world: AgentWorld): Promise<void> {
  await until("all was received", () => fake.waiting() === 0);
  const receives = fake.calls.length;
  await until("it is on disk", () => fake.calls.length > receives + 1);
  await until(
    "all is handled",
    () => onDatabase(world, "SELECT 1 FROM chat_inbox WHERE state = 'new'").length === 0,
  );
}
