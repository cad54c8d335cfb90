import type { Effect } from "../../signal/effect.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";

type Question = Extract<LoopEvent, { readonly type: "approval-required" }>;

/** The question as a person reads it: what would be done and whether it can be taken back, why it asks, what the agent says of it, and how to answer. Nothing that is done is cut; where that is long, the end of the question says so. */
export function formatApprovalQuestion(event: Question): string {
  const hours = Math.max(1, Math.round((event.expiresAt - Date.now()) / 3_600_000));
  const payload = JSON.stringify(event.action.payload);
  const words = plain(shortened(event.action.explanation));
  return [
    "",
    "May I? This would:",
    ...event.effects.map((effect) => `  - ${describeEffect(effect)} (${effect.reversal})`),
    `  because: ${plain(event.reason)}`,
    ...(words === "" ? [] : [`  The agent says: ${words}`]),
    `  in full: ${plain(payload)}`,
    ...(payload.length > long
      ? [`  This is long (${payload.length} characters): read it from its top.`]
      : []),
    `Yes: /approve ${event.token}`,
    `No:  /deny ${event.token}      (no answer within ${hours} h means no)`,
    "",
  ].join("\n");
}

const long = 2000;
const longestExplanation = 400;

/** The model's own reason decides nothing: however long it is, it does not push away what would be done. */
function shortened(text: string): string {
  return text.length > longestExplanation ? `${text.slice(0, longestExplanation)}…` : text;
}

/** One effect in words. */
export function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case "read-path":
      return `read the ${effect.access} of ${plain(effect.target)}${effect.tree ? " and below" : ""}`;
    case "write-path":
      return `${effect.change} ${plain(effect.target)}`;
    case "delete-path":
      return `delete ${plain(effect.target)}`;
    case "run-program":
      return `run ${plain(effect.argv.map(word).join(" "))}${effect.confined ? " in the sandbox" : " WITHOUT a sandbox"}`;
    case "reach-host":
      return `reach ${effect.scheme}://${plain(effect.target)}:${effect.port}`;
    case "tell-person":
      return `tell ${effect.person} over ${effect.channel}`;
    case "call-model":
      return `ask ${plain(effect.target)} (${plain(effect.model)})`;
    case "change-memory":
      return `${plain(effect.operation)} in memory`;
    case "evaluate":
      return `evaluate ${effect.language}${effect.jailed ? " in the jail" : " OUTSIDE the jail"}`;
  }
}

/** One word of a command with its borders, quoted as a shell would need it. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Whatever shows as nothing, as a blank that is none, or turns the direction is spelled out, and a run of blanks is counted, so that nothing can hide in a question or look like a line of it. */
function plain(text: string): string {
  return text
    .replaceAll(
      /(?! )[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu,
      (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    )
    .replaceAll(/ {4,}/g, (blanks) => `\\u{20}×${blanks.length}`);
}
