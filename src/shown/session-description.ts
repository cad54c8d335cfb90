import type { TurnState } from "../signal/turn.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";
import { versionNotice } from "../text/version-notice.ts";

/** What a client is told of a session when it joins it. */
export type SessionDescription = {
  /** The folder that the session works in; null without one. */
  readonly workspace: string | null;
  /** Whether the files of that folder count as the owner's. */
  readonly isTrusted: boolean;
  /** What the owner should know of the orders for agents in it (`AGENTS.md`), in words; null where there is nothing to say. */
  readonly orders: string | null;
  /** Whether a model is set up to answer. */
  readonly hasModel: boolean;
  /**
   * What became of work that a process was killed in, in whatever session, which the owner was not told yet.
   */
  readonly recovered: readonly string[];
  /** What the owner said last in it, or else a job of theirs, and what came of it; null in a new session. */
  readonly last: LastExchange | null;
};

/** The last words in a session and the answer, each cut to what reminds a person. */
export type LastExchange = {
  /** Whether a job said them, and not the owner. */
  readonly isJob: boolean;
  readonly turn: string;
  readonly state: TurnState;
  readonly words: Excerpt;
  readonly answer: Excerpt;
};

/** The beginning of a text, and how many characters are left out behind it. */
export type Excerpt = { readonly text: string; readonly left: number };

/** Says what follows for a folder that is not trusted, and what to do. */
export const notTrusted = "its files count as words of others. /trust-folder makes them count as your own.";

/** Says once, at the start, that nobody set up a model, and what works nevertheless. */
export const noModel =
  "No model is set up. Type /setup, or use notes, agenda, search and commands without one.";

/** The first lines of a conversation, the same with a daemon and without one. `folder`: where the client was started. */
export function formatGreeting(
  { workspace, isTrusted, orders, hasModel }: SessionDescription,
  {
    version,
    daemon,
    folder,
  }: { readonly version: string; readonly daemon: string | null; readonly folder: string },
): string {
  const through = daemon === null ? "" : `, with the daemon ${daemon}`;
  const other = daemon === null ? null : versionNotice(daemon, version);
  const elsewhere = workspace === null || workspace === folder ? "" : ", the folder of this session";
  const place =
    workspace === null
      ? "No workspace: your home folder and what holds it are not taken as one"
      : `Workspace ${escapeInvisible(workspace)}${elsewhere}`;
  const trust = workspace === null || isTrusted ? "" : `\nThis folder is not trusted: ${notTrusted}`;
  return `Passepartout ${version}${through}. ${place}. /help lists the commands, /exit leaves.${other === null ? "" : `\n${other}`}${trust}${orders === null ? "" : `\n${orders}`}${hasModel ? "" : `\n${noModel}`}`;
}

/** The beginning of a text, in whole lines where it has several. */
export function excerptOf(
  text: string,
  most: { readonly lines: number; readonly characters: number },
): Excerpt {
  const kept = text.trim();
  const shown = kept.split("\n").slice(0, most.lines).join("\n").slice(0, most.characters);
  return { text: shown, left: kept.length - shown.length };
}
