import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Policy } from "../settings/policy.ts";
import type { StartContext } from "../settings/start-context.ts";
import { findOwnBuild } from "../update/own-build.ts";
import type { LocalAgent } from "./agent/local-agent.ts";
import { endHandOver, markHandOver } from "./handing-over.ts";
import { rehearseUpdate, startAnew } from "./start-anew.ts";
import { type UpdateWatch, watchUpdate } from "./watch-update.ts";

/** What an agent that serves needs to notice an update. */
type HandOverParts = {
  readonly start: StartContext;
  readonly policy: Policy;
  readonly agent: Pick<LocalAgent, "whenIdle" | "pauseTurns" | "runsPrograms">;
  /** Tells every client and the log. */
  readonly tell: (text: string | null) => void;
};

/**
 * Watches for an update of an agent that serves. `takeOver` replaces this process by the installed program;
 * everything must be closed before. `giveUp` ends the hand-over where the process is to end instead.
 */
export type HandOver = Pick<UpdateWatch, "look" | "ready"> & {
  readonly takeOver: () => never;
  readonly giveUp: () => void;
};

export function watchForHandOver({ start, policy, agent, tell }: HandOverParts): HandOver {
  const own = findOwnBuild();
  const { environment } = start;
  const { state } = policy.config.places;
  const watch = watchUpdate({
    own,
    tell,
    rehearse: async (other) => (own === null ? null : rehearseUpdate(other, { own, environment })),
    whenIdle: agent.whenIdle,
    pauseTurns: agent.pauseTurns,
    held: () => (agent.runsPrograms() ? programsRun : heldByVault(policy, start)),
    wait: (milliseconds) => pause(milliseconds, undefined, { ref: false }),
  });
  return {
    look: watch.look,
    ready: watch.ready.then((other) => {
      markHandOver(state);
      return other;
    }),
    giveUp: () => endHandOver(state),
    takeOver() {
      if (own === null) throw new Error("what runs on sources hands over to nobody");
      try {
        return startAnew(own, environment);
      } finally {
        endHandOver(state);
      }
    },
  };
}

const programsRun = "the programs on terminals and the sessions of code have ended";

/** A vault that a person unlocked would stay locked after a new start. */
function heldByVault({ config }: Policy, { environment }: StartContext): string | null {
  const { state, keyringEntry } = config.vault.status();
  const isGivenAgain = existsSync(
    join(environment["CREDENTIALS_DIRECTORY"] ?? "", "passepartout-passphrase"),
  );
  return state !== "unlocked" || keyringEntry !== null || isGivenAgain
    ? null
    : "you start it again, or lock the vault, which nobody but you can unlock (passepartout vault lock)";
}
