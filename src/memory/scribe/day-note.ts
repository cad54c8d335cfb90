import { joinAll, type Label } from "../../signal/label.ts";
import { disarmNewConstructs } from "../../text/later/disarm.ts";
import { type Claim, type ClaimKind, claimKinds } from "./triage.ts";

/** Claims of one day with the same integrity and secrecy, and the note that they go into. */
export type ClaimGroup = {
  /** `2026-11-23` */
  readonly day: string;
  /** Path in the notes folder, such as `daily/2026-11-23.org`. */
  readonly file: string;
  readonly claims: readonly Claim[];
  readonly label: Label;
};

/**
 * Groups claims by day and label. Each label has a note of its own, so that words of others are not mixed with the owner's, nor private words with public
 * ones.
 */
export function groupClaims(
  claims: readonly Claim[],
  dayOf: (claim: Claim) => string,
): readonly ClaimGroup[] {
  const groups = new Map<string, { day: string; claims: Claim[] }>();
  for (const claim of claims) {
    const { integrity, secrecy } = claim.label;
    const day = dayOf(claim);
    const of = integrity === "untrusted" ? "-others" : "";
    const file = `daily/${day}${of}${secrecy === "public" ? "" : "-private"}.org`;
    const group = groups.get(file) ?? { day, claims: [] };
    groups.set(file, group);
    group.claims.push(claim);
  }
  return [...groups].map(([file, group]) => ({
    ...group,
    file,
    label: joinAll(group.claims.map(({ label }) => label)),
  }));
}

const titles: Readonly<Record<ClaimKind, string>> = {
  decision: "Decisions",
  fact: "Told",
  promise: "Promised",
  question: "Left open",
  change: "Changed",
};

/** The style of the claims in a note. */
export type DayNoteStyle = {
  /** The tag that makes a text private. */
  readonly privateTag: string | null;
  /** Sentences of a model in place of what was said, by the claim. */
  readonly drafts: ReadonlyMap<Claim, string>;
  readonly timeOf: (at: number) => string;
};

/**
 * Adds the claims of a group to the end of the note of a day. Every byte before stays. Each claim links to its line as `said:ID`, and words of others name their
 * source. No words become a heading, a keyword or a drawer.
 */
export function addToDay(current: Uint8Array | null, group: ClaimGroup, style: DayNoteStyle): Uint8Array {
  const { privateTag } = style;
  const isPrivate = group.label.secrecy !== "public";
  const tags = isPrivate && privateTag !== null ? ` :${privateTag}:` : "";
  const origin = group.label.integrity === "user" ? "agent" : group.label.integrity;
  const before = Buffer.from(current ?? []);
  const head = before.length === 0 ? `#+TITLE: ${group.day}\n\n` : before.at(-1) === 10 ? "" : "\n";
  const sections = claimKinds.flatMap((kind) => {
    const own = group.claims.filter((claim) => claim.kind === kind);
    return own.length === 0 ? [] : [`** ${titles[kind]}`, ...own.flatMap((claim) => linesOf(claim, style))];
  });
  const entry = [
    `* What was said and done${tags}`,
    ":PROPERTIES:",
    `:ORIGIN:   ${origin}`,
    ":END:",
    ...sections,
    "",
  ].join("\n");
  const inert = disarmNewConstructs(group.file, "", entry)?.text ?? entry;
  return Buffer.concat([before, Buffer.from(`${head}${inert}`)]);
}

function linesOf(claim: Claim, { drafts, timeOf }: DayNoteStyle): readonly string[] {
  const { text, entry, at, label, kind } = claim;
  const draft = drafts.get(claim);
  const words = kind === "change" ? `=${inert(text)}=` : inert(draft ?? text);
  const link = `[[said:${entry}][${at === null ? "said" : timeOf(at)}]]`;
  const pages = [
    ...new Set(label.sources.map(({ id }) => id).filter((id) => /^(?:https?:|\/|skill:)/.test(id))),
  ];
  const from =
    label.integrity === "untrusted" && pages.length > 0 ? `  From: ${inert(pages.join(" "))}` : null;
  const said = draft === undefined || draft === text ? null : `  Said: ${inert(text)}`;
  return [`- ${words} ${link}`, ...[said, from].filter((line) => line !== null)];
}

function inert(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "�")
    .replaceAll("[[", "[ [")
    .replaceAll("]]", "] ]")
    .trim();
}
