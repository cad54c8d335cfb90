// How much of the evidence a search finds, on conversations with questions: `npm run recall-bench -- --help`.
import { recallBenchCommand } from "../bench/recall/recall-bench.ts";
import { runCommand } from "../src/cli/command-line.ts";
import { program } from "../src/cli/program.ts";

const commands = new Map([["recall-bench", async () => recallBenchCommand]]);
process.exitCode = await runCommand(["recall-bench", ...process.argv.slice(2)], program, process, commands);
