import type { Label } from "../../signal/label.ts";
import type { JsonObject } from "../../text/json.ts";
import { disarmNewConstructs, opensAsOrg } from "../../text/later/disarm.ts";
import { executedLaterContents } from "../../text/later/later-change.ts";
import { asStoredIn, asUtf8 } from "../../text/utf16-text.ts";
import { done, type Fallible, problem } from "./fallible.ts";

/** New contents of a file, with what they could do later. */
export type InertChange = {
  readonly bytes: Uint8Array;
  /** What would have obeyed the constructs that were made inert, in words. */
  readonly disarmed: readonly string[];
  /** Why the contents will be executed or obeyed later; null if they will not. */
  readonly executedLater: string | null;
};

/** A proposed change. `held` is what the owner's files held before: a construct in it is not new. `mode` is that of the existing file. */
export type ArmedChange = {
  readonly path: string;
  readonly held: readonly Uint8Array[];
  readonly after: Uint8Array;
  readonly mode: number;
  /** The label of the words that the change brings in. */
  readonly label: Label;
};

/** Makes what a program would obey inert, where words that are not the owner's come into an Org file, and says what is still executed later. */
export function disarmChange({ path, held, after, mode, label }: ArmedChange): Fallible<InertChange> {
  const texts = held.map(textOf);
  const text = textOf(after);
  const isExecutable = (mode & 0o111) !== 0;
  if (label.integrity === "user" || !opensAsOrg(path, text)) {
    const executedLater = executedLaterContents({ path, held: texts, after: text, isExecutable });
    return done({ bytes: after, disarmed: [], executedLater });
  }
  const inert = disarmNewConstructs(path, texts.join("\n"), text);
  if (inert === null)
    return problem(
      "cannot-disarm",
      `${path}: the new text has constructs that Emacs would run, and they cannot all be made inert. Nothing was written. Leave them out.`,
    );
  const executedLater = executedLaterContents({ path, held: texts, after: inert.text, isExecutable });
  const { disarmed } = inert;
  const bytes = inert.text === text ? after : asStoredIn(after, Buffer.from(inert.text, "latin1"));
  return done({ bytes, disarmed, executedLater });
}

/**
 * Bytes as characters, one each, so that every byte comes back; UTF-16 as its bytes in UTF-8. Constructs are
 * ASCII.
 */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(asUtf8(bytes)).toString("latin1");
}

/** What an outcome says of constructs that were made inert. */
export function describeDisarmed(disarmed: readonly string[]): JsonObject {
  if (disarmed.length === 0) return {};
  return {
    disarmed: `A comma was put into what Emacs would obey (${disarmed.join("; ")}). Only the owner may take it out.`,
  };
}
