import * as z from "zod";
import type { Tool } from "../../signal/tool.ts";
import { defineTool } from "./define-tool.ts";
import type { FetchPorts } from "./prepare-fetch-url.ts";

const schema = z.strictObject({ url: z.string().min(1) });

/**
 * Fetches a text over HTTP. A name is looked up only when it is fetched, since a look-up tells the name to others, and
 * then leads to public addresses only: any other must stand in the URL itself, to be judged. Redirects are followed on
 * the same scheme, host and port only; any other is a result that says where it leads.
 */
export function makeFetchUrlTool(ports: FetchPorts): Tool {
  return defineTool({
    name: "fetch-url",
    description: "Fetch a text from an http(s) URL",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-fetch-url.ts")).prepareFetchUrl(args, { ports, caller, labelOf }),
  });
}
