import type { Effect } from "../../signal/effect.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";

type Question = Extract<LoopEvent, { readonly type: "approval-required" }>;

/** Formats a question for a person: what would be done and whether it can be undone, why it needs an answer, what the agent says about it, and how to answer. Nothing of what would be done is cut; a note at the end says if it is long. */
export function formatApprovalQuestion(event: Question): string {
  const hours = Math.max(1, Math.round((event.expiresAt - Date.now()) / 3_600_000));
  const payload = JSON.stringify(event.action.payload);
  const explanation = escapeInvisible(shorten(event.action.explanation));
  return [
    "",
    "May I? This would:",
    ...event.effects.map((effect) => `  - ${describeEffect(effect)} (${effect.reversal})`),
    `  because: ${escapeInvisible(event.reason)}`,
    ...(explanation === "" ? [] : [`  The agent says: ${explanation}`]),
    `  in full: ${escapeInvisible(payload)}`,
    ...(payload.length > longPayload
      ? [`  This is long (${payload.length} characters). Scroll up and read it from the top.`]
      : []),
    `Yes: /approve ${event.token}`,
    `No:  /deny ${event.token}      (no answer within ${hours} h means no)`,
    "",
  ].join("\n");
}

/** Characters of a payload above which the question says that it is long. */
const longPayload = 2000;
/** Characters of an explanation that are shown. */
const longestExplanation = 400;

/** Cuts the model's explanation: it decides nothing, so it must not push the effects off the screen. */
function shorten(text: string): string {
  return text.length > longestExplanation ? `${text.slice(0, longestExplanation)}…` : text;
}

/** Describes an effect in words. */
export function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case "read-path":
      return `read the ${effect.access} of ${escapeInvisible(effect.target)}${effect.tree ? " and below" : ""}`;
    case "write-path":
      return `${effect.change} ${escapeInvisible(effect.target)}`;
    case "delete-path":
      return `delete ${escapeInvisible(effect.target)}`;
    case "run-program":
      return `run ${escapeInvisible(effect.argv.map(quoteWord).join(" "))}${effect.confined ? " in the sandbox" : " WITHOUT a sandbox"}`;
    case "reach-host":
      return `reach ${effect.scheme}://${escapeInvisible(effect.target)}:${effect.port}`;
    case "tell-person":
      return `tell ${effect.person} over ${effect.channel}`;
    case "call-model":
      return `ask ${escapeInvisible(effect.target)} (${escapeInvisible(effect.model)})`;
    case "change-memory":
      return `${escapeInvisible(effect.operation)} in memory`;
    case "evaluate":
      return `evaluate ${effect.language}${effect.jailed ? " in the jail" : " OUTSIDE the jail"}`;
  }
}

/** Quotes a word of a command as a shell needs it, so that its borders are visible. */
function quoteWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Escapes characters that are invisible, look like a blank or change the direction, and counts runs of blanks: nothing can hide in a question or pass for a line of it. */
function escapeInvisible(text: string): string {
  return text
    .replaceAll(
      /(?! )[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu,
      (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    )
    .replaceAll(/ {4,}/g, (blanks) => `\\u{20}×${blanks.length}`);
}
