/**
 * What would pass in place of an act that is asked about or blocked, by the code of the objection: a source that is known, a smaller scope, a draft. It goes back to the
 * model with the reason. Null: nothing would, or the reason says it itself.
 */
const remedies: ReadonlyMap<string, string | null> = new Map([
  ["read-outside", "names pass anywhere, and contents in the workspace and the notes"],
  ["read-around-own", "a folder inside of it passes"],
  ["write-outside", "write it into the workspace, and tell the owner where it belongs"],
  ["write-executed-later", "write a draft under another name, and tell the owner where it belongs"],
  ["write-lost-notes", null],
  ["write-final", "write a new file beside it"],
  ["delete-executed-later", "leave it, and name it to the owner"],
  ["delete-outside", "leave it, and name it to the owner"],
  ["delete-final", "leave it, and name it to the owner"],
  ["delete-existing", "leave it, and name it to the owner"],
  ["delete-home", null],
  ["malformed-path", null],
  ["own-folder", "tell the owner what to set"],
  ["secret-path", "work without its contents; the owner can put in what is needed"],
  ["unproved-program", "commands that only read pass, and so do the tools for files"],
  ["unconfined-program", "commands that only read pass, and so do the tools for files"],
  ["planted-program", "the system's own programs pass where they only read"],
  ["shadowed-program", "the tools for files pass"],
  ["uses-credential", null],
  ["empty-program", null],
  ["malformed-program", null],
  ["hidden-character", "write it without such characters"],
  ["hidden-characters", null],
  ["destruction", null],
  ["extent", "a smaller scope passes: only what the owner's words name, one by one"],
  ["malformed-extent", null],
  [
    "reach-host",
    "an address passes that the owner typed, or that is a link in a file or page that they named",
  ],
  ["reach-private-host", null],
  ["malformed-host", null],
  ["metadata-host", null],
  [
    "foreign-value",
    "a value passes that the owner's words name, or a contact or record that they name; or make a draft in place of a send",
  ],
  ["foreign-link", "it passes without addresses that the owner's words do not name"],
  ["impossible-flow", null],
  ["service-act", "reading passes; or make a draft, and ask the owner what they want done"],
  ["tools-changed", null],
  ["server-asks", null],
  ["tell-person", "reply to the owner with a draft of it"],
  ["foreign-session", null],
  ["not-public", null],
  ["unproved", null],
  ["asked-by-another", null],
  ["secret-leaves", null],
  ["secret-kept", "write the name of the secret in its place"],
  ["secret-remembered", "write the name of the secret in its place"],
  ["private-leaves", "say it without the private passages"],
  ["lifts-privacy", "keep the tag or mark with the words"],
  ["exposes-secret", "leave it encrypted"],
  ["change-files-memory", null],
  ["drop-undo", null],
  ["flight-plan", null],
  ["change-setting", null],
  ["unjailed", "`eval` runs JavaScript in the jail"],
  ["breaks-syntax", null],
  ["not-declared", null],
  ["not-allowed-by-skill", "answer with what the allowed tools gave"],
  ["not-delegated", null],
  ["outside-sub-task", "stay in the folder of the sub-task"],
  ["sub-task-speaks", "say it in your answer"],
  ["taught", null],
  ["repetition", null],
  ["tool-denied", null],
  ["tool-asks", null],
  ["unexplained", null],
  ["malformed", null],
  ["no-target", null],
  ["over-budget", null],
  ["unhealthy", null],
]);

/** Remedies that are told at once. */
const mostTold = 3;

/** What would pass in place of an act with these objections, as one sentence; null where nothing is known to. */
export function remedyFor(codes: readonly string[]): string | null {
  const told = [...new Set(codes.flatMap((code) => remedies.get(code) ?? []))].slice(0, mostTold);
  return told.length === 0 ? null : `What passes instead: ${told.join("; ")}.`;
}
