import type { Io } from "../../kernel/io.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { describeUsage, usageKeys } from "../../signal/spending.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import { usageSpec } from "./command-specs.ts";
import { readOwnUsage } from "./read-own-usage.ts";

/** Prints what model calls took, by day, job, skill, model or rule. */
export async function usageCommand(io: Io): Promise<number> {
  const { values } = parseCommand(io, usageSpec);
  const wanted = values.by ?? "day";
  const by = usageKeys.find((key) => key === wanted);
  if (by === undefined) throw usageError(`--by is none of ${usageKeys.join(", ")}.`, usageSpec);
  const days = /^[1-9]\d{0,4}$/.test(values.days ?? "30") ? Number(values.days ?? "30") : null;
  if (days === null) throw usageError("--days is not a whole number above 0.", usageSpec);
  const { rows, period, broken } = await readOwnUsage(makeStartContext(io), { by, days });
  if (values.json) {
    for (const row of rows) io.out(`${JSON.stringify({ by, ...row })}\n`);
    for (const one of broken.breaks) io.out(`${JSON.stringify({ break: one })}\n`);
  } else {
    const words = [describeUsage(by, rows, period), ...(broken.text === "" ? [] : [broken.text])];
    io.out(escapeForTerminal(`${words.join("\n")}\n`));
  }
  return exitCodes.done;
}
