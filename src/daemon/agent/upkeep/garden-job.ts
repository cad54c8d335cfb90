import { readWholeFile } from "../../../act/files/contents.ts";
import type { Finding, Repair } from "../../../memory/notes/garden/finding.ts";
import type { State } from "../../../memory/state/state.ts";
import { bottomLabel, joinLabels } from "../../../signal/label.ts";
import { programNotes } from "../../../signal/program-files.ts";
import { reviewFileName } from "../../../signal/review.ts";
import { countOf } from "../../../text/count-of.ts";
import { isJsonObject } from "../../../text/json.ts";
import { pushAll } from "../../../text/lists.ts";
import type { UpkeepJob } from "../../jobs/upkeep-jobs.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import { countProposed, describeProposed, type NewProposal } from "../review/new-proposal.ts";
import type { ReviewInbox } from "../review/review-inbox.ts";
import { makeMemoryPorts } from "../tools/memory-ports.ts";

/** The parts that the gardener needs. */
export type GardenJobParts = Pick<
  LoopResources,
  "state" | "notes" | "privateText" | "semanticIndex" | "policy" | "clock"
>;

/** Checks the notes once a day if they changed, and proposes repairs. */
export function gardenJob(parts: GardenJobParts, review: ReviewInbox): UpkeepJob {
  return {
    name: "garden",
    does: "checks the notes once a day, and proposes repairs in review.org",
    work: (asked) => tendOnceADay(parts, review, asked),
  };
}

/** The most files in one round. */
const mostFiles = 50;

async function tendOnceADay(
  parts: GardenJobParts,
  review: ReviewInbox,
  asked: boolean,
): Promise<string | null> {
  const { state, notes, clock } = parts;
  const now = clock();
  const last = await readLast(state);
  const day = new Date(now).toDateString();
  if (last?.day === day && !asked) return null;
  await notes.ready();
  if (notes.status().indexing !== null || notes.status().missing.length > 0) return null;
  const root = await notes.index.root();
  if (last?.root === root) return null;
  const { tendGarden } = await import("../../../memory/notes/garden/tend-garden.ts");
  const { findings, repairs } = await tendGarden({
    place: notes.place,
    index: notes.index,
    now,
    staleAfter: parts.policy.config.staleTodoAfter,
  });
  const own = repairs.filter(({ file }) => !programNotes.has(file));
  const byKey = new Map([...Map.groupBy(own, ({ file }) => file).values()].map((all) => [keyOf(all), all]));
  await review.withdraw("gardener", [...byKey.keys()]);
  const wanted = await review.notRefused("gardener", [...byKey.keys()]);
  const proposals: NewProposal[] = [];
  for (const key of wanted.slice(0, mostFiles))
    pushAll(proposals, await proposalOf(parts, byKey.get(key) ?? []));
  const outcomes = await review.propose("gardener", proposals);
  await notes.ready();
  await state.gardened.set({ day, root: await notes.index.root() });
  const proposed = countProposed(outcomes);
  const isQuiet = findings.length === 0 && proposed === 0;
  const more = wanted.length - mostFiles;
  const done = [
    describeFindings(findings),
    `${countOf(proposed, "new repair")} proposed`,
    ...(more > 0 ? [`${countOf(more, "file")} more wait for room in ${reviewFileName}`] : []),
  ].join("; ");
  return describeProposed(isQuiet ? null : done, outcomes);
}

async function readLast({
  gardened,
}: State): Promise<{ readonly day: string; readonly root: string } | null> {
  const kept = await gardened.get();
  if (!isJsonObject(kept)) return null;
  const { day, root } = kept;
  return typeof day === "string" && typeof root === "string" ? { day, root } : null;
}

/** The number of findings of each kind. */
function describeFindings(findings: readonly Finding[]): string {
  const counts = Map.groupBy(findings, ({ code }) => code);
  return [...counts].map(([code, all]) => `${all.length} ${code}`).join(", ") || "nothing is out of order";
}

/** The repairs of a file as one change. Empty if they no longer fit the file. */
async function proposalOf(
  parts: GardenJobParts,
  repairs: readonly Repair[],
): Promise<readonly NewProposal[]> {
  const [first] = repairs;
  if (first === undefined) return [];
  const { file, title, line } = first;
  const { applyRepair } = await import("../../../memory/notes/garden/tend-garden.ts");
  const splices = repairs
    .flatMap((repair) => repair.splices)
    .toSorted((one, other) => one.begin - other.begin);
  const applied = applyRepair(parts.notes.place, { file, splices });
  if (applied === null) return [];
  const label = await labelOfNote(parts, applied.path);
  const change = { kind: "files", files: [applied] } as const;
  const why = [...new Set(repairs.map((repair) => repair.why))].join("\n");
  const shown = repairs.length === 1 ? title : `${title}, and ${repairs.length - 1} more in ${file}`;
  return [{ key: keyOf(repairs), title: shown, why, source: `[[file:${file}::${line}]]`, label, change }];
}

/** A key that is the same for the same repairs, wherever their lines are. */
function keyOf(repairs: readonly Repair[]): string {
  return JSON.stringify(
    repairs.map(({ file, title, why, splices }) => [
      file,
      title,
      why,
      ...splices.map(({ insert }) => insert),
    ]),
  );
}

/** The label of the whole note, since a diff also shows lines around the change. */
export async function labelOfNote(
  { state, notes, privateText, semanticIndex, policy }: GardenJobParts,
  path: string,
) {
  const { privacyTags } = policy.config;
  const { origins } = makeMemoryPorts({ state, notes, privateText, semanticIndex, privacyTags });
  const read = await readWholeFile(path);
  const contents = read.ok ? read.value : null;
  const digest = contents?.digest ?? "";
  return joinLabels(
    await origins.inside(path, digest, contents?.bytes),
    (await origins.of([digest])) ?? bottomLabel,
  );
}
