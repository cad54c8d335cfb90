import { wait } from "../machine/wait.ts";
import { loadPolicy } from "../settings/policy.ts";
import type { StartContext } from "../settings/start-context.ts";
import { type HandOver, watchForHandOver } from "./hand-over.ts";
import { endHandOver } from "./handing-over.ts";
import { reachOr } from "./open-agent.ts";
import { openServedAgent } from "./serve.ts";

/** Milliseconds that an agent without clients waits for the first, and for the next. */
const patience = { first: 30_000, next: 2_000 };

/**
 * Opens the agent on this user's state in this process, without a port, and serves until nobody has used it for a moment and nothing runs. Where another
 * process serves, as after two clients started at the same moment, there is nothing to do.
 */
export async function serveWhileUsed(
  start: StartContext,
  asked: { readonly listening: (text: string) => void; readonly leave: Promise<void> },
): Promise<HandOver | null> {
  const policy = loadPolicy(start.environment);
  const found = await reachOr(start, { policy, source: "cli" }, () => openServedAgent(start, policy));
  if (found.kind === "reached") {
    await found.agent[Symbol.asyncDispose]();
    return null;
  }
  const { agent } = found;
  endHandOver(policy.config.places.state);
  const leaving = new AbortController();
  void asked.leave.then(() => leaving.abort());
  const handOver = watchForHandOver({ start, policy, agent, tell: agent.announce });
  const update = { goesOn: false };
  void handOver.ready.then(() => {
    update.goesOn = true;
    leaving.abort();
  });
  const looking = setInterval(handOver.look, pauseBetweenLooks);
  for (const notice of agent.notices) asked.listening(notice);
  let unused = -patience.first + patience.next;
  while (!leaving.signal.aborted && unused < patience.next) {
    await wait(pauseWhileUsed, leaving.signal);
    unused = agent.connected() > 0 ? 0 : unused + pauseWhileUsed;
    if (unused >= patience.next && !leaving.signal.aborted)
      await Promise.race([agent.whenIdle(), asked.leave]);
    if (agent.connected() > 0) unused = 0;
  }
  clearInterval(looking);
  if (leaving.signal.aborted) await agent.drain(5000);
  await (update.goesOn ? agent.closeNow() : agent[Symbol.asyncDispose]());
  return update.goesOn ? handOver : null;
}

/** Milliseconds between two looks at what is installed. */
const pauseBetweenLooks = 10_000;

/** Milliseconds between two looks at whether an agent is used. */
const pauseWhileUsed = 250;
