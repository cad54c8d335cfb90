import { makePrivateFolder } from "./private-file.ts";
import { acquireProcessLock } from "./process-lock.ts";
import { StateProblem } from "./state-problem.ts";

/** Takes the state folder for this process, so that no agent works on it meanwhile. `what` says what was not done where one does. */
export function lockState(state: string, what: string): Disposable {
  makePrivateFolder(state);
  try {
    const lock = acquireProcessLock(state);
    return { [Symbol.dispose]: () => lock.release() };
  } catch (error) {
    if (!(error instanceof StateProblem && error.code === "locked")) throw error;
    throw new StateProblem(
      "locked",
      `An agent runs now, so nothing was ${what}. Leave all conversations and stop the daemon (Ctrl-C where it runs; systemctl --user stop passepartout for a service), then try again. (${error.message})`,
      {
        cause: error,
      },
    );
  }
}
