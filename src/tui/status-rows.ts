import { formatTime } from "./calls/call.ts";
import { spread } from "./screen/block.ts";
import { shortPath } from "./screen/short-path.ts";
import type { Theme } from "./screen/theme.ts";
import { cut, widthOf } from "./screen/toolkit.ts";
import type { ConnectionState } from "./session/connection.ts";

/** What the status bar says. What is not known is left out. */
export type Status = {
  /** The session's folder; null without one. */
  readonly workspace: string | null;
  readonly home: string;
  /** Provider and model, the context used, money of today: each as the daemon says it. */
  readonly facts: readonly string[];
  readonly waiting: number;
  readonly connection: ConnectionState;
  /** What keeps the agent from working as it should; null where nothing is known to. */
  readonly problem: string | null;
};

const states = { starting: "starting …", ready: "ok", away: "daemon away · trying again" } as const;

/** How it stands, in a few words. */
function stateOf({ connection, problem }: Status): string {
  return connection === "ready" && problem !== null ? `! ${problem}` : states[connection];
}

function placeOf({ workspace, home, waiting }: Status): readonly string[] {
  const place = workspace === null ? "no folder" : shortPath(workspace, home);
  return [
    place,
    ...(waiting === 0 ? [] : [waiting === 1 ? "1 question waits" : `${waiting} questions wait`]),
  ];
}

/** The parts of the status bar, the state before what may be cut. */
export function statusParts(status: Status): readonly string[] {
  return [...placeOf(status), stateOf(status), ...status.facts];
}

/** The status bar: where, with what, and on the right how it stands. What has no room gives way from the middle. */
export function statusRow(status: Status, columns: number, theme: Theme): string {
  const state = stateOf(status);
  const styled = state === "ok" ? theme.added(state) : theme.warning(state);
  const parts = [...placeOf(status), ...status.facts];
  const room = columns - widthOf(state) - 5;
  while (parts.length > 1 && widthOf(parts.join(" · ")) > room) parts.pop();
  return spread(`  ${theme.dim(cut(parts.join(" · "), Math.max(4, room)))}`, `${styled} `, columns);
}

/** The row above the prompt: what runs and how long, or what came below while the window was scrolled up. Empty where there is nothing to say. */
export function workRow(
  given: {
    readonly work: { readonly note: string; readonly since: number } | null;
    readonly now: number;
    readonly unseen: number;
    readonly follows: boolean;
    readonly hint: string;
  },
  columns: number,
  theme: Theme,
): string {
  const { work, now, unseen, follows, hint } = given;
  const below = unseen === 0 ? "↓ End: to the end" : `↓ ${unseen} new below · End: to the end`;
  const right = follows ? hint : below;
  const seconds = work === null ? 0 : Math.floor((now - work.since) / 1000);
  const left =
    work === null ? "" : ` ${work.note} …${seconds < 1 ? "" : ` ${formatTime(seconds * 1000)}`} · Esc stops`;
  return spread(theme.dim(left), theme.accent(cut(right, columns - widthOf(left) - 3)), columns - 1);
}
