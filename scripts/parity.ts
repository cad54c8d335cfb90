import type { TestOutcome } from "./outcome.ts";

/** What the checker of the parity table needs to know of the world. */
export type ParityParts = {
  readonly table: string;
  readonly outcomes: readonly TestOutcome[];
  readonly fileExists: (path: string) => boolean;
  /** Whether a row whose test was skipped counts: it does where a person's machine lacks a program, and not in CI. */
  readonly allowSkipped: boolean;
};

type Row = {
  readonly line: number;
  readonly id: string;
  readonly status: string;
  readonly livesIn: string;
  readonly test: string;
};

const header = "| id | behaviour | status | lives in | test |";
const statuses = ["done", "later", "inverted", "not kept", "n/a"];

/** Everything that is untrue in the parity table, in words; empty where each row that claims to be done has its file and a test that passed. */
export function checkParity(parts: ParityParts): readonly string[] {
  const problems: string[] = [];
  const rows: Row[] = [];
  for (const { line, cells } of tableLines(parts.table)) {
    const [id = "", behaviour = "", status = "", livesIn = "", test = ""] = cells;
    const fault = formFault(cells, rows);
    if (fault !== null) problems.push(`line ${line}: ${fault}`);
    else rows.push({ line, id, status, livesIn, test });
    if (fault === null && behaviour === "") problems.push(`line ${line}: ${id} names no behaviour`);
  }
  if (rows.length === 0) problems.push(`the table has no rows (each table begins with "${header}")`);
  for (const row of rows) {
    if (row.status !== "done" && row.status !== "inverted") continue;
    problems.push(...claimFaults(row, parts).map((fault) => `line ${row.line}: ${row.id} ${fault}`));
  }
  return problems;
}

/** A row that claims to be done, with the files that it lives in and the tests that prove it. */
export type ProvedRow = {
  readonly id: string;
  readonly files: readonly string[];
  readonly tests: readonly { readonly file: string; readonly name: string }[];
};

/** The rows that claim to be done. */
export function readRows(table: string): readonly ProvedRow[] {
  return tableLines(table).flatMap(({ cells: [id = "", , status = "", livesIn = "", test = ""] }) => {
    if (status !== "done" && status !== "inverted") return [];
    const files = [...livesIn.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
    const tests = [...test.matchAll(/`([^`]+?) › ([^`]+)`/g)].map(([, file = "", name = ""]) => ({
      file,
      name,
    }));
    return [{ id, files, tests }];
  });
}

/** Every line of every table but its header and rule; a line under another header has its cells and so fails by their number or status. */
function tableLines(table: string): readonly { readonly line: number; readonly cells: readonly string[] }[] {
  const found: { line: number; cells: readonly string[] }[] = [];
  let inside = false;
  for (const [index, text] of table.split("\n").entries()) {
    const isRow = text.trimStart().startsWith("|");
    const isHeader = !inside && splitCells(text).join("|") === splitCells(header).join("|");
    if (isRow && !isHeader && !/^[\s|:-]+$/.test(text))
      found.push({ line: index + 1, cells: splitCells(text) });
    inside = isRow;
  }
  return found;
}

/** Cells between bars; a bar after a backslash or between backticks is text. */
function splitCells(text: string): readonly string[] {
  const inner = text.trim().replace(/^\|/, "").replace(/\|$/, "");
  const pieces = inner.match(/`[^`]*`|\\.|[^|]|\|/gs) ?? [];
  const cells = [""];
  for (const piece of pieces) {
    if (piece === "|") cells.push("");
    else cells.push(`${cells.pop() ?? ""}${piece === "\\|" ? "|" : piece}`);
  }
  return cells.map((cell) => cell.trim());
}

function formFault(cells: readonly string[], rows: readonly Row[]): string | null {
  const [id = "", , status = ""] = cells;
  if (cells.length !== 5) return `a row needs 5 cells and has ${cells.length}: ${cells.join(" | ")}`;
  if (id === "") return "a row has no id";
  if (rows.some((row) => row.id === id)) return `the id ${id} is used twice`;
  if (!statuses.includes(status)) return `${id} has the status "${status}"; known are ${statuses.join(", ")}`;
  return null;
}

function claimFaults(row: Row, parts: ParityParts): readonly string[] {
  const faults: string[] = [];
  const places = [...row.livesIn.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
  if (places.length === 0) faults.push("names no `path` that it lives in");
  for (const place of places)
    if (!parts.fileExists(place)) faults.push(`lives in ${place}, which does not exist`);
  const tests = [...row.test.matchAll(/`([^`]+?) › ([^`]+)`/g)];
  if (tests.length === 0) faults.push("names no test in the form `path › exact test name`");
  for (const [, file = "", name = ""] of tests) faults.push(...testFaults(file, name, parts));
  return faults;
}

function testFaults(
  file: string,
  name: string,
  { outcomes, fileExists, allowSkipped }: ParityParts,
): readonly string[] {
  if (!fileExists(file)) return [`is proved by ${file}, which does not exist`];
  const faults: string[] = [];
  const ran = outcomes.filter(
    (outcome) => outcome.file === file && (outcome.name === name || outcome.name.endsWith(` › ${name}`)),
  );
  if (ran.length === 0) faults.push(`is proved by "${name}" in ${file}, which did not run`);
  for (const { outcome, reason } of ran) {
    if (outcome === "failed") faults.push(`is proved by "${name}" in ${file}, which failed`);
    if (outcome === "skipped" && !allowSkipped) {
      faults.push(`is proved by "${name}" in ${file}, which was skipped: ${reason}`);
    }
  }
  return faults;
}
