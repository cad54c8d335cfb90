import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { heldSocket, noteHeldSocket } from "./held-socket.ts";
import { createPrivateFile } from "./private-file.ts";
import { explainFault, StateProblem } from "./state-problem.ts";

/** The lock of a state folder for this process. */
export type ProcessLock = { readonly release: () => void };

/**
 * Locks a state folder for this process, or throws a problem that names the process that has it. The kernel holds the lock, on the file `lock`, through an
 * exclusive transaction: it ends with the process, however that ends. The process id in `lock.pid` serves the message only.
 */
export function acquireProcessLock(folder: string): ProcessLock {
  const file = join(folder, "lock");
  const holder = join(folder, "lock.pid");
  createPrivateFile(file);
  const connection = hold(file, holder, folder);
  try {
    writeFileSync(holder, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    connection.close();
    throw explainFault(error, holder);
  }
  return {
    release: () => {
      noteHeldSocket(folder, null);
      rmSync(holder, { force: true });
      connection.close();
    },
  };
}

function hold(file: string, holder: string, folder: string): DatabaseSync {
  let connection: DatabaseSync | null = null;
  try {
    connection = new DatabaseSync(file, { timeout: 0 });
    connection.exec("BEGIN EXCLUSIVE");
    return connection;
  } catch (error) {
    connection?.close();
    const problem = explainFault(error, file);
    if (!(problem instanceof StateProblem) || problem.code !== "locked") throw problem;
    const pid = existsSync(holder) ? readFileSync(holder, "utf8").trim() : "";
    const socket = heldSocket(folder);
    const listens = socket === null ? "" : `, which listens at ${socket}`;
    const who = pid === "" ? "another process" : `process ${pid}${listens}`;
    throw new StateProblem(
      "locked",
      `The state folder ${folder} is in use by ${who}. Talk to that one, or stop it and try again.`,
      { cause: error },
    );
  }
}
