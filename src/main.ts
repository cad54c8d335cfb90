import manifest from "../package.json" with { type: "json" };

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    // Whoever read this has gone, as `head` does: nobody is left to be told, and the turn still comes to its end on disk.
    if (!("code" in error) || error.code !== "EPIPE") throw error;
  });
}
const args = process.argv.slice(2);
if (args[0] === "--version" || args[0] === "-V") process.stdout.write(`${manifest.version}\n`);
else {
  // The version alone loads nothing more.
  const { runCommand } = await import("./cli/command-line.ts");
  process.exitCode = await runCommand(args, manifest);
}
