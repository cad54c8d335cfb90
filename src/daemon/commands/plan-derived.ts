import { readWholeFile } from "../../act/files/contents.ts";
import { digestOf, sha256 } from "../../machine/digest.ts";
import { cutSections } from "../../memory/provenance/cut-sections.ts";
import type { Derived, KeptText } from "../../memory/provenance/find-derived.ts";
import type { Earlier } from "../../memory/provenance/find-earlier.ts";
import type { Source } from "../../memory/provenance/find-source.ts";
import type { NoteNode } from "../../notes/note-node.ts";
import type { Job } from "../../signal/jobs/job.ts";
import type { Label } from "../../signal/label.ts";
import { beginOf } from "../../text/cut-text.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import type { Json } from "../../text/json.ts";
import type { UndoParts } from "./undo-request.ts";

/** A job whose words grew from a source. */
export type GrownJob = {
  readonly name: string;
  /** Its entry in `jobs.org`, where that grew. */
  readonly entry: string | null;
  /** What it was before it became a reflex, which comes back; null where that is not known, and then it goes. */
  readonly before: { readonly entry: string; readonly job: Job } | null;
  /** Whether it runs by such words. */
  readonly runs: boolean;
};

/** The lookups in notes and state that removing derived texts needs. */
export type DerivedLookups = {
  /** All that grew from a source, as the owner names it. */
  readonly grownFrom: (source: string) => Promise<{ readonly source: Source; readonly derived: Derived }>;
  /** The kept versions of files that hold such words, or have such a label, by their blobs. */
  readonly versionsWith: (meant: Pick<Derived, "isGrown" | "isDerived">) => Promise<readonly string[]>;
  /** The nodes that a note has with these contents. */
  readonly nodesOf: (path: string, bytes: Uint8Array) => Promise<readonly NoteNode[]>;
  /** What each note of a file was before it grew. */
  readonly earlierIn: (
    file: { readonly path: string; readonly bytes: Uint8Array; readonly nodes: readonly NoteNode[] },
    isGrown: Derived["isGrown"],
  ) => Promise<(node: NoteNode) => Promise<Earlier>>;
  /** The jobs whose words all grew from it, and those of which a part did, which stay. */
  readonly jobsFrom: (
    isDerived: (label: Label) => boolean,
  ) => Promise<{ readonly jobs: readonly GrownJob[]; readonly kept: readonly KeptText[] }>;
  /** Takes such jobs out of `jobs.org` and ends them, or puts back what they were; gives what could not be done. */
  readonly takeBackJobs: (jobs: readonly GrownJob[]) => Promise<readonly string[]>;
  /** The real path of a note's file. */
  readonly pathOfNote: (node: Pick<NoteNode, "file">) => Promise<string>;
};

/** A file without its derived texts, and with the earlier texts in their place. `bytes` is null if nothing else was in it. */
export type FileCut = {
  readonly path: string;
  readonly from: Uint8Array;
  readonly bytes: Uint8Array | null;
  readonly headings: readonly string[];
};

/** Everything that would be removed. */
export type DerivedPlan = {
  readonly source: Source;
  readonly derived: Derived;
  /** The real paths of the files of the notes, by the names of these files. */
  readonly paths: ReadonlyMap<string, string>;
  readonly cuts: readonly FileCut[];
  readonly jobs: readonly GrownJob[];
  readonly problems: readonly string[];
};

/** Plans the removal of everything that grew from a source. It changes nothing. */
export async function planDerived(parts: DerivedLookups, named: string): Promise<DerivedPlan> {
  const { source, derived } = await parts.grownFrom(named);
  const cuts: FileCut[] = [];
  const problems: string[] = [];
  const paths = new Map<string, string>();
  for (const { file } of derived.notes) paths.set(file, await parts.pathOfNote({ file }));
  const mixed = new Map<string, KeptText>();
  for (const path of new Set(paths.values())) {
    const read = await readWholeFile(path);
    if (!read.ok) problems.push(read.message);
    if (!read.ok || read.value === null) continue;
    const { cut, kept } = await planCut(parts, derived, { path, bytes: read.value.bytes });
    for (const [words, one] of kept) mixed.set(words, one);
    if (cut !== null) cuts.push(cut);
  }
  for (const { path } of derived.files) {
    const read = await readWholeFile(path);
    if (read.ok && read.value !== null)
      cuts.push({ path, from: read.value.bytes, bytes: null, headings: [] });
  }
  const { jobs, kept } = await parts.jobsFrom(derived.isDerived);
  const left = withoutMixed(derived, mixed);
  return { source, derived: { ...left, kept: [...left.kept, ...kept] }, paths, cuts, jobs, problems };
}

type PlannedCut = {
  readonly cut: FileCut | null;
  /** Texts that stay because they cannot be told from earlier ones, by the hash of their words. */
  readonly kept: ReadonlyMap<string, KeptText>;
};

