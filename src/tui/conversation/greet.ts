import { noModel, notTrusted, type SessionDescription } from "../../shown/session-description.ts";
import { shortPath } from "../screen/short-path.ts";
import type { Conversation } from "./conversation.ts";

/** The first lines of a conversation: where it works. */
export function greet(
  conversation: Conversation,
  { workspace, isTrusted, orders, hasModel }: SessionDescription,
  { home, folder, version }: { readonly home: string; readonly folder: string; readonly version: string },
): void {
  const place =
    workspace === null
      ? "No folder: your home folder and what holds it are not taken as one."
      : `Works in ${shortPath(workspace, home)}${workspace === folder ? "" : ", the folder of this session"}.`;
  conversation.notice(`Passepartout ${version}. ${place} /help lists the commands, F1 the keys.`, "dim");
  if (workspace !== null && !isTrusted) {
    conversation.notice(`This folder is not trusted: ${notTrusted}`, "warning");
  }
  if (orders !== null) conversation.notice(orders, "warning");
  if (!hasModel) conversation.notice(noModel, "warning");
}

/** The keys, as F1 lists them. */
export const keyHelp = [
  "Keys (? on an empty line, or F1)",
  "  Enter            send; while it works, it waits for its turn (Up on an empty line takes it back)",
  "  Ctrl+S           say it to the turn that runs: it has it before it goes on",
  "  Alt+Enter        new line (also Shift+Enter, Ctrl+J, or \\ before Enter)",
  "  Tab              complete a /command, or a file or note after @",
  "  Ctrl+X Ctrl+E    edit it in your editor (VISUAL or EDITOR)",
  "  Up, Down         what you said before; Ctrl+R finds it by its words",
  "  Esc              stop what runs; back from a reason",
  "  Ctrl+C           copy what is selected, else empty the line, else stop; twice leaves",
  "  Ctrl+D           leave, on an empty line",
  "  PageUp, PageDown scroll (in a question: Shift too); End on an empty line goes to the end",
  "  Ctrl+O           show and hide what tools gave; a click shows one",
  "  Ctrl+G           show and hide what each gate said",
  "  Ctrl+T           browse: move over calls and answers, unfold, copy, search",
  "  Ctrl+F           search the conversation",
  "  Esc Esc          go back to before something you said (also /rewind)",
  "  F2               sessions: open, fork, rename, delete (also /session)",
  "  F3               leave the mouse to the terminal, to select text; again takes it back",
  "  Ctrl+L           paint anew",
  "  Shift and mouse  select with the terminal's own means",
  "In a question: y yes, n no, w no and say why, d details, a always (then its number), Tab the next one.",
  "It takes keys where the prompt is empty and nobody has typed for a second; several keys are words for the agent.",
].join("\n");
