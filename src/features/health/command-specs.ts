import { type CommandSpec, flag } from "../../text/command-spec.ts";

export const doctorSpec = {
  name: "doctor",
  aliases: ["diagnostics"],
  summary: "check settings, providers, sandbox and data, and mend what can be mended",
  about: [
    "Checks the settings, providers, sandbox, folders, notes, files of the state, database, journal, clock, room on the disk, and whether a daemon answers. It asks that daemon for its health, a model server on this machine for its models, and the servers of mcp.json that you accepted for their tools; it sends nothing else and changes nothing.",
    "Each line begins with ok, look (something to know or to fix) or BAD (the agent cannot work properly). Also: passepartout diagnostics.",
  ],
  options: {
    fix: flag(
      "makes the changes that mend what was found, shows each, keeps what it replaces, asks before it installs a program, and checks again",
    ),
    "dry-run": { ...flag("with --fix: shows the changes and makes none"), beside: ["fix"] },
    quick: flag("neither starts nor reaches the servers of mcp.json; so does --watch"),
    watch: flag("checks again every 10 seconds until Ctrl-C, and prints what changed"),
    json: flag("prints a JSON object; with --watch, one a line for each change"),
  },
  either: [["fix", "watch"]],
  exit: { 0: "healthy or degraded", 1: "unhealthy" },
} as const satisfies CommandSpec;
