import { sha256 } from "../../../machine/digest.ts";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import { success } from "../../../signal/tool.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import { contentsOf } from "./attach-file.ts";

/** A file that came by a door, for the next words of a session. */
export type ReceivedFile = { readonly session: string; readonly name: string; readonly bytes: Uint8Array };

/** The id under which a file is kept, or why it is not. */
export type ReceivedResult =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Keeps a file that came by a door as one that is attached to the next words of its session. What it holds is
 * content: it orders nothing and licenses nothing.
 */
export async function attachBytes(
  { state, policy, privateText }: Pick<LoopResources, "state" | "policy" | "privateText">,
  { session, name, bytes }: ReceivedFile,
): Promise<ReceivedResult> {
  // A name is words of others, and a refusal may stand in the owner's words.
  const contents = await contentsOf("it", bytes);
  if (!contents.ok) return { ok: false, reason: contents.message };
  const text = policy.maskKeys(contents.text);
  const digest = sha256(bytes);
  const received: Label = {
    ...bottomLabel,
    integrity: "untrusted",
    sources: [{ id: digest, path: "/bytes" }],
  };
  const label = joinLabels(received, await privateText.labelOfOutcome(success({ text }), false));
  if (label.secrecy === "secret")
    return { ok: false, reason: "it holds secret text, which is given to no model" };
  const file = { digest, name, path: name, bytes: bytes.length, ...contents.about };
  const kept = await state.attachments.keep(session, { file, text, label }, bytes);
  return kept ? { ok: true, id: digest } : { ok: false, reason: "there is no room for it" };
}
