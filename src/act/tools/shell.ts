import type { Tool } from "../../signal/tool.ts";
import type { ShellPorts } from "../shell/shell-ports.ts";

/** The tool that runs a command line. The line is parsed, proved if it only reads, and confined; a line that is understood never goes to a shell. */
export function makeShellTool(ports: ShellPorts): Tool {
  return {
    name: "shell",
    description: "Run a command",
    permission: "allow",
    parameters: {
      type: "object",
      properties: {
        cmd: { type: "string" },
        network: {
          type: "array",
          items: { type: "string" },
          description: "hosts that cmd needs and does not name",
        },
      },
      required: ["cmd"],
    },
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-shell.ts")).prepareShell(args, { ports, caller, labelOf }),
  };
}
