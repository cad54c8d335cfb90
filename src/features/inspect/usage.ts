import type { Io } from "../../kernel/io.ts";
import { readPrefixBreaks, readUsage } from "../../memory/state/spending.ts";
import { exitCodes, usageError } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { openStateReader } from "../../program/read-state.ts";
import { makeStartContext } from "../../program/start-context.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { PrefixBreak } from "../../signal/sent-prefix.ts";
import { describeUsage, type UsageKey, type UsageRow, usageKeys } from "../../signal/spending.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import { usageSpec } from "./command-specs.ts";

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

/**
 * Reads what calls took in so many days, and where what was sent did not go on from what was sent before,
 * beside the process that writes it.
 */
async function readOwnUsage(
  start: StartContext,
  about: { readonly by: UsageKey; readonly days: number },
): Promise<{
  readonly rows: readonly UsageRow[];
  readonly period: string;
  readonly broken: { readonly breaks: readonly PrefixBreak[]; readonly text: string };
}> {
  await using reader = await openStateReader(start);
  const { ledger, sentPrefixes } = reader.state;
  const now = Date.now();
  return {
    ...(await readUsage(ledger, { ...about, now })),
    broken: await readPrefixBreaks(sentPrefixes, { days: about.days, now }),
  };
}
