import type { Tool } from "../../../signal/tool.ts";
import type { JsonObject } from "../../../text/json.ts";
import { loadOnce } from "../../load-once.ts";
import { describeCredentials } from "../../shell/find-credentials.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";

/** The tool that runs a command line. The line is parsed, proved if it only reads, and confined; a line that is understood never goes to a shell. */
export function makeShellTool(ports: ShellPorts): Tool {
  const loadPreparing = loadOnce(() => import("./prepare-shell.ts"));
  return {
    name: "shell",
    description: "Run a command",
    permission: "allow",
    get parameters() {
      return {
        type: "object",
        properties: { cmd: { type: "string" }, network, ...credentialsParameter(ports) },
        required: ["cmd"],
      };
    },
    prepare: async (args, caller, labelOf) =>
      (await loadPreparing()).prepareShell(args, { ports, caller, labelOf }),
  };
}

const network = {
  type: "array",
  items: { type: "string" },
  description: "hosts that cmd needs and does not name",
};

/** Declared only where the owner bound a value to a host. */
function credentialsParameter({ network: ports }: ShellPorts): JsonObject {
  const known = ports?.credentials?.list() ?? [];
  if (known.length === 0) return {};
  const description = `names of credentials that cmd uses: ${describeCredentials(known)}. The variable holds a placeholder; in the header of a request by http:// to that host the proxy puts the value in and makes it https`;
  return { credentials: { type: "array", items: { type: "string" }, description } };
}
