import { existsSync, statSync } from "node:fs";
import { asideName } from "./folder-moves.ts";
import { walkFiles } from "./walk-files.ts";

/** How much a folder or a file holds; `changed` is the time of its newest file. */
export type FolderMeasure = {
  readonly files: number;
  readonly bytes: number;
  readonly changed: number | null;
};

/** Measures what is at a path, without what restores put aside in it. */
export function measurePresent(place: string): FolderMeasure {
  return measure(place, (path) => asideName.test(path));
}

/** Measures all that is at a path; links and sockets count as files of no bytes. */
export function measureAll(place: string): FolderMeasure {
  return measure(place, () => false);
}

function measure(place: string, skip: (path: string) => boolean): FolderMeasure {
  if (!existsSync(place)) return { files: 0, bytes: 0, changed: null };
  const { files, others } = walkFiles(place, { skip });
  const statuses = files.flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? []);
  return {
    files: statuses.length + others.length,
    bytes: statuses.reduce((sum, { size }) => sum + size, 0),
    changed: statuses.reduce<number | null>((newest, { mtimeMs }) => Math.max(newest ?? 0, mtimeMs), null),
  };
}
