import type { FlightPlan } from "../signal/flight-plan.ts";

/** What a proposed plan says in words: one step a line, and the limits that it names. */
export type WrittenPlan = {
  readonly steps: readonly string[];
  readonly minutes?: number;
  readonly dollars?: number;
};

/** A plan as an Org node: its steps as a list with check boxes, its limits as properties. What somebody changes in it changes nothing until it is proposed and approved. */
export function formatPlanAsOrg({ steps, since, until, spendingCap }: FlightPlan): string {
  const minutes = Math.max(1, Math.round((until - since) / 60_000));
  return [
    "* Flight plan",
    ":PROPERTIES:",
    `:MINUTES:  ${minutes}`,
    ...(spendingCap === null ? [] : [`:DOLLARS:  ${spendingCap / 1_000_000}`]),
    ":END:",
    ...steps.map(
      ({ words, times, used }) =>
        `- [${used >= times ? "X" : " "}] ${times === 1 ? "" : `${times}x `}${words.replaceAll("\n", " ")}`,
    ),
  ].join("\n");
}

/** Reads steps that are written one a line, or as an Org node: list marks and check boxes are left out, and the properties MINUTES and DOLLARS are limits. */
export function readWrittenPlan(text: string): WrittenPlan {
  const lines = text.split("\n").map((line) => line.trim());
  const property = (name: string): number | null => {
    const value = lines.find((line) => line.toUpperCase().startsWith(`:${name}:`))?.split(/\s+/)[1];
    const number = Number(value ?? "");
    return value !== undefined && Number.isFinite(number) && number > 0 ? number : null;
  };
  const steps = lines.filter((line) => line !== "" && !/^(\*+ |:[A-Za-z_-]+:|#)/.test(line));
  const [minutes, dollars] = [property("MINUTES"), property("DOLLARS")];
  return {
    steps: steps.map((line) => line.replace(/^(?:[-+]|\d+[.)]) (?:\[[ xX-]\] )?/, "")),
    ...(minutes === null ? {} : { minutes: Math.ceil(minutes) }),
    ...(dollars === null ? {} : { dollars }),
  };
}
