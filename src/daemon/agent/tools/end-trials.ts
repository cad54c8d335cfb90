import type { Terminals } from "../../../act/shell/terminals.ts";
import type { CommandOverlays } from "../../../act/trial/command-overlays.ts";
import type { TypedSecrets } from "../../../settings/typed-secrets.ts";
import type { LoopEvent } from "../../../signal/loop-event.ts";
import { describeError } from "../../../text/describe-error.ts";
import type { Loop } from "../../../turn/turn-loop.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import type { AssembledTools } from "./assemble-tools.ts";

/** What ends with the loop. */
type Ending = Pick<AssembledTools, "external"> & {
  readonly trials: CommandOverlays["trials"];
  readonly terminals: Terminals;
  readonly typedSecrets: Pick<TypedSecrets, "release">;
  readonly report: LoopResources["report"];
};

/** Drops what a turn tried and nobody kept when it is over, and forgets what was typed in secret into a program that has ended; the end of the loop waits for that, and ends the servers of tools. */
export function endTrials(loop: Loop, { trials, terminals, typedSecrets, external, report }: Ending): Loop {
  loop.subscribe((event) => {
    if (!isEnd(event)) return;
    // What a program that runs was told goes on to count as a key.
    if (terminals.find(event.session)?.terminal.isOver !== false) typedSecrets.release(event.session);
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
