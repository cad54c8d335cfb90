import type { State } from "../../../memory/state/state.ts";
import { requiresForcedIntent } from "../../../signal/effect.ts";
import type { JournalRecord } from "../../../signal/journal-entry.ts";
import type { AppendToJournal } from "../../../turn/step-ports.ts";

/** The journal of the loop. Approvals, rollbacks and intents with an effect on the world (`requiresForcedIntent`) are on the disk when an append resolves. */
export function makeJournalPort({ journal }: Pick<State, "journal">): AppendToJournal {
  return async (given) => {
    const record: JournalRecord = {
      turn: null,
      session: null,
      digest: null,
      effects: [],
      facts: null,
      verdict: null,
      trace: [],
      changes: [],
      detail: {},
      ...given,
    };
    await journal.append(record, { forced: isForced(record) });
  };
}

function isForced({ kind, effects }: JournalRecord): boolean {
  if (kind === "approval" || kind === "rollback") return true;
  return kind === "intent" && effects.some(requiresForcedIntent);
}
