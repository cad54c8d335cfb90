// What the gates let through and what they stop for nothing, on files of labelled cases: `npm run gates-bench
// -- --help`.
import { gatesBenchCommand } from "../bench/gates/gates-bench.ts";
import { runCommand } from "../src/cli/command-line.ts";
import { program } from "../src/cli/program.ts";

const commands = new Map([["gates-bench", async () => gatesBenchCommand]]);
process.exitCode = await runCommand(["gates-bench", ...process.argv.slice(2)], program, process, commands);
