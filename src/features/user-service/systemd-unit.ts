/** What a service file is made from. */
export type ServiceCommand = {
  /** The program and its arguments, each absolute. */
  readonly command: readonly string[];
  /** Variables that tell where state and settings are, and where programs are. Never a key. */
  readonly variables: Readonly<Record<string, string>>;
};

/** Seconds without a sign of life after which systemd ends the service and starts it again. */
const watchdogSeconds = 180;

/**
 * The unit of a systemd user service. Its hardening is what a user's manager can do without a user namespace,
 * which the sandbox of commands needs for itself. No RestrictSUIDSGID: it also forbids folders that hand on
 * their group, which teams and `git init --shared` need; files that commands make lose such bits anyway.
 * Where `systemd-notify` is missing, nothing can tell systemd that the agent lives, so there is no watchdog.
 */
export function systemdUnit({ command, variables }: ServiceCommand, hasNotify: boolean): string {
  const life = hasNotify
    ? ["Type=notify", "NotifyAccess=all", `WatchdogSec=${watchdogSeconds}`]
    : ["Type=exec"];
  return `${[
    "# Written by: passepartout service install",
    "[Unit]",
    "Description=Passepartout, a personal agent",
    "StartLimitIntervalSec=300",
    "StartLimitBurst=5",
    "",
    "[Service]",
    ...life,
    `ExecStart=${command.map(quoteArgument).join(" ")}`,
    ...Object.entries(variables).map(([name, value]) => `Environment=${quote(`${name}=${value}`)}`),
    "Restart=on-failure",
    "RestartSec=5",
    "TimeoutStopSec=30",
    "# Commands that the agent runs count too; one that takes too much ends alone.",
    "MemoryHigh=40%",
    "MemoryMax=50%",
    "OOMPolicy=continue",
    "TasksMax=2048",
    "UMask=0077",
    "NoNewPrivileges=yes",
    "LockPersonality=yes",
    "RestrictRealtime=yes",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
    "SystemCallArchitectures=native",
    "",
    "[Install]",
    "WantedBy=default.target",
  ].join("\n")}\n`;
}

/** A word of a unit, in quotes; `%` begins a specifier. */
function quote(word: string): string {
  return `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;
}

/** A word of a command line, where `$` begins a variable. */
function quoteArgument(word: string): string {
  return quote(word).replaceAll("$", "$$$$");
}
