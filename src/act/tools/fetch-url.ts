import * as z from "zod";
import type { Tool } from "../../signal/tool.ts";
import { defineTool } from "./define-tool.ts";
import type { FetchPorts } from "./prepare-fetch-url.ts";

const schema = z.strictObject({ url: z.string().min(1) });

/**
 * Fetches a page, a PDF or a text over HTTP. A host name is resolved only when it is fetched, because resolving tells the name to others. It must
 * resolve to public addresses; any other address must be in the URL itself, so that it is judged. Redirects are followed on
 * the same scheme, host and port only; for any other, the result says where it leads.
 */
export function makeFetchUrlTool(ports: FetchPorts): Tool {
  return defineTool({
    name: "fetch-url",
    description: "Fetch the text of a page, PDF or file",
    schema,
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-fetch-url.ts")).prepareFetchUrl(args, { ports, caller, labelOf }),
  });
}
