import { existsSync, readFileSync } from "node:fs";
import { findHeldSocket, heldSocket } from "../memory/storage/held-socket.ts";
import { lockHolder } from "../memory/storage/lock-holder.ts";
import { wait } from "../pause/wait.ts";
import type { Policy } from "../settings/policy.ts";
import { socketPathOf, standardPort } from "../settings/socket-path.ts";
import { versionNotice } from "../text/version-notice.ts";
import { askHealth, type HealthAnswer } from "../wire/client/ask-health.ts";
import { readSecret } from "../wire/codec/proof-secret.ts";
import { findSocketProblem } from "../wire/server/find-socket-problem.ts";
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
    return check("bad", describeHung({ socketPath, holder, before, now: workOf(holder) }));
  return describeAnswer(answer, { folder, socketPath, version });
}

/** What a process did: its state as `ps` shows it, and the processor time that it used, in ticks of the kernel. */
export type ProcessWork = { readonly state: string; readonly ticks: number };

/** What a process did so far, as Linux tells it; null where there is none, and on other systems. */
function workOf(process: number | null): ProcessWork | null {
  const path = `/proc/${process}/stat`;
  if (process === null || !existsSync(path)) return null;
  const text = readFileSync(path, "latin1");
  const [state = "", ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state, ticks: Number(fields[10]) + Number(fields[11]) };
}

/** What takes connections and does not answer in time: who holds the state, and what it did before and at the end of that time. */
type Hung = {
  readonly socketPath: string;
  readonly holder: number | null;
  readonly before: ProcessWork | null;
  readonly now: ProcessWork | null;
};

/** Why nothing answers, and what to do: a process that works, or waits for a processor or a disk, is left alone. */
export function describeHung({ socketPath, holder, before, now }: Hung): string {
  const found = `what listens at ${socketPath} takes connections and does not answer within ${patience / 1000} s`;
  const after = "Then start the daemon again; what it accepted goes on.";
  if (holder === null || now === null)
    return `${found}. Look again in a minute. If it does not answer then, end it. ${after}`;
  const end = `end it with: kill ${holder}. Only if it is still there a minute later: kill -9 ${holder}. ${after}`;
  if (/[Tt]/.test(now.state))
    return `${found}: process ${holder} is stopped. Let it go on with: kill -CONT ${holder}. If it does not answer then, ${end}`;
  const isAtWork = /[RD]/.test(now.state) || now.ticks > (before?.ticks ?? 0);
  if (isAtWork)
    return `${found}: process ${holder} lives and is busy, or the machine is. Wait, and look again in a minute. If it does not answer for many minutes, ${end}`;
  return `${found}: process ${holder} lives and does nothing. Look again in a minute. If it does not answer then, ${end}`;
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
