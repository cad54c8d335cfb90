import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutKeys } from "./env-without-keys.ts";

const holdsKey = (text: string): boolean => text.includes("k3y");

test("keys leave a settings file with their whole lines, and every other line stays byte for byte", () => {
  const kept =
    "# mine\nMEMEX_ASSISTANT='Ada B'\r\n\nexport BUDGET_PER_DAY=3 # dollars\nGROQ_API_KEY=vault:groq\nEMPTY_TOKEN=\n# OPENAI_API_KEY=\n";
  const keys =
    'OPENAI_API_KEY=sk-1\nexport my_password="a\nb"\n  HOUSE_TOKEN = x\n# OLD_SECRET=y\nURL=https://me:k3y@a/\n# k3y\nAPI_TOKEN=`one\ntwo`\n';
  assert.deepEqual(withoutKeys(kept, holdsKey), { text: kept, omitted: [] });
  assert.deepEqual(withoutKeys(keys + kept, holdsKey), {
    text: kept,
    omitted: ["OPENAI_API_KEY", "my_password", "HOUSE_TOKEN", "URL", "API_TOKEN"],
  });
  assert.equal(withoutKeys("A=1\nOPENAI_API_KEY=sk-1", holdsKey).text, "A=1");
});
