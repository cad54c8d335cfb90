import { existsSync, readFileSync, rmSync } from "node:fs";
import { isAbsolute } from "node:path";
import { proxyPassword, withoutPasswords } from "../../connect/proxy.ts";
import type { Io } from "../../kernel/io.ts";
import { confirm } from "../../program/confirm.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { replaceFile } from "../../settings/replace-file.ts";
import { describeBytes } from "../../text/describe-bytes.ts";
import { serviceSpec } from "./command-specs.ts";
import { callAll, runProgram, whyOf } from "./run-program.ts";
import type { ServiceManager } from "./service-manager.ts";
import type { ServiceCommand } from "./systemd-unit.ts";
import { findOwnServiceManager, thisProgram } from "./this-program.ts";

/** What a verb of the command works with. `manager` is another one in tests. */
type Work = {
  readonly io: Io;
  readonly manager: ServiceManager;
  readonly values: {
    readonly "dry-run": boolean;
    readonly yes: boolean;
    readonly json: boolean;
    readonly follow: boolean;
    readonly lines?: string;
  };
};

const verbs: Readonly<Record<(typeof serviceSpec.verbs)[number]["name"], (work: Work) => Promise<number>>> = {
  install,
  uninstall,
  status,
  logs,
};

/** Installs, removes, shows and reads the service of this user. */
export async function serviceCommand(io: Io, given?: ServiceManager): Promise<number> {
  const { values, verb } = parseVerb(io, serviceSpec);
  const manager = given ?? managerOf(io);
  const work: Work = { io, manager, values };
  return verbs[verb](work);
}

function managerOf(io: Io): ServiceManager {
  const manager = findOwnServiceManager(io.environment);
  if (manager !== null) return manager;
  throw new Error(
    "No service manager was found here (systemctl of systemd, or launchd). Let yours run this command: passepartout daemon",
  );
}

/** What the service is started with. Where state and settings are is decided here; a key is never written. */
function serviceCommandOf({ environment }: Io): ServiceCommand {
  const names = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "NODE_EXTRA_CA_CERTS"];
  const paths = names.flatMap((name) => {
    const value = environment[name] ?? "";
    return isAbsolute(value) ? [[name, value] as const] : [];
  });
  const path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin";
  return {
    command: [...thisProgram(), "daemon"],
    // As the installed command sets it: threads that end give their memory back sooner.
    variables: {
      PATH: path,
      MALLOC_ARENA_MAX: "2",
      MALLOC_TRIM_THRESHOLD_: "131072",
      ...Object.fromEntries(paths),
      ...withoutPasswords(environment).variables,
    },
  };
}

async function install({ io, manager, values }: Work): Promise<number> {
  const { file } = manager;
  const text = manager.text(serviceCommandOf(io));
  const before = existsSync(file) ? readFileSync(file, "utf8") : null;
  const kept = before === null || before === text ? null : `${file}.before`;
  const { left } = withoutPasswords(io.environment);
  const shown = [
    ...(left.length === 0
      ? []
      : [
          `The password in ${left.join(" and ")} is not written: a unit is no place for it. The service takes it from the vault. Keep it there: passepartout vault set ${proxyPassword}`,
          "",
        ]),
    before === text ? `${file} is written already:` : `${file} would be written:`,
    "",
    ...text
      .trimEnd()
      .split("\n")
      .map((line) => `  ${line}`.trimEnd()),
    "",
    ...(kept === null ? [] : [`What is there now would be kept as ${kept}.`]),
    "Then these commands would run:",
    ...manager.install.map((call) => `  ${call.join(" ")}`),
  ];
  const consent = await show(io, values, {
    shown,
    question: "Install the service?",
    json: { file, text, commands: manager.install },
  });
  if (consent !== "yes") return consent === "shown" ? exitCodes.done : exitCodes.failed;
  if (kept !== null && before !== null) replaceFile(kept, before);
  if (before !== text) replaceFile(file, text);
  const failure = await callAll(io.environment, manager.install);
  if (failure !== null) {
    io.err(`${failure} The file ${file} is written. See what it said: passepartout service logs\n`);
    return exitCodes.failed;
  }
  if (values.json) io.out(`${JSON.stringify({ installed: true, file, lingers: manager.lingers })}\n`);
  else
    io.out(
      `The service is installed and started. See how it is: passepartout service status\n${lingerWords(manager)}`,
    );
  return exitCodes.done;
}

