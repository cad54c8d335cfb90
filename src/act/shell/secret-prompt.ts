import { execFile } from "node:child_process";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeError } from "../../text/describe-error.ts";
import { type FirstProcess, hasEnded } from "./first-process.ts";
import { secretWordsOfLanguages } from "./secret-words.ts";

/** Whether a program asks for what nobody is to see: it does not, it does, or nobody can tell, and why. Only `none` lets anybody but the owner type. */
export type SecretPrompt =
  | { readonly kind: "none" | "hidden" }
  | { readonly kind: "unknown"; readonly reason: string };

/** Where processes are looked up, and the program that tells the modes of a terminal. */
export type PromptLooks = { readonly processes: string; readonly stty: string };

/** Terminals of a program that are looked at, and milliseconds in which one has to answer. */
const mostTerminals = 16;
const patience = 10_000;

/**
 * Finds out whether a program, or one on a terminal that it made, hides what is typed: it switched off that typed words are shown, and does not
 * show them itself. `row`: where its cursor stands. A look that fails is `unknown`; a terminal that is gone by then is none.
 */
export async function findSecretPrompt(
  first: FirstProcess,
  row: string,
  { processes, stty }: PromptLooks,
): Promise<SecretPrompt> {
  const folder = join(processes, String(first.pid), "root", "dev", "pts");
  const names = await readdir(folder).catch(describeError);
  const isOver = await hasEnded(first, processes);
  if (isOver) return { kind: "none" };
  if (typeof names === "string") return unknown(`its terminals cannot be seen in ${processes}: ${names}`);
  const terminals = names.filter((name) => /^\d+$/.test(name));
  if (terminals.length === 0) return unknown("it has no terminal at the moment");
  if (terminals.length > mostTerminals)
    return unknown(`it has ${terminals.length} terminals, and at most ${mostTerminals} are looked at`);
  const found = await Promise.all(terminals.map((name) => promptOn(join(folder, name), row, stty)));
  return (
    found.find(({ kind }) => kind === "hidden") ??
    found.find(({ kind }) => kind === "unknown") ?? { kind: "none" }
  );
}

function unknown(reason: string): SecretPrompt {
  return { kind: "unknown", reason };
}

async function promptOn(terminal: string, row: string, stty: string): Promise<SecretPrompt> {
  const options = { timeout: patience, env: { LC_ALL: "C" } };
  const said = await promisify(execFile)(stty, ["-a", "-F", terminal], options).catch(describeError);
  const modes = typeof said === "string" ? [] : said.stdout.split(/[\s;]+/);
  if (modes.includes("echo")) return { kind: "none" };
  if (modes.includes("-echo"))
    return { kind: modes.includes("icanon") || namesSecret(row) ? "hidden" : "none" };
  if (await isGone(terminal)) return { kind: "none" };
  const problem = typeof said === "string" ? said.trim().split("\n").at(-1) : "its answer has no modes";
  return unknown(`${stty} (package coreutils) cannot tell the modes of a terminal: ${problem}`);
}

async function isGone(path: string): Promise<boolean> {
  const found = await lstat(path).catch((fault: unknown) => fault);
  return found instanceof Error && "code" in found && found.code === "ENOENT";
}

/** What programs ask for that read key by key, so that only their words tell. */
const secretPattern = new RegExp(`${secretWordsOfLanguages}|\\b(?:pin|otp|2fa)\\b`, "iu");

function namesSecret(row: string): boolean {
  return secretPattern.test(row.normalize("NFC"));
}
