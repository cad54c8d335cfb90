import type { ToolDeclaration } from "./tool.ts";

/** Whether every model may be told of a tool. */
export function isPublicTool({ label }: Pick<ToolDeclaration, "label">): boolean {
  return label === undefined || label.secrecy === "public";
}
