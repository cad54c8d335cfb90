import { program } from "./cli/program.ts";

process.stdout.on("error", (error) => {
  // The reader has closed the stream, as `head` does. Nobody is left to tell, and the turn still ends on disk.
  if ("code" in error && error.code === "EPIPE") return;
  process.stderr.write(`passepartout: The output could not be written: ${error.message}\n`);
  process.exitCode = 1;
});
process.stderr.on("error", () => {
  // Nobody can be told here. What is written later is tried again: see cli/standard-error.ts.
});
const args = process.argv.slice(2);
if (args[0] === "--version" || args[0] === "-V") process.stdout.write(`${program.version}\n`);
else {
  // The version alone loads nothing more.
  const [{ runCommand }, { settleZone }] = await Promise.all([
    import("./cli/command-line.ts"),
    import("./cli/settle-zone.ts"),
  ]);
  settleZone(process.env);
  const code = await runCommand(args, program);
  process.exitCode ??= code;
}
