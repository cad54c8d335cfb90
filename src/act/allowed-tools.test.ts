import assert from "node:assert/strict";
import { test } from "node:test";
import { readAllowedTools } from "./allowed-tools.ts";

test("the names that other agents use mean the tools here, and a limit that cannot be kept allows nothing", () => {
  assert.deepEqual(
    readAllowedTools(["Bash(git add:*)", "Bash(jq *)", "Bash(npm test)", "Read", "WebFetch"]),
    [
      { tool: "shell", argv: ["git", "add"] },
      { tool: "shell", argv: ["jq"] },
      { tool: "shell", argv: ["npm", "test"], whole: true },
      { tool: "read-file" },
      { tool: "fetch-url" },
    ],
  );
  assert.deepEqual(readAllowedTools(["Bash(*)", "mcp__mail__send", "search-files"]), [
    { tool: "shell" },
    { tool: "mail__send" },
    { tool: "search-files" },
  ]);
  assert.deepEqual(readAllowedTools(["Read(./docs/**)", "Bash(git * push)", "Bash()", "Bash(git", "()"]), []);
});
