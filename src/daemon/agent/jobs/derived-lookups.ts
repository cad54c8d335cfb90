import { readWholeFile } from "../../../act/files/contents.ts";
import { followLinks } from "../../../act/files/real-path.ts";
import type { Notes } from "../../../memory/notes/open-notes.ts";
import type { State } from "../../../memory/state/state.ts";
import { makeNoteLookups, type NoteLookups } from "../../commands/note-lookups.ts";
import type { DerivedLookups } from "../../commands/plan-derived.ts";
import type { GrownJobParts } from "./grown-jobs.ts";

/** What looking up needs. `home` stands for `~`. */
type LookupParts = GrownJobParts & {
  readonly notes: Notes;
  readonly state: State;
  readonly home: string;
};

/** What the owner's commands look up of the notes. */
export function makeLookups(parts: LookupParts): NoteLookups & DerivedLookups {
  return { ...makeNoteLookups(parts), ...makeDerivedLookups(parts) };
}

/** Looks up what grew from a source, once the index of the notes is up to date. */
function makeDerivedLookups(parts: LookupParts): DerivedLookups {
  const { notes, state, home } = parts;
  const grownJobs = async () => (await import("./grown-jobs.ts")).makeGrownJobs(parts);
  return {
    jobsFrom: async (isDerived) => (await grownJobs()).jobsFrom(isDerived),
    takeBackJobs: async (jobs) => (await grownJobs()).takeBackJobs(jobs),
    async grownFrom(named) {
      // What the watcher has not told yet counts, too: a note that was missed here would be kept.
      await notes.sync();
      const { findSource } = await import("../../../memory/provenance/find-source.ts");
      const { findDerived } = await import("../../../memory/provenance/find-derived.ts");
      const source = await findSource({ notes, state, home }, named);
      return { source, derived: await findDerived({ notes, state, readFile: bytesOf }, source) };
    },
    async versionsWith(meant) {
      const { findVersions } = await import("../../../memory/provenance/find-versions.ts");
      return findVersions({ notes, state }, meant);
    },
    async nodesOf(path, bytes) {
      const { nodesIn } = await import("../../../memory/notes/labels/label-of-file.ts");
      return (await nodesIn({ path, notes: notes.place }, bytes)).nodes;
    },
    async earlierIn(file, isGrown) {
      const { openEarlier } = await import("../../../memory/provenance/find-earlier.ts");
      return openEarlier({ state, place: notes.place, isGrown }, file);
    },
    pathOfNote: async ({ file }) => (await followLinks(notes.pathOf(file))).path,
  };
}

async function bytesOf(path: string): Promise<Uint8Array | null> {
  const read = await readWholeFile(path);
  return read.ok ? (read.value?.bytes ?? null) : null;
}
