import type { Effect } from "../signal/effect.ts";
import { configuredKeyRule, type Finding, privateTextRule } from "../signal/facts.ts";
import { type Json, piecesIn, textsIn } from "../text/json.ts";
import { pushAll } from "../text/lists.ts";
import type { Preparer } from "./preparer-parts.ts";

const carriers: ReadonlySet<Effect["kind"]> = new Set([
  "write-path",
  "run-program",
  "reach-host",
  "tell-person",
  "call-model",
  "change-memory",
  "use-service",
]);

/** The effects by which text leaves this machine. */
export const leaving: ReadonlySet<Effect["kind"]> = new Set([
  "reach-host",
  "tell-person",
  "call-model",
  "use-service",
]);

/** The secrets and private passages in what an action carries, by the effect that would carry them. */
export function findings(
  { parts }: Preparer,
  carried: readonly Json[],
  effects: readonly Effect[],
): readonly Finding[] {
  const { scan, privateText } = parts;
  const texts = carried.flatMap((value) => textsIn(value));
  const joined = carried.flatMap(piecesIn).map((pieces) => pieces.join("\n"));
  const found = (find: (text: string) => readonly string[]) =>
    texts.flatMap(({ path, text }) => [...new Set(find(text))].map((rule) => ({ rule, where: path })));
  const secrets = found((text) => scan(text).map(({ rule }) => rule));
  if (secrets.length === 0) pushAll(secrets, keysAcross(joined, parts));
  const masks = found(masksIn);
  const leaves = effects.some(({ kind }) => leaving.has(kind));
  const passages = texts
    .filter(({ text }) => leaves && privateText.holdsPrivate(text))
    .map(({ path }) => ({ rule: privateTextRule, where: path }));
  if (leaves && passages.length === 0 && joined.some((text) => privateText.holdsPrivate(text)))
    passages.push({ rule: privateTextRule, where: "" });
  return effects.flatMap(({ kind }, effectIndex) => [
    ...(carriers.has(kind) ? secrets.map((finding) => ({ ...finding, effectIndex })) : []),
    // A person may be told that there is a mask.
    ...(carriers.has(kind) && kind !== "tell-person"
      ? masks.map((finding) => ({ ...finding, effectIndex }))
      : []),
    ...(leaving.has(kind) ? passages.map((finding) => ({ ...finding, effectIndex })) : []),
  ]);
}

/** A configured key whose parts stand in several texts of an action, one behind the other. */
function keysAcross(joined: readonly string[], { scan }: Preparer["parts"]) {
  const isKey = (text: string): boolean => scan(text).some(({ rule }) => rule === configuredKeyRule);
  return joined.some(isKey) ? [{ rule: configuredKeyRule, where: "" }] : [];
}

/**
 * The rules of the secrets that a text had: what carries a mask was made from a secret, and would write the
 * mask in its place.
 */
function masksIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/\[masked: ([a-z0-9-]{1,60})\]/g), ([, rule = ""]) => rule);
}
