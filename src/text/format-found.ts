/** Something that a search of memory found. `file` is null for what is no note; `match` is the line that matches best. */
export type FoundText = {
  readonly id: string;
  readonly title: string;
  readonly file: string | null;
  readonly match: string;
};

/** A search result for a person: ID, title and file, and below them the line that matches, where it says more than the title. */
export function formatFound({ id, title, file, match }: FoundText): string {
  const head = `${id}  ${title}${file === null ? "" : `  (${file})`}`;
  return match === "" || match.replace(/^\*+ /, "").startsWith(title) ? head : `${head}\n    ${match}`;
}