/** Plans a file of notes without its derived texts. A note that somebody else began gets its earlier text back. */
async function planCut(
  parts: DerivedLookups,
  { notes, isGrown }: Derived,
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array },
): Promise<PlannedCut> {
  const nodes = await parts.nodesOf(path, bytes);
  const wanted = new Set(notes.map(({ words }) => words));
  const meant = nodes.filter(({ words }) => wanted.has(words));
  const lookUp = await parts.earlierIn({ path, bytes, nodes }, isGrown);
  const earlier = new Map<number, string>();
  const kept = new Map<string, KeptText>();
  for (const node of meant) {
    const before = await lookUp(node);
    if (before.kind === "section") earlier.set(placeOf(node), before.text);
    if (before.kind === "mixed") kept.set(node.words, { what: `${node.title} in ${path}`, why: before.why });
  }
  if (meant.every(({ words }) => kept.has(words))) return { cut: null, kept };
  const made = cutSections(bytes, nodes, {
    isCut: ({ words }) => wanted.has(words) && !kept.has(words),
    earlier: (node) => earlier.get(placeOf(node)) ?? null,
  });
  return { cut: { path, from: bytes, ...made }, kept };
}

/** The node of a file and its first heading may begin at the same place. */
function placeOf({ level, begin }: Pick<NoteNode, "level" | "begin">): number {
  return level === 0 ? -1 : begin;
}

function withoutMixed(derived: Derived, mixed: ReadonlyMap<string, KeptText>): Derived {
  const notes = derived.notes.filter(({ words }) => !mixed.has(words));
  return { ...derived, notes, kept: [...derived.kept, ...mixed.values()] };
}

/** A plan as data, with the digest of all of it. */
export function planAsData({ source, derived, cuts, jobs, problems }: DerivedPlan): {
  readonly [key: string]: Json;
} {
  const found = {
    source: source.kind,
    notes: derived.notes.map(({ id, file, title, words, label }) => ({
      id,
      file,
      title,
      words,
      sources: label.sources.map(({ id: from }) => from),
    })),
    memories: derived.memories.map(({ id, hash }) => ({ id, hash })),
    files: cuts.map(({ path, from, bytes }) => ({
      path,
      before: sha256(from),
      after: bytes === null ? null : sha256(bytes),
    })),
    jobs: jobs.map(({ name, entry, before }) => ({
      name,
      entry: entry === null ? null : sha256(entry),
      before: before === null ? null : sha256(before.entry),
    })),
    turns: derived.turns.map(({ id, session }) => ({ id, session })),
    kept: derived.kept.map(({ what, why }) => ({ what, why })),
    problems,
  };
  return { ...found, digest: digestOf(found) };
}

/** Sources outside of the agent that a text names besides the one that is meant. */
function otherSources({ source }: DerivedPlan, { label }: Pick<NoteNode, "label">): readonly string[] {
  return [...new Set(label.sources.map(({ id }) => id))].filter(
    (id) => /^https?:/i.test(id) && !source.keys.has(id),
  );
}

/** A plan in words, and how to go on. */
export function describePlan(
  { policy }: Pick<UndoParts, "policy">,
  named: string,
  plan: DerivedPlan,
): string {
  const { derived, cuts, jobs, problems } = plan;
  const headings = cuts.flatMap(({ path, headings: stay }) =>
    stay.map((title) => `  the heading "${title}" in ${path}: other notes stand below it`),
  );
  const lines = [
    `This grew from ${named}:`,
    ...derived.notes.map((node) => {
      const others = otherSources(plan, node);
      const also = others.length === 0 ? "" : ` (also from ${others.join(", ")})`;
      return `  note ${node.id}: ${node.title} in ${plan.paths.get(node.file) ?? node.file}${also}`;
    }),
    ...derived.memories.map(
      ({ id, content }) => `  memory ${id}: ${content.split("\n", 1)[0]?.slice(0, 100) ?? ""}`,
    ),
    ...derived.files.map(({ path }) => `  file ${path}`),
    ...jobs.map(({ name, before }) =>
      before === null ? `  job ${name}, which ends` : `  job ${name}, which gets its own words again`,
    ),
    ...derived.turns.map(({ id, signal }) => `  texts of turn ${id}: ${beginOf(signal.text, 80)}`),
    ...(cuts.length === 0 ? [] : ["These files change; every other byte of them stays:"]),
    ...cuts.map(({ path, from, bytes }) =>
      bytes === null
        ? `  ${path} is deleted: nothing else is in it`
        : `  ${path}: ${from.length} bytes, then ${bytes.length}`,
    ),
    ...(headings.length === 0 ? [] : ["These headings stay:", ...headings]),
    ...keptLines(plan),
    ...problems,
    `Nothing was done. \`/forget --derived-from ${named} --undoable\` takes back notes, memories and files, and /undo brings them back; \`--for-good\` in its place deletes them, the jobs, the texts of the turns and all that was kept.`,
  ];
  return lines.map((line) => escapeInvisible(policy.filter(line))).join("\n");
}

/** A description of the derived texts that stay. */
export function keptLines({ derived }: DerivedPlan): readonly string[] {
  if (derived.kept.length === 0) return [];
  return ["This stays:", ...derived.kept.map(({ what, why }) => `  ${what}: ${why}`)];
}
