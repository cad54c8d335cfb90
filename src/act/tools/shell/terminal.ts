import type { Tool } from "../../../signal/tool.ts";
import { loadOnce } from "../../load-once.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";

/** The tool that runs a program on a terminal, and types into the one that runs there. */
export function makeTerminalTool(ports: ShellPorts): Tool {
  const load = loadOnce(() => import("./prepare-terminal.ts"));
  return {
    name: "terminal",
    description:
      "Start an interactive program on a terminal (cmd), or type into the one that runs (input). Gives what its screen shows",
    permission: "allow",
    parameters: {
      type: "object",
      properties: {
        cmd: { type: "string", description: "command to start; left out to type" },
        input: {
          type: "string",
          description: "what to type, \\n for Enter, \\u0003 for Ctrl-C; empty to wait for more output",
        },
        network: { type: "array", items: { type: "string" }, description: "hosts that cmd needs" },
      },
    },
    prepare: async (args, caller, labelOf) =>
      (await load()).prepareTerminal(args, { ports, caller, labelOf }),
  };
}
