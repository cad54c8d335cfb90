// What the gates let through and what they stop for nothing, on files of labelled cases: `npm run gates-bench -- --help`.
import { gatesBenchCommand } from "../bench/gates/gates-bench.ts";
import { runLoaded } from "../src/cli/command-line.ts";
import { program } from "../src/cli/program.ts";

process.exitCode = await runLoaded(async () => gatesBenchCommand, {
  args: process.argv.slice(2),
  program,
  own: process,
});
