import type { Terminals } from "../../act/shell/terminals.ts";
import type { CommandOverlays } from "../../act/trial/command-overlays.ts";
import { describeError } from "../../signal/describe-error.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import type { Loop } from "../../turn/turn-loop.ts";
import type { AssembledTools } from "./assemble-tools.ts";
import type { LoopResources } from "./loop-resources.ts";

/** What ends with the loop. */
type Ending = Pick<AssembledTools, "external"> & {
  readonly trials: CommandOverlays["trials"];
  readonly terminals: Terminals;
  readonly report: LoopResources["report"];
};

/** Drops what a turn tried and nobody kept when it is over; the end of the loop waits for that, and ends the servers of tools. */
export function endTrials(loop: Loop, { trials, terminals, external, report }: Ending): Loop {
  loop.subscribe((event) => {
    if (isEnd(event))
      trials
        .drop(event.turn)
        .catch((error: unknown) => report(`A trial could not be removed: ${describeError(error)}`));
  });
  return {
    ...loop,
    async drain(milliseconds) {
      await loop.drain(milliseconds);
      await terminals.close();
      await external?.[Symbol.asyncDispose]();
      await trials.close();
    },
  };
}

function isEnd({ type }: LoopEvent): boolean {
  return type === "answered" || type === "blocked" || type === "failed" || type === "stopped";
}
