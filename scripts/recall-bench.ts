// How much of the evidence a search finds, on conversations with questions: `npm run recall-bench -- --help`.
import { recallBenchCommand } from "../bench/recall/recall-bench.ts";
import { runLoaded } from "../src/cli/command-line.ts";
import { program } from "../src/cli/program.ts";

process.exitCode = await runLoaded(async () => recallBenchCommand, {
  args: process.argv.slice(2),
  program,
  own: process,
});
