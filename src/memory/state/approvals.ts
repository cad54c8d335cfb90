import { randomBytes, timingSafeEqual } from "node:crypto";
import { sha256 } from "../../machine/digest.ts";
import { type Approval, questionIdOf } from "../../signal/approval.ts";
import { PipelineError } from "../../signal/failure.ts";
import type { Ask } from "../../signal/verdict.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { integer, json, oneOf, type Row, text, textOrNull } from "../storage/rows.ts";
import { countFromNow, takeBackFutureQuestions } from "./future-clock.ts";

/** The states in which an open question can end. */
export type ApprovalEnd = Exclude<Approval["state"], "open">;

/** How an open question ends; `endorsed` with a yes that endorsed the values that it was about. */
export type ApprovalClosing = {
  readonly tokenHash: string;
  readonly state: ApprovalEnd;
  readonly endorsed?: true;
};

/** A question that the owner answered, without the contents that it was about. `command` is the line of a command; null for any other action. */
export type AnsweredQuestion = Pick<Approval, "session" | "state" | "codes" | "effects"> & {
  readonly asks: readonly Ask[];
  readonly command: string | null;
};

/**
 * A question as a list of them has it: its id, its state, its turn, and the hash by which the rest is read.
 */
export type ListedApproval = Pick<Approval, "state" | "tokenHash" | "turn"> & { readonly id: string };

/** The questions of a list, oldest first, and how many more are open. */
export type ListedApprovals = { readonly questions: readonly ListedApproval[]; readonly more: number };

/** The questions to the owner. A token is made here, shown once, and stored only as its SHA-256. */
export type Approvals = {
  /** Makes a token of 128 random bits, safe in a URL and on a command line, with its hash. */
  readonly newToken: () => { readonly token: string; readonly tokenHash: string };
  /** The question of a token, in any state. A question past its expiry is `expired`. */
  readonly byToken: (token: string) => Promise<Approval | null>;
  readonly byTurn: (turn: string, session: string) => Promise<readonly Approval[]>;
  /** Makes a second token for an open question, for an owner who no longer has the first. It replaces an earlier second token. The token that is used first counts and ends the other. */
  readonly reissueToken: (approval: Approval) => Promise<string>;
  /** Remembers with an open question the digest of the rule that was shown for it. */
  readonly showRule: (approval: Pick<Approval, "session" | "turn" | "digest">, rule: string) => Promise<void>;
  /** The questions that are open and not expired, oldest first. Each is given once, however many tokens it has. */
  readonly open: (session?: string) => Promise<readonly Approval[]>;
  /**
   * The questions that were asked last, so many of the open ones and so many of those that ended. Each is
   * given once, by its id. Reads nothing of what they are about.
   */
  readonly listed: (most: { readonly open: number; readonly ended: number }) => Promise<ListedApprovals>;
  readonly byHash: (tokenHash: string) => Promise<Approval | null>;
  /** Ends an open question. Throws where the question is not open, or for a yes past the expiry: an approval is used once. */
  readonly close: (tokenHash: string, state: ApprovalEnd) => Promise<void>;
  /** The questions that the owner answered last, the newest first. */
  readonly answered: (limit: number) => Promise<readonly AnsweredQuestion[]>;
  /**
   * Ids of the suspended turns with an open question past its expiry. A question that was asked while the
   * clock was ahead by more than a day counts from now.
   */
  readonly suspendedPastExpiry: (now: number) => Promise<readonly string[]>;
};

