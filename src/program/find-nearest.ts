import { openOwnSemanticIndex } from "../daemon/agent/models/open-own-semantic-index.ts";
import type { NearestTexts } from "../daemon/agent/resources/agent.ts";
import { makeJournalPort } from "../daemon/agent/resources/journal-port.ts";
import { openKnownPrivateText } from "../daemon/agent/resources/private-passages.ts";
import { connectToDaemon } from "../daemon/remote/connect-to-daemon.ts";
import { openStateForWriting } from "../daemon/serve.ts";
import type { Notes } from "../memory/notes/open-notes.ts";
import type { Policy } from "../settings/policy.ts";
import type { StartContext } from "../settings/start-context.ts";
import { bottomLabel } from "../signal/label.ts";
import { describeError } from "../text/describe-error.ts";

/** What a command that searches by words itself needs to search by meaning too. */
export type FindNearestParts = {
  readonly start: StartContext;
  readonly policy: Policy;
  readonly notes: Notes;
};

/** What is searched for, and how many texts of each kind are wanted. */
export type NearestQuery = { readonly text: string; readonly limit: number };

/**
 * The texts that are nearest in meaning: from the daemon where one runs, else from this process. Either way the request is judged, journalled and paid from the budget of
 * the day. Where it fails, there are none, and `problem` says why.
 */
export async function findNearest(parts: FindNearestParts, query: NearestQuery): Promise<NearestTexts> {
  const { start, policy } = parts;
  try {
    const daemon = await connectToDaemon(start, policy, "cli");
    if (daemon === null) return await findNearestHere(parts, query);
    await using agent = daemon;
    return await agent.findNearest(query.text, query.limit);
  } catch (error) {
    const problem = `Memory was searched by words alone: ${describeError(error)}`;
    return { notes: [], said: [], problem };
  }
}

async function findNearestHere(
  { start, policy, notes }: FindNearestParts,
  { text, limit }: NearestQuery,
): Promise<NearestTexts> {
  const reports: string[] = [];
  const report = (message: string): void => void reports.push(message);
  await using state = await openStateForWriting(policy);
  await using index = await openOwnSemanticIndex({
    policy,
    privateText: openKnownPrivateText({ state, notes, policy, report }),
    state,
    notes,
    clock: Date.now,
    report,
    journal: makeJournalPort(state),
  });
  const near = await index?.nearest(text, bottomLabel, limit);
  for (const message of reports) start.warn?.(message);
  return { notes: [], said: [], ...near, problem: null };
}
