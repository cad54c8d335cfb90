import { type Document, isMap, isNode, isScalar, parseDocument } from "yaml";
import { folderLimits } from "../../signal/folder-limits.ts";
import type { SkillMd } from "../../signal/skill.ts";
import { beginOf } from "../../text/cut-text.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { nearestName } from "../../text/nearest-name.ts";
import { exclusionKey, isToolsKey, limitKey, limitKeyOf, withoutExcluded } from "./limit-keys.ts";
import { quoteOddTexts } from "./quote-odd-texts.ts";

/** A `SKILL.md` as it was read, or what is wrong with it, in words that go on from its name. */
export type ReadSkillMd =
  | { readonly ok: true; readonly skill: SkillMd }
  | { readonly ok: false; readonly problem: string };

const longest = { description: 1024, compatibility: 500 };
/** The keys of the standard. */
const ownKeys: ReadonlySet<string> = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  limitKey,
]);

const notMapping = wrong("the front matter of SKILL.md is not a YAML mapping of names");
const limitTwice = wrong(
  `the front matter of SKILL.md has ${limitKey} twice: keep one of them (tools is another name of it)`,
);
const reading = { maxAliasCount: 0, mapAsMap: true };

/** The standard has small letters and hyphens; many folders have capitals, underscores and dots. */
const folderName = /^[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*$/u;

/** Reads a `SKILL.md` of the Agent Skills standard. `name` is the name of its folder. What differs from the standard without harm is remarked upon. */
export function readSkillMd(name: string, text: string): ReadSkillMd {
  if (name.length > 64 || !folderName.test(name))
    return wrong(
      `the name of its folder has letters and digits, with single hyphens, underscores or dots between them, at most 64 of them${nameFor(name)}`,
    );
  if (name !== name.normalize("NFKC"))
    return wrong(
      `the name of its folder has letters that stand for others: call it ${name.normalize("NFKC")}`,
    );
  if (text.length > folderLimits.text) return wrong(`SKILL.md has more than ${folderLimits.text} characters`);
  const parts = /^\uFEFF?(?:[ \t]*\n)*---[ \t]*\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\n|$)([\s\S]*)$/.exec(
    text.replaceAll("\r\n", "\n"),
  );
  if (parts === null)
    return wrong(
      `SKILL.md does not begin with YAML front matter. Write above its first line: ---, name: ${name}, description: and what it is for, ---, each in a line of its own`,
    );
  const [, head = "", body = ""] = parts;
  if (head.length > folderLimits.head)
    return wrong(`the front matter of SKILL.md has more than ${folderLimits.head} characters`);
  const read = readHead(head);
  if (!read.ok) return wrong(read.problem);
  const { values } = read;
  const description = textOf(values, "description");
  const given = textOf(values, "name");
  const otherKeys = [...values.keys()].filter((key) => !ownKeys.has(key) && key !== exclusionKey);
  const excluded = toolsOf(values.get(exclusionKey));
  return {
    ok: true,
    skill: {
      description: beginOf(description, longest.description),
      license: textOf(values, "license") || null,
      compatibility: textOf(values, "compatibility").slice(0, longest.compatibility) || null,
      metadata: metadataOf(values.get("metadata")),
      allowedTools: withoutExcluded(toolsOf(values.get(limitKey)), excluded),
      otherKeys,
      remarks: [
        ...(description === "" ? ["it has no description, so only its name finds it"] : []),
        ...(description.length > longest.description ? ["its description is cut: it is too long"] : []),
        ...(given === "" ? ["it has no name, so that of its folder counts"] : []),
        ...(given !== "" && given !== name
          ? [`it calls itself ${JSON.stringify(beginOf(given, 64))}; the name of its folder counts`]
          : []),
        ...(excluded !== null && !values.has(limitKey)
          ? [
              `its ${exclusionKey} make each tool ask while it takes part: name the tools that it needs in ${limitKey}`,
            ]
          : []),
        ...otherKeys.flatMap(remarkOn),
      ],
      body: body.trim(),
    },
  };
}

/** A name that may be taken in the place of another. */
function nameFor(name: string): string {
  const words = name.normalize("NFKC").match(/[\p{L}\p{N}]+/gu) ?? [];
  const better = words.join("-").slice(0, 64).replace(/-$/, "");
  return better === "" ? "" : `: call it ${better}`;
}

function wrong(problem: string): ReadSkillMd & { readonly ok: false } {
  return { ok: false, problem };
}