/** The approvals of a database. */
export function openApprovals(database: Database, clock: Clock): Approvals {
  const bodies = (where: string, ...values: readonly (string | number)[]): readonly Approval[] =>
    database
      .all(`SELECT body FROM approvals WHERE ${where} ORDER BY number`, ...values)
      .map((row) => json<Approval>(row, "body"));
  return {
    newToken: () => {
      const token = newToken();
      return { token, tokenHash: sha256(token) };
    },
    byToken: async (token) => {
      const hash = sha256(token);
      const row = database.get("SELECT hash, body FROM approvals WHERE hash = ?", hash);
      if (row === undefined) return null;
      if (!timingSafeEqual(Buffer.from(text(row, "hash")), Buffer.from(hash))) return null;
      return asOf(json<Approval>(row, "body"), clock());
    },
    byTurn: async (turn, session) =>
      bodies("session = ?", session)
        .filter((approval) => approval.turn === turn)
        .map((approval) => asOf(approval, clock())),
    reissueToken: async (approval) =>
      database.forced(() => {
        const token = newToken();
        database.run(
          `DELETE FROM approvals WHERE session = ? AND state = 'open' AND further = 1
             AND json_extract(body, '$.turn') = ? AND json_extract(body, '$.digest') = ?`,
          approval.session,
          approval.turn,
          approval.digest,
        );
        insertApproval(database, { ...approval, tokenHash: sha256(token), createdAt: clock() }, "further");
        return token;
      }),
    showRule: async (approval, rule) => database.forced(() => rememberShownRule(database, approval, rule)),
    open: async (session) =>
      eachOnce(
        session === undefined
          ? bodies("state = 'open' AND expires > ?", clock())
          : bodies("state = 'open' AND session = ? AND expires > ?", session, clock()),
      ).map((approval) => asOf(approval, clock())),
    listed: async (most) => listApprovals(database, most, clock()),
    byHash: async (tokenHash) => bodies("hash = ?", tokenHash)[0] ?? null,
    close: async (tokenHash, state) =>
      database.forced(() => closeApproval(database, { tokenHash, state }, clock())),
    answered: async (limit) => answeredQuestions(database, limit),
    suspendedPastExpiry: async (now) => {
      await takeBackFutureQuestions(database, now);
      return database
        .all(
          `SELECT DISTINCT turns.id AS id FROM approvals JOIN turns ON turns.id = json_extract(approvals.body, '$.turn')
           WHERE approvals.state = 'open' AND approvals.expires <= ? AND turns.state = 'suspended' ORDER BY turns.number`,
          now,
        )
        .map((row) => text(row, "id"));
    },
  };
}

/**
 * At least 128 random bits, in 22 characters that hold 132. No token begins with a hyphen: as an argument of
 * the command line it would be an option.
 */
function newToken(): string {
  const token = randomBytes(17).toString("base64url").slice(0, 22);
  return token.startsWith("-") ? newToken() : token;
}

function rememberShownRule(
  database: Database,
  { session, turn, digest }: Pick<Approval, "session" | "turn" | "digest">,
  rule: string,
): void {
  database.run(
    `UPDATE approvals SET body = json_set(body, '$.shownRule', ?) WHERE session = ? AND state = 'open'
       AND json_extract(body, '$.turn') = ? AND json_extract(body, '$.digest') = ?
       AND json_extract(body, '$.shownRule') IS NOT ?`,
    rule,
    session,
    turn,
    digest,
    rule,
  );
}

/** Rows that are read for each question of a list: one that was shown again has several tokens. */
const rowsOfQuestion = 4;

function listApprovals(
  database: Database,
  most: { readonly open: number; readonly ended: number },
  now: number,
): ListedApprovals {
  const newest = (where: string, limit: number): readonly ListedApproval[] =>
    database
      .all(
        `SELECT hash, state, expires, body ->> '$.id' AS id, body ->> '$.turn' AS turn FROM approvals
         WHERE ${where} ORDER BY number DESC LIMIT ?`,
        limit * rowsOfQuestion,
      )
      .map((row) => listedApproval(row, now));
  const open = oncePerId(newest("state = 'open'", mostCounted));
  const known = new Set(open.map(({ id }) => id));
  const ended = oncePerId(newest("state <> 'open'", most.ended)).filter(({ id }) => !known.has(id));
  const questions = [...ended.slice(0, most.ended).toReversed(), ...open.slice(0, most.open).toReversed()];
  return { questions, more: Math.max(0, open.length - most.open) };
}

/** More open questions are not counted. */
const mostCounted = 10_000;

