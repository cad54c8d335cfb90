import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { constants } from "node:os";

/**
 * Runs inside the sandbox, with no rights that the command has not: `bridge-worker SOCKET PORT NAME=VALUE… -- PROGRAM ARGUMENT…`.
 * Pipes a loopback port to the socket of the egress proxy, runs the program with the variables, and ends as it ends.
 * `bridge-worker SOCKET fd:DESCRIPTOR` pipes a port that listens already, until it is ended.
 */
const [path = "", port = "", ...rest] = process.argv.slice(2);
const [, listening] = /^fd:(\d+)$/.exec(port) ?? [];
const dashes = rest.indexOf("--");
const variables = rest.slice(0, dashes).map((word) => {
  const equals = word.indexOf("=");
  return [word.slice(0, equals), word.slice(equals + 1)] as const;
});
const [program = "", ...args] = rest.slice(dashes + 1);

const server = createServer({ allowHalfOpen: true }, (client) => {
  const proxy = connect({ path, allowHalfOpen: true });
  for (const [from, to] of [
    [client, proxy],
    [proxy, client],
  ] as const) {
    from.pipe(to);
    from.on("error", () => from.destroy());
    from.on("close", () => to.end(() => to.destroy()));
  }
});

if (listening === undefined) server.listen(Number(port), "127.0.0.1", runProgram);
else server.listen({ fd: Number(listening) });

function runProgram(): void {
  const child = spawn(program, args, {
    stdio: "inherit",
    env: { ...process.env, ...Object.fromEntries(variables) },
  });
  child.on("error", (fault) => {
    process.stderr.write(`${program}: ${fault.message}\n`);
    process.exit(127);
  });
  child.on("exit", (code, signal) =>
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
  );
}
