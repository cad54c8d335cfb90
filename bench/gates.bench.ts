import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { gatesBenchCommand } from "./gates/gates-bench.ts";

// What the gates let through and what they stop for nothing, on the labelled cases beside the checkout. The targets are in the table.
const data = join(import.meta.dirname, "../../shared/data");
const files = (folder: string, names: readonly string[]): readonly string[] =>
  names.map((name) => join(data, folder, name));
const say = (text: string): void => void process.stdout.write(text);

if (existsSync(data)) {
  const suites = files("agentdojo", ["agentdojo.json.gz", "agentdyn-github.json.gz"]);
  const home = mkdtempSync(join(tmpdir(), "gates-bench-"));
  await gatesBenchCommand({
    args: [
      "--shell",
      ...files("shell", [
        "benign.jsonl.gz",
        "dangerous.jsonl.gz",
        "gtfobins-gpl3.jsonl.gz",
        "recon.jsonl.gz",
      ]),
      "--secrets",
      ...files("secrets", ["secrets.jsonl.gz"]),
      "--agentdojo",
      ...suites,
      "--adaptive",
      "11",
    ],
    environment: { HOME: home },
    cwd: home,
    version: "bench",
    outIsTerminal: false,
    outputsAreOne: false,
    inputIsPipe: false,
    errIsTerminal: false,
    input: new PassThrough(),
    output: new PassThrough(),
    onInterrupt: () => () => undefined,
    out: say,
    err: say,
  });
  rmSync(home, { recursive: true });
} else say(`${data} is missing: the gates are not measured\n`);
