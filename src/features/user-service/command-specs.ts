import { type CommandSpec, flag, valued } from "../../text/command-spec.ts";

export const serviceSpec = {
  name: "service",
  summary: "keep the agent running as a service of your user",
  about: [
    "Keeps the agent running as a service of your user (systemd, on macOS launchd): started with your session, started again when it fails, with a limit of memory and, with",
    "systemd, a watchdog. It needs no root. The service reads its settings from .env in the configuration folder, not from this terminal.",
  ],
  verbs: [
    {
      name: "install",
      help: "shows the file of the service and the commands that start it, asks, writes it and starts it; run it again after an update of Node or of the program",
    },
    { name: "uninstall", help: "stops the service and removes its file, after it showed them" },
    { name: "status", help: "says whether it runs" },
    { name: "logs", help: "prints what the service said" },
  ],
  options: {
    "dry-run": {
      ...flag("shows what would be written and called, and does nothing"),
      verbs: ["install", "uninstall"],
    },
    yes: { ...flag("does not ask"), verbs: ["install", "uninstall"] },
    lines: { ...valued("N", "how many lines of the log; the default is 100"), verbs: ["logs"] },
    follow: { ...flag("goes on printing until Ctrl-C"), verbs: ["logs"] },
    json: { ...flag("prints a JSON object"), verbs: ["install", "uninstall", "status"] },
  },
  either: [["dry-run", "yes"]],
  notes: [
    "A systemd user service ends at logout, and starts at login. To let it run from the start of the machine on: loginctl enable-linger",
  ],
  exit: { 0: "done, or it runs", 1: "it could not be done, was not wanted, or does not run" },
} as const satisfies CommandSpec;
