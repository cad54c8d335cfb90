import { z } from "zod";
import type { Tool } from "../../../signal/tool.ts";
import { loadOnce } from "../../load-once.ts";
import { defineTool } from "../define-tool.ts";
import type { InstallPorts } from "./prepare-install.ts";

/** The tool that installs a program from the machine's own packages, and runs the command again that lacked it. */
export function makeInstallTool(ports: InstallPorts): Tool {
  const load = loadOnce(() => import("./prepare-install.ts"));
  return defineTool({
    name: "install-program",
    description:
      "Install a missing program from this machine's packages; the owner is asked. retry: the command that needs it, run once it is there",
    schema: z.strictObject({ program: z.string().min(1).max(61), retry: z.string().max(20_000).optional() }),
    prepare: async (args, caller, labelOf) => (await load()).prepareInstall(args, { ports, caller, labelOf }),
  });
}
