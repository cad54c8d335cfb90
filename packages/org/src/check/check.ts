import { propertyOf } from "../outline/inherit.ts";
import type { Outline } from "../outline/outline.ts";
import { scanOutline } from "../outline/scan-outline.ts";
import { parseOrg } from "../syntax/tree.ts";
import { hasRawBytes } from "../text/org-text.ts";
import { checkHeadings } from "./check-headings.ts";
import { checkLines } from "./check-lines.ts";
import { checkLinks, linkEnvironment } from "./check-links.ts";
import { type CheckEnvironment, type CheckedFile, type OrgProblem, quoteExcerpt } from "./check-problem.ts";
import { checkTimestamps } from "./check-timestamps.ts";
import { checkTree } from "./check-tree.ts";

/** A problem with the place that an editor shows: line and column from 1, the column in characters. */
export type LocatedProblem = OrgProblem & {
  readonly path: string;
  readonly line: number;
  readonly column: number;
};

/**
 * All problems of some files, in the order of the files and their text: what Emacs would not read as it is meant, links that lead nowhere, IDs
 * that are there twice. Takes any text. Nothing is evaluated, and nothing outside this machine is asked.
 */
export function checkOrg(files: readonly CheckedFile[], world: CheckEnvironment): readonly LocatedProblem[] {
  const options = { variables: world.variables ?? [] };
  const checked = files.map((file) => ({ ...file, outline: scanOutline(file.source.text, options) }));
  const known = new Map<string, string>();
  const duplicates = checked.map(({ path, outline }) => duplicateIds(path, outline, known));
  const ids = new Set(known.keys());
  return checked.flatMap(({ path, source, outline }, index) => {
    const { names, problems } = checkTree(parseOrg(source.text, options));
    const all = [
      ...checkBytes(source),
      ...checkHeadings(outline),
      ...checkLines(outline),
      ...checkTimestamps(source.text),
      ...problems,
      ...checkLinks(outline, linkEnvironment(path, world, ids, names)),
      ...duplicateCustomIds(outline),
      ...(duplicates[index] ?? []),
    ];
    return place(path, source.text, all);
  });
}

function checkBytes(source: CheckedFile["source"]): readonly OrgProblem[] {
  const zero = source.text.indexOf("\0");
  if (zero !== -1) {
    return [
      {
        at: zero,
        code: "zero-byte",
        message: "the file contains a zero byte, so it is not read as notes. Remove the byte.",
      },
    ];
  }
  if (!hasRawBytes(source)) return [];
  const at = Math.max(source.text.search(/(?<![\uD800-\uDBFF])[\uDC80-\uDCFF]/), 0);
  return [{ at, code: "not-utf-8", message: "this byte is not UTF-8. Save the file as UTF-8." }];
}

/** Finds IDs that this file or an earlier one already has. `known` maps each ID to its first file. */
function duplicateIds(path: string, outline: Outline, known: Map<string, string>): readonly OrgProblem[] {
  return [{ begin: 0, properties: outline.properties }, ...outline.headlines].flatMap(
    ({ begin, properties }) => {
      const id = propertyOf(properties, "ID");
      if (id === null || id === "") return [];
      const first = known.get(id);
      if (first === undefined) known.set(id, path);
      const where = first === path ? "more than once in this file" : `in ${first ?? ""} too`;
      const line = properties?.properties.find(({ name }) => name.toUpperCase() === "ID");
      const at = line?.valueRange.begin ?? begin;
      return first === undefined
        ? []
        : [
            {
              at,
              code: "duplicate-id",
              message: `the ID ${quoteExcerpt(id)} is used ${where}. Give one of the entries another ID.`,
            },
          ];
    },
  );
}

function duplicateCustomIds({ headlines }: Outline): readonly OrgProblem[] {
  const seen = new Set<string>();
  return headlines.flatMap(({ properties }) => {
    const line = properties?.properties.find(({ name }) => name.toUpperCase() === "CUSTOM_ID");
    if (line === undefined || !seen.has(line.value)) {
      seen.add(line?.value ?? "");
      return [];
    }
    const message = `the CUSTOM_ID ${quoteExcerpt(line.value)} is used more than once. Rename one of them.`;
    return [{ at: line.valueRange.begin, code: "duplicate-custom-id", message }];
  });
}

/** Sorts problems by offset and computes their lines and columns. */
function place(path: string, text: string, problems: readonly OrgProblem[]): readonly LocatedProblem[] {
  let line = 1;
  let lineBegin = 0;
  let column = 1;
  let counted = 0;
  return problems
    .toSorted((one, other) => one.at - other.at)
    .map((problem) => {
      for (let feed = text.indexOf("\n", lineBegin); feed !== -1 && feed < problem.at; ) {
        line += 1;
        lineBegin = feed + 1;
        column = 1;
        counted = lineBegin;
        feed = text.indexOf("\n", lineBegin);
      }
      column += [...text.slice(counted, problem.at)].length;
      counted = problem.at;
      return { ...problem, path, line, column };
    });
}
