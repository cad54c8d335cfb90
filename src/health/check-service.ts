import { existsSync } from "node:fs";
import { wait } from "../machine/wait.ts";
import { findHeldSocket, heldSocket } from "../memory/storage/held-socket.ts";
import { lockHolder } from "../memory/storage/lock-holder.ts";
import type { Policy } from "../settings/policy.ts";
import { socketPathOf, standardPort } from "../settings/socket-path.ts";
import { versionNotice } from "../text/version-notice.ts";
import { askHealth, type HealthAnswer } from "../wire/client/ask-health.ts";
import { readSecret } from "../wire/codec/proof-secret.ts";
import { findSocketProblem } from "../wire/server/find-socket-problem.ts";
import { describeHung, workOf } from "./describe-hung.ts";
import type { HealthCheck } from "./health-check.ts";
import { takesConnection } from "./takes-connection.ts";

/** Milliseconds that a daemon gets to answer. */
const patience = 5000;

const check = (result: HealthCheck["result"], text: string): HealthCheck => ({
  name: "daemon",
  result,
  text,
});

/** Checks the way to the daemon: the place of its socket, and what answers there. Sends nothing but a proof and a question for health. */
export async function checkService(policy: Policy, version: string): Promise<HealthCheck> {
  const folder = policy.config.places.state;
  const socketPath = findHeldSocket(folder, socketPathOf(policy));
  const problem = problemOf(() => findSocketProblem(socketPath));
  if (problem !== null) return check("bad", `no command can reach another process: ${problem}`);
  const secret = secretOf(folder);
  if (secret === null || !existsSync(socketPath)) return describeAbsence(folder, socketPath);
  const holder = lockHolder(folder);
  const before = workOf(holder);
  const answer = await askHealth({ socketPath, secret, wait, patience });
  if (answer.kind === "hung")
    return check("bad", describeHung({ socketPath, patience, holder, before, now: workOf(holder) }));
  return describeAnswer(answer, { folder, socketPath, version });
}

function describeAnswer(
  answer: Exclude<HealthAnswer, { kind: "hung" }>,
  given: { readonly folder: string; readonly socketPath: string; readonly version: string },
): HealthCheck {
  const { folder, socketPath, version } = given;
  switch (answer.kind) {
    case "nobody":
      return describeAbsence(folder, socketPath);
    case "other-protocol":
      return check("bad", answer.reason);
    case "stranger":
      return check("bad", `what listens at ${socketPath} is not your daemon: ${answer.reason}`);
    case "daemon": {
      const other = versionNotice(answer.version, version);
      return other === null ? check("ok", `answers at ${socketPath}`) : check("finding", other);
    }
  }
}

/**
 * Names the standard port of a daemon where something else listens while none runs: no command needs a
 * daemon.
 */
export async function checkPort(service: HealthCheck): Promise<readonly HealthCheck[]> {
  if (service.text !== noneRuns || !(await takesConnection("127.0.0.1", standardPort))) return [];
  const text = `another program listens on port ${standardPort} of this machine, so a daemon needs another one. Start it with: passepartout daemon --port 0`;
  return [check("ok", text)];
}

const noneRuns = "none runs, so each command runs the agent itself";

function describeAbsence(folder: string, usual: string): HealthCheck {
  const holder = lockHolder(folder);
  if (holder === null) return check("ok", noneRuns);
  const noted = heldSocket(folder);
  const remedy =
    noted === null
      ? "It does not say where it listens: it starts or ends at this moment, or cannot listen. Look again in a minute."
      : "A daemon listens there again at its next heartbeat.";
  const text = `process ${holder} uses the state, and nothing answers at ${noted ?? usual}. ${remedy} If that does not help, end it with: kill ${holder}`;
  return check("bad", text);
}

/** What `find` finds, or why it cannot look. */
function problemOf(find: () => string | null): string | null {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `${error.message}. Correct the owner or mode of the runtime folder.`;
  }
}

/** Null where there is none, or where it cannot be used: that is another check. */
function secretOf(folder: string): Uint8Array | null {
  try {
    return readSecret(folder);
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
