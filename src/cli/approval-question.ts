import type { Effect } from "../signal/effect.ts";
import type { LoopEvent } from "../signal/loop-event.ts";

type Question = Extract<LoopEvent, { readonly event: "approval-required" }>;

/** The question as a person reads it: what would be done, why it asks, whether it can be taken back, and how to answer. */
export function approvalQuestion(event: Question): string {
  const hours = Math.max(1, Math.round((event.expiresAt - Date.now()) / 3_600_000));
  return [
    "",
    `May I? ${plain(event.action.explanation)}`,
    ...event.effects.map((effect) => `  - ${describe(effect)} (${effect.reversal})`),
    `  because: ${plain(event.reason)}`,
    `  in full: ${plain(JSON.stringify(event.action.payload))}`,
    `Yes: /approve ${event.token}`,
    `No:  /deny ${event.token}      (no answer within ${hours} h means no)`,
    "",
  ].join("\n");
}

/** One effect in words. */
export function describe(effect: Effect): string {
  switch (effect.kind) {
    case "read-path":
      return `read the ${effect.access} of ${plain(effect.target)}${effect.tree ? " and below" : ""}`;
    case "write-path":
      return `${effect.change} ${plain(effect.target)}`;
    case "delete-path":
      return `delete ${plain(effect.target)}`;
    case "run-program":
      return `run ${plain(effect.argv.join(" "))}${effect.confined ? " in the sandbox" : " WITHOUT a sandbox"}`;
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

/** Control and direction characters made visible, so that nothing can hide in a question. */
function plain(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
