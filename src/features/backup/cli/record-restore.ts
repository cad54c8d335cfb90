import { makeJournalPort } from "../../../daemon/agent/resources/journal-port.ts";
import { openStateForWriting } from "../../../daemon/serve.ts";
import { loadPolicy } from "../../../settings/policy.ts";
import type { StartContext } from "../../../settings/start-context.ts";
import { resolveLinks } from "../../../settings/user-folders.ts";
import { describeError } from "../../../text/describe-error.ts";

/**
 * Journals that folders were restored, or that this was taken back, in the state that is there now, and ends
 * what was unfinished in a restored one; not where that state was left alone. Gives what it ended, and why
 * it could not, in words.
 */
export async function recordRestore(
  { environment }: StartContext,
  detail: { readonly event: "restored" | "restore-undone"; readonly places: readonly string[] },
): Promise<{ readonly ended: readonly string[]; readonly problem: string | null }> {
  try {
    const policy = loadPolicy(environment);
    if (!detail.places.includes(resolveLinks(policy.config.places.state)))
      return { ended: [], problem: null };
    await using state = await openStateForWriting(policy);
    await makeJournalPort(state)({ kind: "note", detail });
    return { ended: await state.endRestored(), problem: null };
  } catch (error) {
    return { ended: [], problem: `This is done, but not in the journal: ${describeError(error)}` };
  }
}
