import type { Clock } from "../../text/clock.ts";
import type { BlobStore } from "./blobs.ts";
import type { SessionFiling } from "./file-turns.ts";
import { forget, forgetSession } from "./forget.ts";
import { forgetGrown } from "./forget-grown.ts";
import { forkSession } from "./fork-session.ts";
import type { State } from "./state.ts";

/** What removes texts for good, and what changes sessions as a whole. */
export function openForgetting({
  database,
  sealing,
  filing,
  clock,
}: BlobStore & { readonly filing: SessionFiling; readonly clock: Clock }): Pick<
  State,
  "forget" | "forgetGrown" | "forkSession" | "forgetSession"
> {
  const rows = filing.turns;
  const parts = { rows, clock, forgetSaid: filing.remove, fileAgain: filing.fileAgain };
  return {
    forget: async (what, author) => {
      filing.fileAll();
      return forget({ database, sealing }, what, { ...parts, author });
    },
    forgetGrown: async (what, author) => {
      filing.fileAll();
      return forgetGrown({ database, sealing }, what, { ...parts, author });
    },
    forkSession: async (id) => {
      filing.fileAll();
      return forkSession(database, id, { rows, clock });
    },
    forgetSession: async (what) => {
      filing.fileAll();
      return forgetSession({ database, sealing }, what, parts);
    },
  };
}
