import { closeSync, createReadStream, openSync, readFileSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  decodeOrgText,
  encodeOrgText,
  type FileJsonOptions,
  fileToJson,
  type OrgText,
  parseOrg,
  printOrg,
} from "#org";
import { isJsonObject } from "../../text/json.ts";
import { parseJson } from "../../text/parse-json.ts";

/** Bytes above which a file is refused: its tree would not fit into memory. */
const maxFileBytes = 33_554_432;

/** How a file's syntax tree is printed. */
export type OrgJsonOptions = FileJsonOptions;

/** The text of a file, or a message why it could not be read. */
export type OrgFileResult =
  | { readonly kind: "read"; readonly source: OrgText }
  | { readonly kind: "unreadable"; readonly problem: string };

/** Reads an Org file. Bytes that are not UTF-8 are kept as they are. */
export function readOrgFile(path: string): OrgFileResult {
  try {
    const problem = describeProblem(path, maxFileBytes);
    if (problem !== null) return { kind: "unreadable", problem };
    return { kind: "read", source: decodeOrgText(readFileSync(path)) };
  } catch (error) {
    return { kind: "unreadable", problem: describeError(error, path) };
  }
}

/** A file's syntax tree and entries as one line of JSON, in chunks. */
export function orgToJson(file: string, source: OrgText, form: FileJsonOptions): Iterable<string> {
  return fileToJson(file, source, form);
}

/** Prints a file from its syntax tree. */
export function printOrgBytes({ text, eol, bom }: OrgText): Uint8Array {
  return encodeOrgText({ text: printOrg(text, parseOrg(text)), eol, bom });
}

/** Writes chunks one after the other, as fast as they are read. The reader may close the stream before the end, as `head` does. */
export async function writeChunks(
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  output: NodeJS.WritableStream,
): Promise<void> {
  try {
    await pipeline(Readable.from(chunks, { objectMode: true }), output, { end: false });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "EPIPE" && code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}

/** A fragment, or the number of a line that is not one. */
export type OrgFragment =
  | { readonly kind: "fragment"; readonly name: string; readonly source: OrgText }
  | { readonly kind: "malformed"; readonly line: number };

/** A message why a file of fragments cannot be read; null if it can. */
export function findFragmentFileProblem(path: string): string | null {
  try {
    closeSync(openSync(path, "r"));
    return describeProblem(path, Number.POSITIVE_INFINITY);
  } catch (error) {
    return describeError(error, path);
  }
}

/** Reads the fragments of a file: one JSON object `{"n": …, "text": "…"}` a line. */
export async function* readOrgFragments(path: string): AsyncGenerator<OrgFragment> {
  let number = 0;
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number += 1;
    if (line.trim() === "") continue;
    const value = parseJson(line);
    const { n, text } = isJsonObject(value) ? value : {};
    const named = typeof n === "number" || typeof n === "string";
    if (named && typeof text === "string")
      yield { kind: "fragment", name: String(n), source: decodeOrgText(Buffer.from(text)) };
    else yield { kind: "malformed", line: number };
  }
}

function describeProblem(path: string, largest: number): string | null {
  const status = statSync(path);
  if (status.isDirectory()) return `${path} is a folder. Name the files in it.`;
  if (!status.isFile()) return `${path} is not a regular file.`;
  if (status.size <= largest) return null;
  return `${path} has ${Math.round(status.size / 1_048_576)} MB; at most ${largest / 1_048_576} MB can be parsed. Split it.`;
}

function describeError(error: unknown, path: string): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" || code === "ENOTDIR")
    return `There is no file ${path}. Correct the name, or create the file.`;
  if (code === "EACCES" || code === "EPERM")
    return `You have no permission to read ${path}. Correct its owner or mode.`;
  if (typeof code === "string") return `${path} cannot be read (${code}).`;
  throw error;
}
