import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { describeError } from "../../src/text/describe-error.ts";
import { type NamedSuite, suitesSchema } from "./bench-suite.ts";

/** A case of a file, with its place there, such as `cases.jsonl:12`. */
export type BenchCase<T> = { readonly place: string; readonly value: T };

/** A file of cases that could not be read. The message names the file, the place and the problem. */
export class CaseFileError extends Error {
  override readonly name = "CaseFileError";
}

/** Reads a file as text, gzipped or not: the contents decide, not the name. */
function readBenchFile(file: string): string {
  try {
    const bytes = readFileSync(file);
    const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
    return text.toString("utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new CaseFileError(`${file} could not be read (${describeError(error)}).`, { cause: error });
  }
}

/** Reads the cases of a file in their order: one JSON object a line, or one JSON array. */
export function readCases<T>(file: string, schema: z.ZodType<T>): readonly BenchCase<T>[] {
  const text = readBenchFile(file);
  const entries = text.trimStart().startsWith("[") ? arrayEntries(file, text) : lineEntries(file, text);
  if (entries.length === 0) throw new CaseFileError(`${file} has no case.`);
  return entries.map(({ place, value }) => {
    const parsed = schema.safeParse(value);
    if (!parsed.success)
      throw new CaseFileError(`${place} is not a case of this set (${z.prettifyError(parsed.error)}).`);
    return { place, value: parsed.data };
  });
}

/** Reads a file of suites. */
export function readSuites(file: string): readonly NamedSuite[] {
  const parsed = suitesSchema.safeParse(parseJson(file, readBenchFile(file)));
  if (!parsed.success) throw new CaseFileError(`${file} has no suites (${z.prettifyError(parsed.error)}).`);
  return Object.entries(parsed.data.suites).map(([name, suite]) => ({ name, suite }));
}

function arrayEntries(file: string, text: string): readonly BenchCase<unknown>[] {
  return z
    .array(z.unknown())
    .parse(parseJson(file, text))
    .map((value, index) => ({ place: `${file}[${index}]`, value }));
}

function lineEntries(file: string, text: string): readonly BenchCase<unknown>[] {
  return text.split("\n").flatMap((line, index) => {
    const place = `${file}:${index + 1}`;
    return line.trim() === "" ? [] : [{ place, value: parseJson(place, line) }];
  });
}

function parseJson(place: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CaseFileError(`${place} is not JSON (${describeError(error)}).`, { cause: error });
  }
}
