import { bottomLabel, type Label } from "../../signal/label.ts";
import { type Caller, success, type Tool } from "../../signal/tool.ts";
import type { JsonObject } from "../../text/json.ts";
import { findTools, type IndexedTool, type SearchableTool, searchName } from "./find-tools.ts";

/** A tool that a search gives. It has a label where its words are not this program's own. */
export type FoundTool = SearchableTool & { readonly label?: Label };

/** What a search of the model gives. */
const searchLimits = { most: 10, least: 1 };

/**
 * The search among tools: a model that needs one which is not declared asks for it, and gets it declared with
 * the next step.
 */
export function makeSearchTool(
  toolsFor: (caller: Caller) => Promise<readonly IndexedTool<FoundTool>[]>,
  description = "Find tools of connected services",
): Tool {
  return {
    name: searchName,
    description,
    permission: "allow",
    parameters: {
      type: "object",
      properties: { query: { type: "string", description: "English words" } },
      required: ["query"],
    },
    async prepare({ query, ...rest }, caller, labelOf) {
      if (typeof query !== "string" || Object.keys(rest).length > 0)
        return {
          ok: false,
          code: "invalid-arguments",
          message: `${searchName} takes one argument: query, a text.`,
        };
      const tools = await toolsFor(caller);
      const found = findTools(query, tools, searchLimits);
      const shown = found.length === 0 ? tools.map(({ tool }) => tool) : found;
      return {
        ok: true,
        effects: [
          {
            kind: "change-memory",
            target: "memory",
            realm: "own",
            operation: searchName,
            label: labelOf(query),
            reversal: "undoable",
          },
        ],
        plan: { query },
        changes: [],
        resultLabel: shown.some(({ label }) => label !== undefined) ? untrusted : bottomLabel,
        run: async () => success(found.length === 0 ? nothing(tools) : { found: found.map(nameAndWords) }),
      };
    },
  };
}

const untrusted: Label = { ...bottomLabel, integrity: "untrusted", sources: [{ id: searchName, path: "" }] };

function nameAndWords({ name, description }: FoundTool): JsonObject {
  return { name, description };
}

function nothing(tools: readonly IndexedTool<FoundTool>[]): JsonObject {
  const services = [...new Set(tools.map(({ tool: { name } }) => name.split("__")[0] ?? name))];
  return { found: [], services, note: "No tool fits. Use other words, or the name of a service." };
}
