import type { Tool, ToolDeclaration } from "../signal/tool.ts";
import { foldName } from "../text/fold-name.ts";
import { isJsonObject, type Json, type JsonObject } from "../text/json.ts";
import { findClash } from "./actuators.ts";

/** Throws if a tool has its own argument `explanation`, or two arguments that a form could not tell apart. */
export function checkTool(tool: Tool): void {
  const names = Object.keys(propertiesOf(tool.parameters));
  const own = names.find((name) => foldName(name) === "explanation");
  if (own !== undefined) {
    throw new Error(
      `The tool '${tool.name}' has an argument '${own}', which every tool has already. Rename it.`,
    );
  }
  const clash = findClash(names);
  if (clash !== null) {
    throw new Error(
      `The tool '${tool.name}' has the arguments '${clash[0]}' and '${clash[1]}', which mean the same. Rename one of them.`,
    );
  }
}

/** Declares a tool to a model: its schema with one more required argument, the explanation. */
export function declareTool({ name, description, parameters, label }: Tool): ToolDeclaration {
  const { required } = parameters;
  return {
    name,
    description,
    parameters: {
      ...parameters,
      properties: { ...propertiesOf(parameters), explanation: { type: "string" } },
      required: [...requiredOf(required), "explanation"],
    },
    ...(label === undefined ? {} : { label }),
  };
}

function propertiesOf(parameters: JsonObject): JsonObject {
  const { properties } = parameters;
  return isJsonObject(properties) ? properties : {};
}

function requiredOf(required: Json | undefined): readonly Json[] {
  return Array.isArray(required) ? required : [];
}
