import { existsSync } from "node:fs";
import { join } from "node:path";
import type { UserFolders } from "../../settings/user-folders.ts";
import { launchAgent, launchLabel } from "./launch-agent.ts";
import { type ServiceCommand, systemdUnit } from "./systemd-unit.ts";

/** The service manager of a user: the file that describes the service, and the commands that it is asked by. */
export type ServiceManager = {
  readonly file: string;
  readonly text: (command: ServiceCommand) => string;
  readonly install: readonly (readonly string[])[];
  /** What is called before the file is removed, and after it. */
  readonly uninstall: {
    readonly before: readonly (readonly string[])[];
    readonly after: readonly (readonly string[])[];
  };
  readonly status: readonly string[];
  /** Reads the answer to `status`. */
  readonly readStatus: (answer: string) => ServiceStatus;
  /** Whether the service goes on after a logout; null where that is always so. */
  readonly lingers: boolean | null;
  readonly logs: (lines: number, follow: boolean) => readonly string[];
};

/** How a service stands. */
export type ServiceStatus = {
  readonly running: boolean;
  /** The manager's own word, such as `active` or `failed`. */
  readonly state: string;
  readonly pid: number | null;
  readonly restarts: number | null;
  readonly memoryBytes: number | null;
};

/** What a manager is found by. `programs` is the folder of the system's programs, another one in tests. */
export type ManagerPlace = {
  readonly platform: NodeJS.Platform;
  readonly folders: Pick<UserFolders, "home" | "state">;
  readonly user: { readonly id: number; readonly name: string };
  readonly configurationHome: string;
  readonly programs?: string;
  readonly lingering?: string;
};

/** The name of the systemd unit. */
const unit = "passepartout.service";

/** The manager of this user; null where there is none that is known. */
export function findServiceManager(place: ManagerPlace): ServiceManager | null {
  const programs = place.programs ?? (place.platform === "darwin" ? "/bin" : "/usr/bin");
  if (place.platform === "darwin") return launchd(place, join(programs, "launchctl"));
  const systemctl = join(programs, "systemctl");
  return place.platform === "linux" && existsSync(systemctl) ? systemd(place, programs) : null;
}

function systemd({ configurationHome, user, lingering }: ManagerPlace, programs: string): ServiceManager {
  const call = (...args: readonly string[]): readonly string[] => [
    join(programs, "systemctl"),
    "--user",
    ...args,
  ];
  return {
    file: join(configurationHome, "systemd/user", unit),
    text: (command) => systemdUnit(command, existsSync(join(programs, "systemd-notify"))),
    install: [call("daemon-reload"), call("enable", unit), call("restart", unit)],
    uninstall: { before: [call("disable", "--now", unit)], after: [call("daemon-reload")] },
    status: call("show", unit, "--property=ActiveState,MainPID,NRestarts,MemoryCurrent"),
    readStatus: readUnitStatus,
    lingers: existsSync(join(lingering ?? "/var/lib/systemd/linger", user.name)),
    logs: (lines, follow) => [
      join(programs, "journalctl"),
      "--user",
      `--unit=${unit}`,
      "--no-pager",
      `--lines=${lines}`,
      ...(follow ? ["--follow"] : []),
    ],
  };
}

function readUnitStatus(answer: string): ServiceStatus {
  const values = new Map(
    answer.split("\n").map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const state = values.get("ActiveState") ?? "unknown";
  const number = (name: string): number | null => {
    const value = Number(values.get(name) || "none");
    return Number.isSafeInteger(value) ? value : null;
  };
  const pid = number("MainPID");
  return {
    running: state === "active",
    state,
    pid: pid === 0 ? null : pid,
    restarts: number("NRestarts"),
    memoryBytes: number("MemoryCurrent"),
  };
}

function launchd({ folders, user }: ManagerPlace, launchctl: string): ServiceManager {
  const file = join(folders.home, "Library/LaunchAgents", `${launchLabel}.plist`);
  const log = join(folders.state, "service.log");
  const domain = `gui/${user.id}`;
  return {
    file,
    text: (command) => launchAgent(command, log),
    install: [[launchctl, "bootstrap", domain, file]],
    uninstall: { before: [[launchctl, "bootout", `${domain}/${launchLabel}`]], after: [] },
    status: [launchctl, "print", `${domain}/${launchLabel}`],
    readStatus(answer) {
      const state = /^\s*state = (.+)$/m.exec(answer)?.[1] ?? "unknown";
      const pid = Number(/^\s*pid = (\d+)$/m.exec(answer)?.[1] ?? "none");
      return {
        running: state === "running",
        state,
        pid: Number.isSafeInteger(pid) ? pid : null,
        restarts: null,
        memoryBytes: null,
      };
    },
    lingers: null,
    logs: (lines, follow) => ["/usr/bin/tail", "-n", String(lines), ...(follow ? ["-f"] : []), log],
  };
}
