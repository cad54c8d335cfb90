import { join } from "node:path";
import { readWholeFile } from "../../../act/files/contents.ts";
import { addToDay, type ClaimGroup } from "../../../memory/scribe/day-note.ts";
import type { Claim } from "../../../memory/scribe/triage.ts";
import type { Policy } from "../../../settings/policy.ts";
import { bottomLabel, joinAll } from "../../../signal/label.ts";
import type { KeptProposal } from "../../../signal/review.ts";
import { countOf } from "../../../text/count-of.ts";
import { localTime } from "../resources/local-day.ts";
import { idOfKey } from "../review/keep-proposals.ts";
import type { NewProposal } from "../review/new-proposal.ts";

/** The parts that proposing the notes of a day needs. `by`: the name of the proposer; `earlier`: all its proposals. */
export type DayParts = {
  readonly by: string;
  readonly policy: Pick<Policy, "folders" | "config">;
  readonly earlier: readonly KeptProposal[];
};

/**
 * Proposes the claims of a day that the owner has not decided on, together with the waiting ones, as one proposal. Decided claims keep their decision; later
 * ones make a proposal of their own. Empty if no claim is left.
 */
export async function proposeDay(
  { policy, by, earlier }: DayParts,
  group: ClaimGroup,
  drafts: ReadonlyMap<Claim, string>,
): Promise<readonly NewProposal[]> {
  const path = join(policy.folders.notes, group.file);
  const read = await readWholeFile(path);
  if (!read.ok) return [];
  const before = read.value?.bytes ?? null;
  const decided = earlier.filter(({ state }) => state !== "open").flatMap((one) => diffsOf(one, path));
  const known = [Buffer.from(before ?? []).toString(), ...decided];
  const claims = group.claims.filter(({ entry }) => !known.some((text) => text.includes(`[[said:${entry}]`)));
  if (claims.length === 0) return [];
  const style = { privateTag: policy.config.privacyTags[0] ?? null, drafts, timeOf: localTime };
  const after = addToDay(before, { ...group, claims }, style);
  return [
    {
      key: keyOf(group.file, by, earlier),
      title: `Notes of ${group.day}: ${countOf(claims.length, "claim")}`,
      why: "A rule says that these lines of what was said and done may be worth keeping.",
      source: [...new Set(claims.map(({ entry }) => `[[said:${entry}]]`))].slice(0, 20).join(" "),
      madeFrom: claims.map(({ entry }) => entry),
      label: joinAll([...claims.map(({ label }) => label), { ...bottomLabel, integrity: "agent" }]),
      change: { kind: "files", files: [{ path, before, after }] },
    },
  ];
}

function diffsOf({ change }: KeptProposal, path: string): readonly string[] {
  return change.kind === "none"
    ? []
    : change.files.filter((file) => file.path === path).map(({ diff }) => diff);
}

/** The first key of a file that no decided proposal has. */
function keyOf(file: string, by: string, earlier: readonly KeptProposal[]): string {
  const decided = new Set(earlier.filter(({ state }) => state !== "open").map(({ id }) => id));
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? file : `${file} ${number}`;
    if (!decided.has(idOfKey(by, key))) return key;
  }
}
