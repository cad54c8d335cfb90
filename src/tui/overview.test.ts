import assert from "node:assert/strict";
import { test } from "node:test";
import { factsOf } from "./overview.ts";

test("the status bar names a model, and not the path of its file", () => {
  for (const [model, shown] of [
    ["/home/ada/models/qwen3-8b-q4.gguf", "llama/qwen3-8b-q4"],
    ["C:\\models\\qwen3.GGUF", "llama/qwen3"],
    ["unsloth/qwen3.gguf", "llama/qwen3"],
    ["openai/gpt-oss-120b", "llama/openai/gpt-oss-120b"],
    ["hf.co/unsloth/qwen3:q4", "llama/hf.co/unsloth/qwen3:q4"],
    ["qwen3:8b", "llama/qwen3:8b"],
  ])
    assert.deepEqual(factsOf({ provider: "llama", model: model ?? "" }), [shown]);
});