function lingerWords({ lingers }: ServiceManager): string {
  return lingers === false
    ? "It ends when you log out, and starts when you log in. To let it run without you: loginctl enable-linger\n"
    : "";
}

async function uninstall({ io, manager, values }: Work): Promise<number> {
  const { file } = manager;
  if (!existsSync(file)) {
    if (values.json) io.out(`${JSON.stringify({ removed: false, file })}\n`);
    else io.out(`There is no service: ${file} is not there.\n`);
    return exitCodes.done;
  }
  const { before, after } = manager.uninstall;
  const shown = [
    "These commands would run:",
    ...before.map((call) => `  ${call.join(" ")}`),
    `Then ${file} would be removed. State, settings and notes stay.`,
  ];
  const consent = await show(io, values, {
    shown,
    question: "Remove the service?",
    json: { file, commands: [...before, ...after] },
  });
  if (consent !== "yes") return consent === "shown" ? exitCodes.done : exitCodes.failed;
  const failure = await callAll(io.environment, before);
  rmSync(file);
  const problem = failure ?? (await callAll(io.environment, after));
  if (problem !== null) io.err(`${problem} The file ${file} is removed all the same.\n`);
  if (values.json) io.out(`${JSON.stringify({ removed: true, file })}\n`);
  else io.out("The service is stopped and removed.\n");
  return problem === null ? exitCodes.done : exitCodes.failed;
}

/** Shows what would be done, and asks. `shown` where that was all that was wanted. */
async function show(
  io: Io,
  values: Work["values"],
  given: { readonly shown: readonly string[]; readonly question: string; readonly json: object },
): Promise<"yes" | "no" | "shown"> {
  const text = `${given.shown.join("\n")}\n`;
  if (values["dry-run"]) {
    io.out(values.json ? `${JSON.stringify(given.json)}\n` : text);
    return "shown";
  }
  io.err(text);
  if (values.yes) return "yes";
  const answer = await confirm(io, given.question);
  if (answer === true) return "yes";
  io.err(answer === null ? "Nothing was done. To do it, add --yes.\n" : "Nothing was done.\n");
  return "no";
}

async function status({ io, manager, values }: Work): Promise<number> {
  const installed = existsSync(manager.file);
  const ran = installed ? await runProgram(manager.status, io.environment) : null;
  if (ran !== null && ran.code === null) throw new Error(`${manager.status.join(" ")} failed: ${whyOf(ran)}`);
  const found = manager.readStatus(ran?.out ?? "");
  const { running, state, pid, restarts, memoryBytes } = found;
  if (values.json)
    io.out(`${JSON.stringify({ installed, ...found, lingers: manager.lingers, file: manager.file })}\n`);
  else if (!installed) io.out("There is no service. Install it: passepartout service install\n");
  else {
    const details = [
      ran === null || ran.code === 0 ? [] : [whyOf(ran)],
      pid === null ? [] : [`process ${pid}`],
      memoryBytes === null ? [] : [describeBytes(memoryBytes)],
      restarts === null || restarts === 0 ? [] : [`started again ${restarts} times`],
    ].flat();
    const more = details.length === 0 ? "" : ` (${details.join(", ")})`;
    const advice = running ? lingerWords(manager) : "See why: passepartout service logs\n";
    io.out(`The service ${running ? "runs" : "does not run"}: ${state}${more}.\n${advice}`);
  }
  return running ? exitCodes.done : exitCodes.failed;
}

async function logs({ io, manager, values }: Work): Promise<number> {
  const lines = Number(values.lines ?? 100);
  if (!Number.isInteger(lines) || lines < 1)
    throw usageError("--lines needs a number from 1 on.", serviceSpec);
  const ran = await runProgram(manager.logs(lines, values.follow), io.environment, (text) => io.out(text));
  if (ran.code === 0) return exitCodes.done;
  io.err(`The log cannot be read: ${whyOf(ran)}\n`);
  return exitCodes.failed;
}
