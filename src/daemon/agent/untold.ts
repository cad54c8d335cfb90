import type { KeptValue } from "../../memory/state/kept-value.ts";
import { isJsonArray, type Json } from "../../signal/json.ts";

/** What became of work that a process was killed in, until the owner was told, in whatever session. */
export type Untold = {
  /** Adds what this start found or did. */
  readonly add: (words: readonly string[]) => Promise<void>;
  readonly all: () => Promise<readonly string[]>;
  readonly markTold: () => Promise<void>;
};

/** The most that is kept, the newest. */
const mostKept = 20;

/** Opens what the owner was not told yet. */
export function openUntold(kept: KeptValue): Untold {
  const all = async () => textsOf(await kept.get());
  return {
    async add(words) {
      if (words.length > 0) await kept.set([...(await all()), ...words].slice(-mostKept));
    },
    all,
    async markTold() {
      if ((await all()).length > 0) await kept.set([]);
    },
  };
}

function textsOf(value: Json): readonly string[] {
  return isJsonArray(value) ? value.filter((text) => typeof text === "string") : [];
}