/** A key that was most likely meant as one of the standard: ignored in silence, it would narrow nothing. */
function remarkOn(key: string): readonly string[] {
  if (isToolsKey(key)) return [`its key ${JSON.stringify(key)} counts for nothing beside ${limitKey}`];
  const near = nearestName(key.trim(), [...ownKeys]);
  return near === null
    ? []
    : [`its key ${JSON.stringify(beginOf(key, 64))} counts for nothing: ${near} would`];
}

type Head = ReadonlyMap<string, unknown>;
/** The head of a `SKILL.md`, or what is wrong with it. */
type ReadHead = { readonly ok: true; readonly values: Head } | (ReadSkillMd & { readonly ok: false });

/**
 * The head as texts, lists and mappings of texts: no tag, type or alias of YAML has a meaning. Of a key that
 * stands twice the first counts, but a limit stands once. A key that was meant as a limit is one.
 */
function readHead(head: string): ReadHead {
  if (/^\.\.\.(?:\s|$)/m.test(head))
    return wrong("the front matter of SKILL.md ends at a line of three dots: remove that line");
  const document = parseDocument(quoteOddTexts(head), {
    schema: "failsafe",
    merge: false,
    uniqueKeys: false,
    logLevel: "silent",
  });
  const [error] = document.errors;
  if (error !== undefined) {
    // The head begins in the second line.
    const line = (error.linePos?.[0].line ?? 0) + 1;
    const [words = ""] = error.message.split(/ at line \d+|\n/);
    return wrong(
      `the front matter of SKILL.md cannot be read as YAML: line ${line}: ${escapeInvisible(words)}`,
    );
  }
  try {
    return valuesOf(document);
  } catch (thrown) {
    // An alias: a few of them make gigabytes.
    if (thrown instanceof ReferenceError)
      return wrong("the front matter of SKILL.md has an alias (*name); write the value out");
    throw thrown;
  }
}

function valuesOf(document: Document.Parsed): ReadHead {
  const { contents } = document;
  if (!isMap(contents)) return notMapping;
  const values = new Map<string, unknown>();
  const tools: (readonly [string, unknown])[] = [];
  for (const { key, value } of contents.items) {
    if (!isScalar(key) || typeof key.value !== "string") return notMapping;
    const name = ownKeyOf(key.value);
    const isRead = ownKeys.has(name) || name === exclusionKey;
    const read: unknown = isRead && isNode(value) ? value.toJS(document, reading) : null;
    if (isToolsKey(key.value)) tools.push([key.value.trim(), read]);
    else if (!keep(values, name, read)) return limitTwice;
  }
  // Below `metadata`, where some write it, a limit counts too.
  const metadata = values.get("metadata");
  const inner: readonly (readonly [unknown, unknown])[] = metadata instanceof Map ? [...metadata] : [];
  for (const [key, read] of inner) {
    const name = isToolsKey(String(key)) ? null : limitKeyOf(String(key).trim(), [...ownKeys]);
    if (name !== null && !keep(values, name, read)) return limitTwice;
  }
  const isLimited = toolsOf(values.get(limitKey)) !== null;
  for (const [written, read] of tools)
    if (!keep(values, isLimited ? written : limitKey, read)) return limitTwice;
  return { ok: true, values };
}

/** Keeps the first value of a key; false where the second is another limit. */
function keep(values: Map<string, unknown>, name: string, read: unknown): boolean {
  const before = values.get(name);
  if (before === undefined) values.set(name, read);
  return (
    (name !== limitKey && name !== exclusionKey) ||
    before === undefined ||
    JSON.stringify(before) === JSON.stringify(read)
  );
}

function ownKeyOf(written: string): string {
  const key = written.trim();
  return ownKeys.has(key) ? key : (limitKeyOf(key, [...ownKeys]) ?? key);
}

function textOf(values: Head, key: string): string {
  const value = values.get(key);
  return typeof value === "string" ? value.trim() : "";
}

function metadataOf(value: unknown): SkillMd["metadata"] {
  if (!(value instanceof Map)) return {};
  return Object.fromEntries(
    [...value].filter((pair): pair is [string, string] => pair.every((one) => typeof one === "string")),
  );
}

/**
 * The words of `allowed-tools`, which is a text with spaces or commas between them, or a list; null where it
 * says nothing.
 */
function toolsOf(value: unknown): readonly string[] | null {
  if (value === undefined || value === null || value === "") return null;
  const text = Array.isArray(value) ? value.filter((one) => typeof one === "string").join(" ") : value;
  return typeof text === "string" ? (text.match(/[^\s,()]+(?:\([^)]*\)?)?/g) ?? []) : [];
}
