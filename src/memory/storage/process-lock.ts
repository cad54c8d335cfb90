import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isRunning } from "../../machine/is-running.ts";
import { heldSocket, noteHeldSocket } from "./held-socket.ts";
import { createPrivateFile } from "./private-file.ts";
import { explainFault, StateProblem } from "./state-problem.ts";

/** The lock of a state folder for this process. */
export type ProcessLock = {
  /** False once its file is gone or another one: then another process can take the folder, too. */
  readonly isHeld: () => boolean;
  readonly release: () => void;
};

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
  const taken = identityOf(file);
  const isHeld = (): boolean => identityOf(file) === taken;
  return {
    isHeld,
    release: () => {
      // What stands beside the lock of another process is that one's.
      if (isHeld()) {
        noteHeldSocket(folder, null);
        rmSync(holder, { force: true });
      }
      connection.close();
    },
  };
}

/** Identifies the file at a path without opening it; empty where there is none. */
function identityOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev} ${found.ino}`;
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
    throw new StateProblem("locked", describeHolder(folder, holder), { cause: error });
  }
}

/**
 * Who holds a folder, as far as its files tell: the process that they name may have died, and the next one
 * not noted itself yet.
 */
function describeHolder(folder: string, holder: string): string {
  const pid = existsSync(holder) ? Number(readFileSync(holder, "utf8")) : 0;
  if (!(pid > 0 && isRunning(pid)))
    return `The state folder ${folder} is in use by another process, which starts or ends now, or runs in another container. Try again in a moment.`;
  const socket = heldSocket(folder);
  const listens = socket === null ? "" : `, which listens at ${socket}`;
  return `The state folder ${folder} is in use by process ${pid}${listens}. Talk to that one, or stop it and try again.`;
}
