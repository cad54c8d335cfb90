import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeOrgText } from "#org";

/** A node of Emacs's syntax tree, as the oracle prints it. */
export type GoldenNode = {
  readonly type: string;
  readonly begin?: number;
  readonly end?: number;
  readonly children?: readonly GoldenNode[];
  readonly title?: readonly GoldenNode[];
  readonly scheduled?: GoldenNode;
  readonly deadline?: GoldenNode;
  readonly closed?: GoldenNode;
  readonly [key: string]: unknown;
};

/** What Emacs makes of a text. */
export type Golden = {
  readonly file: string;
  readonly todoKeywords: readonly string[];
  readonly doneKeywords: readonly string[];
  readonly filetags: readonly string[];
  readonly ast: GoldenNode;
  readonly entries: readonly Readonly<Record<string, unknown>>[];
};

const data = join(import.meta.dirname, "../../../shared/data/org");

/** Why there are no goldens; false if there are. */
export const noGoldens = existsSync(join(data, "golden.tar.gz"))
  ? false
  : "the test data in ../shared/data is not on this machine";

/** All goldens of whole files and of fragments, with the text that they are of. */
export function readGoldens(): readonly { readonly text: string; readonly golden: Golden }[] {
  return withArchives((folder) => [
    ...wholeFiles(folder).map(({ bytes, golden }) => ({ text: decodeOrgText(bytes).text, golden })),
    ...fragments(join(folder, "snippets", "shared")),
  ]);
}

/** The goldens of whole files, with their bytes. */
export function readWholeGoldens(): readonly { readonly bytes: Buffer; readonly golden: Golden }[] {
  return withArchives(wholeFiles);
}

function withArchives<T>(read: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "org-goldens-"));
  try {
    for (const archive of ["golden.tar.gz", "snippets.tar.gz"]) {
      execFileSync("tar", ["-xzf", join(data, archive), "-C", folder]);
    }
    return read(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function wholeFiles(folder: string) {
  return [
    ...goldensOf(join(folder, "golden", "shared"), join(data, "corpus")),
    ...goldensOf(join(folder, "golden", "synthetic"), join(data, "synthetic")),
  ];
}

function goldensOf(goldens: string, texts: string) {
  return readdirSync(goldens).map((name) => ({
    bytes: readFileSync(join(texts, name.replace(/\.json$/, ""))),
    golden: parseGolden(readFileSync(join(goldens, name), "utf8")),
  }));
}

function fragments(folder: string) {
  const lines = (name: string) => readFileSync(join(folder, name), "utf8").trim().split("\n");
  const texts = new Map(
    lines("org-tests.jsonl").map((line) => {
      const { n, text } = parseFragment(line);
      return [`${n}`, text];
    }),
  );
  return lines("org-tests.golden.jsonl").map((line) => {
    const golden = parseGolden(line);
    return { text: decodeOrgText(Buffer.from(texts.get(golden.file) ?? "")).text, golden };
  });
}

function parseFragment(line: string): { readonly n: number; readonly text: string } {
  return JSON.parse(line);
}

function parseGolden(line: string): Golden {
  return JSON.parse(line);
}
