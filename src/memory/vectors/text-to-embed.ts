import type { NoteNode } from "../../notes/note-node.ts";

/** Longest text in UTF-16 units: many models read 512 tokens. */
const longest = 2000;
const drawer =
  /^[ \t]*:[\w-]+:[ \t]*\r?\n(?:(?!\*+ )(?![ \t]*:END:[ \t]*(?:\r?\n|$)).*\r?\n)*[ \t]*:END:[ \t]*(?:\r?\n|$)/gim;
const planning = /^[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):.*(?:\r?\n|$)/gm;

/** The text that a node's vector is made from: its title and its own text, without drawers and planning lines, cut if it is long. */
export function textToEmbed({ title, level }: Pick<NoteNode, "title" | "level">, ownText: string): string {
  const body = level === 0 ? ownText : ownText.replace(/^.*(?:\r?\n|$)/, "");
  const words = body.replaceAll(drawer, "").replaceAll(planning, "").trim();
  const whole = `${title}\n${words}`.trim();
  return cutToEmbed(whole);
}

/** The beginning of a text, as long as vectors are made from. */
export function cutToEmbed(text: string): string {
  return text.length > longest ? text.slice(0, longest).toWellFormed() : text;
}
