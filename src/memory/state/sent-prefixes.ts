import type { PrefixBreak, SentPrefix, SentPrefixes } from "../../signal/sent-prefix.ts";
import type { Database } from "../storage/database.ts";
import { openKeptList } from "./kept-list.ts";

/** The version of the form of what is kept. */
const version = 1;
/** How many breaks are kept. */
const mostKept = 500;

/** What sessions sent last, and the latest breaks: digests and names alone. */
export function openSentPrefixes(database: Database): SentPrefixes {
  const prefixOf = (session: string) => openKeptList<SentPrefix>(database, keyOf(session), version);
  const kept = openKeptList<PrefixBreak>(database, "prefix-breaks", version);
  return {
    last: async (session) => (await prefixOf(session).all())[0] ?? null,
    save: (session, prefix) => prefixOf(session).save([prefix]),
    breaks: async (since) => (await kept.all()).filter(({ at }) => at >= since),
    addBreak: async (broken) => kept.save([...(await kept.all()), broken].slice(-mostKept)),
  };
}

/**
 * Forgets what every session sent, as a part of the caller's transaction: the digests of a forgotten text may
 * stand in any of them.
 */
export function forgetSentPrefixes(database: Database): void {
  database.run("DELETE FROM meta WHERE key GLOB ?", `${beginOfKey}*`);
}

const beginOfKey = "sent-prefix:";

function keyOf(session: string): string {
  return `${beginOfKey}${session}`;
}
