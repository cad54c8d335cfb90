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
import { isJsonObject, type Json } from "../../signal/json.ts";

/** Files above this size (bytes) are refused: their trees would not fit into memory. */
const largestFile = 33_554_432;

/** How a file's tree is printed. */
export type OrgJsonOptions = FileJsonOptions;

/** A file as it was read, or why it was not, in words. */
export type OrgFileResult =
  | { readonly kind: "read"; readonly source: OrgText }
  | { readonly kind: "unreadable"; readonly problem: string };

/** Reads a file of Org. Any bytes do; what is not UTF-8 is kept as it is. */
export function readOrgFile(path: string): OrgFileResult {
  try {
    const problem = problemOf(path, largestFile);
    if (problem !== null) return { kind: "unreadable", problem };
    return { kind: "read", source: decodeOrgText(readFileSync(path)) };
  } catch (error) {
    return { kind: "unreadable", problem: inWords(error, path) };
  }
}

/** A file's syntax tree and entries as one line of JSON, in pieces. */
export function orgToJson(file: string, source: OrgText, form: FileJsonOptions): Iterable<string> {
  return fileToJson(file, source, form);
}

/** The bytes of a file as they are printed from its syntax tree. */
export function printOrgBytes({ text, eol, bom }: OrgText): Uint8Array {
  return encodeOrgText({ text: printOrg(text, parseOrg(text)), eol, bom });
}

/** Writes pieces one after the other, as fast as they are read. Whoever reads may leave before the end, as `head` does. */
export async function writeChunks(
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  output: NodeJS.WritableStream,
): Promise<void> {
  try {
    await pipeline(Readable.from(pieces, { objectMode: true }), output, { end: false });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "EPIPE" && code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
}

/** A fragment of a file of fragments, or a line that is none. */
export type OrgFragment =
  | { readonly kind: "fragment"; readonly name: string; readonly source: OrgText }
  | { readonly kind: "malformed"; readonly line: number };

/** Why a file of fragments cannot be read, in words; null if it can. */
export function findFragmentFileProblem(path: string): string | null {
  try {
    closeSync(openSync(path, "r"));
    return problemOf(path, Number.POSITIVE_INFINITY);
  } catch (error) {
    return inWords(error, path);
  }
}

/** The fragments of a file: one JSON object a line, `{"n": …, "text": "…"}`. */
export async function* readOrgFragments(path: string): AsyncGenerator<OrgFragment> {
  let number = 0;
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number += 1;
    if (line.trim() === "") continue;
    const value = readJson(line);
    const { n, text } = isJsonObject(value) ? value : {};
    const named = typeof n === "number" || typeof n === "string";
    if (named && typeof text === "string")
      yield { kind: "fragment", name: String(n), source: decodeOrgText(Buffer.from(text)) };
    else yield { kind: "malformed", line: number };
  }
}

function problemOf(path: string, largest: number): string | null {
  const status = statSync(path);
  if (status.isDirectory()) return `${path} is a folder. Name the files in it.`;
  if (!status.isFile()) return `${path} is no file.`;
  if (status.size <= largest) return null;
  return `${path} has ${Math.round(status.size / 1_048_576)} MB, and at most ${largest / 1_048_576} MB are parsed at once. Split it.`;
}

function inWords(error: unknown, path: string): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" || code === "ENOTDIR") return `there is no file ${path}.`;
  if (code === "EACCES" || code === "EPERM") return `you have no right to read ${path}.`;
  if (typeof code === "string") return `${path} cannot be read (${code}).`;
  throw error;
}

function readJson(line: string): Json | undefined {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
