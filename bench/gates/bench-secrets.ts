import * as z from "zod";
import { loadPolicy } from "../../src/settings/policy.ts";
import { readCases } from "./bench-case-file.ts";
import type { BenchFigure, BenchLine, BenchRun } from "./bench-set.ts";

const caseSchema = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  text: z.string(),
  /** A case without a label counts in no figure. */
  label: z.enum(["secret", "clean"]).optional(),
});

/** Scans labelled texts for secrets. A text is flagged if the scanner finds anything in it. */
export async function* benchSecrets({
  files,
  start,
}: BenchRun): AsyncGenerator<BenchLine, readonly BenchFigure[]> {
  const { scan } = loadPolicy(start.environment);
  const scanned: { readonly label: string | undefined; readonly flagged: boolean }[] = [];
  for (const { place, value } of files.flatMap((file) => readCases(file, caseSchema))) {
    const flagged = scan(value.text).length > 0;
    scanned.push({ label: value.label, flagged });
    yield { set: "secrets", id: value.id ?? place, flagged };
  }
  const share = (wanted: string) => {
    const cases = scanned.filter(({ label }) => label === wanted);
    return { count: cases.filter(({ flagged }) => flagged).length, of: cases.length };
  };
  return [
    { name: "secretsFound", title: "secrets that are found", ...share("secret"), target: "at least 95 %" },
    { name: "cleanFlagged", title: "clean texts that are flagged", ...share("clean"), target: "at most 3 %" },
  ];
}
