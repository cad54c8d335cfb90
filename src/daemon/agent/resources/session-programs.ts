import type { JailThreads } from "../../../act/sandbox/jail-threads.ts";
import { openReplSessions, type ReplSessions } from "../../../act/sandbox/repl-sessions.ts";
import { openTerminals, type Terminals } from "../../../act/shell/terminals.ts";
import { describeError } from "../../../text/describe-error.ts";
import type { Agent } from "./agent.ts";

/** What runs on in a session beside its turns: a program on a terminal, and a session of code. */
export type SessionPrograms = Pick<Agent, "tellSize"> & {
  readonly terminals: Terminals;
  readonly repls: ReplSessions;
  /** Whether none runs in any session. */
  readonly isIdle: () => boolean;
  /** Ends both in a session. False where neither ran. */
  readonly endPrograms: (session: string) => Promise<boolean>;
};

/** Opens the programs of a process; none runs yet. */
export function openSessionPrograms(jails: JailThreads, report: (message: string) => void): SessionPrograms {
  const terminals = openTerminals();
  const repls = openReplSessions(jails);
  return {
    terminals,
    repls,
    tellSize(session, size) {
      terminals
        .resize(session, size)
        .catch((error: unknown) => report(`A terminal could not be resized: ${describeError(error)}`));
    },
    isIdle: () => terminals.isIdle() && repls.isIdle(),
    endPrograms: async (session) =>
      (await Promise.all([terminals.end(session), repls.end(session)])).includes(true),
  };
}
