import { formatMoney } from "../signal/spending.ts";
import { countOf } from "../text/count-of.ts";
import { escapeBetweenEmoji, escapeInvisible } from "../text/escape-invisible.ts";
import { formatTime, type LocalNow } from "../text/format-time.ts";
import type { JsonObject } from "../text/json.ts";
import { underHome } from "../text/under-home.ts";

/** A session as a list shows it. Times are Unix milliseconds, money is millionths of a dollar. */
export type SessionSummary = {
  readonly id: string;
  /** Its name, else the beginning of its first words. */
  readonly title: string;
  readonly isNamed: boolean;
  readonly workspace: string | null;
  readonly startedAt: number;
  readonly usedAt: number;
  readonly turns: number;
  readonly microdollars: number;
  /** Questions that wait for the owner. */
  readonly questions: number;
  /** Answers that no client has shown yet. */
  readonly unseen: number;
};

/** A session under the keys that it has on the wire and in `--json`. */
export function sessionData(session: SessionSummary): JsonObject {
  const { id, title, isNamed, workspace, startedAt, usedAt, turns, microdollars, questions, unseen } =
    session;
  return {
    id,
    title,
    named: isNamed,
    workspace,
    "started-at-ms": startedAt,
    "used-at-ms": usedAt,
    turns,
    "cost-microdollars": microdollars,
    questions,
    unseen,
  };
}

/** Sessions as a numbered list for a person; what waits is said. */
export function formatSessions(
  sessions: readonly SessionSummary[],
  {
    here,
    current,
    home,
  }: { readonly here: LocalNow; readonly current: string | null; readonly home: string },
): string {
  if (sessions.length === 0) return "There is no session yet. What you say first begins one.";
  return sessions
    .flatMap((session, index) => [
      `${String(index + 1).padStart(3)}  ${escapeBetweenEmoji(session.title)}${session.id === current ? "  (this one)" : ""}`,
      `     ${detailsOf(session, here, home).join(", ")}`,
    ])
    .join("\n");
}

function detailsOf(session: SessionSummary, here: LocalNow, home: string): readonly string[] {
  const { workspace, usedAt, turns, microdollars, questions, unseen, id } = session;
  return [
    workspace === null ? "no folder" : escapeInvisible(underHome(workspace, home)),
    formatTime(usedAt, here),
    countOf(turns, "turn"),
    ...(microdollars === 0 ? [] : [formatMoney(microdollars)]),
    ...(questions === 0 ? [] : [`${countOf(questions, "question")} waiting`]),
    ...(unseen === 0 ? [] : [`${countOf(unseen, "answer")} not shown yet`]),
    `id ${id.slice(0, shownId)}`,
  ];
}

/** Characters of an id that are shown: enough to name a session by. */
const shownId = 8;
