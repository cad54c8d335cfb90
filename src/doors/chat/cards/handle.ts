import { createHash, randomBytes } from "node:crypto";

/** What an answer on a card says. `none`: a reaction was taken back. */
export type CardAnswer = "once" | "no" | "details" | "none";

const letters = { once: "o", no: "n", details: "d" } as const;

/** What stands in place of a handle until a message is given to its service: no handle is on the disk. */
export const blankHandle = "?".repeat(22);

/** A random handle of 132 bits for the buttons of one message. On disk stands its hash alone. */
export function newHandle(): string {
  return randomBytes(17).toString("base64url").slice(0, 22);
}

/** The hash by which a handle is known. */
export function hashHandle(handle: string): string {
  return createHash("sha256").update(handle).digest("base64url");
}

/** What a button holds: 23 bytes, of the 64 that Telegram allows. */
export function buttonData(answer: keyof typeof letters, handle: string): string {
  return `${letters[answer]}${handle}`;
}

/** The same button with a handle. */
export function withHandle(data: string, handle: string): string {
  return `${data.slice(0, 1)}${handle}`;
}

/** What a button held, with its handle hashed, so that a tap can be kept on disk. Empty for anything else. */
export function hashButtonData(data: string): string {
  const [, letter, handle = ""] = /^([ond])([\w-]{22})$/.exec(data) ?? [];
  return letter === undefined ? "" : `${letter}${hashHandle(handle)}`;
}

/** Reads what `hashButtonData` gave; null for anything else. */
export function readButton(hashed: string): { readonly answer: CardAnswer; readonly hash: string } | null {
  const answer = (["once", "no", "details"] as const).find((one) => letters[one] === hashed.slice(0, 1));
  return answer === undefined ? null : { answer, hash: hashed.slice(1) };
}

/**
 * What a reaction says: 👍 yes, 👎 no, in whatever colour of skin; any other asks for the details. Empty where
 * it was taken back.
 */
export function readReaction(emoji: string): CardAnswer {
  const plain = emoji.replaceAll(/[\u{1f3fb}-\u{1f3ff}\u{fe0f}]/gu, "");
  if (plain === "") return "none";
  return plain === "👍" ? "once" : plain === "👎" ? "no" : "details";
}
