import { program } from "./cli/program.ts";

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    // The reader has closed the stream, as `head` does. Nobody is left to tell, and the turn still ends on disk.
    if (!("code" in error) || error.code !== "EPIPE") throw error;
  });
}
const args = process.argv.slice(2);
if (args[0] === "--version" || args[0] === "-V") process.stdout.write(`${program.version}\n`);
else {
  // The version alone loads nothing more.
  const { runCommand } = await import("./cli/command-line.ts");
  process.exitCode = await runCommand(args, program);
}