function listedApproval(row: Row, now: number): ListedApproval {
  const state = oneOf(row, "state", ["open", "approved", "denied", "expired", "void"]);
  const [id, turn] = [textOrNull(row, "id"), text(row, "turn")];
  return {
    id: questionIdOf({ turn, ...(id === null ? {} : { id }) }),
    turn,
    state: state === "open" && integer(row, "expires") <= now ? "expired" : state,
    tokenHash: text(row, "hash"),
  };
}

/** Of the tokens of a question, the one that ended it counts; the others are void. */
function oncePerId(all: readonly ListedApproval[]): readonly ListedApproval[] {
  return [...Map.groupBy(all, ({ id }) => id).values()].flatMap(
    (tokens) => tokens.find(({ state }) => state !== "void") ?? tokens[0] ?? [],
  );
}

/** Reads of each question only what is needed: its action may hold a whole file. */
function answeredQuestions(database: Database, limit: number): readonly AnsweredQuestion[] {
  return database
    .all(
      `SELECT json_object(
         'session', body ->> '$.session', 'state', body ->> '$.state', 'codes', body -> '$.codes',
         'effects', body -> '$.effects', 'asks', coalesce(body -> '$.asks', json('[]')),
         'command', coalesce(body ->> '$.action.payload.args.cmd', body ->> '$.action.payload.cmd')) AS body
       FROM approvals WHERE state IN ('approved', 'denied') ORDER BY number DESC LIMIT ?`,
      limit,
    )
    .map((row) => json<AnsweredQuestion>(row, "body"));
}

/** Inserts a question, as a part of the caller's transaction. */
export function insertApproval(
  database: Database,
  approval: Approval,
  token: "first" | "further" = "first",
): void {
  database.run(
    "INSERT INTO approvals (hash, session, state, expires, further, body) VALUES (?, ?, ?, ?, ?, ?)",
    approval.tokenHash,
    approval.session,
    approval.state,
    approval.expiresAt,
    token === "further" ? 1 : 0,
    JSON.stringify(approval),
  );
}

/** Ends an open question, as a part of the caller's transaction; throws if it is not open. */
export function closeApproval(database: Database, closing: ApprovalClosing, now: number): void {
  const row = database.get("SELECT body FROM approvals WHERE hash = ?", closing.tokenHash);
  if (row === undefined) throw new PipelineError("there is no such approval", null);
  const approval = asOf(json<Approval>(row, "body"), now);
  const usable = approval.state === "open" || (approval.state === "expired" && closing.state !== "approved");
  if (!usable || json<Approval>(row, "body").state !== "open") {
    throw new PipelineError(`the approval is ${approval.state} already and cannot be used again`, null);
  }
  database.run(
    "UPDATE approvals SET state = ?, body = ? WHERE hash = ?",
    closing.state,
    JSON.stringify({
      ...approval,
      state: closing.state,
      ...(closing.endorsed === true ? { endorsed: true } : {}),
    }),
    closing.tokenHash,
  );
  for (const other of database.all(
    "SELECT hash, body FROM approvals WHERE session = ? AND state = 'open'",
    approval.session,
  )) {
    const twin = json<Approval>(other, "body");
    if (!isSameQuestion(twin, approval)) continue;
    database.run(
      "UPDATE approvals SET state = 'void', body = ? WHERE hash = ?",
      JSON.stringify({ ...twin, state: "void" }),
      text(other, "hash"),
    );
  }
}

function isSameQuestion(a: Approval, b: Approval): boolean {
  return a.turn === b.turn && a.digest === b.digest;
}

function eachOnce(approvals: readonly Approval[]): readonly Approval[] {
  return approvals.filter(
    (approval, index) => approvals.findIndex((other) => isSameQuestion(other, approval)) === index,
  );
}

function asOf(asked: Approval, now: number): Approval {
  const approval = countFromNow(asked, now);
  return approval.state === "open" && approval.expiresAt <= now
    ? { ...approval, state: "expired" }
    : approval;
}
