import { z } from "zod";
import type { Operation } from "#org";

const line = z.string().regex(/^[^\n\r]*$/, "must be one line");
const at = line.min(1).describe("the heading's title, its ID or its CUSTOM_ID");
const text = z.string().describe("Org text; headings in it are raised or lowered to fit");

/** The closed schema of one edit of an Org file. Anything that is not listed here is refused. */
export const operationSchema: z.ZodType<Operation> = z.discriminatedUnion("op", [
  z.strictObject({
    op: z.literal("todo"),
    at,
    state: line.describe("a TODO word of the file; nothing takes the word away"),
    note: z.string().optional().describe("goes with what is logged"),
  }),
  z.strictObject({
    op: z.enum(["schedule", "deadline"]),
    at,
    value: line.describe(
      "2024-02-01, 2024-02-01 10:00, +2d, or <2024-02-01 Thu +1w> to repeat; nothing removes",
    ),
    note: z.string().optional(),
  }),
  z.strictObject({ op: z.literal("tags"), at, value: line.describe(":a:b:; nothing removes all") }),
  z.strictObject({ op: z.literal("priority"), at, value: line.describe("A, B, …; nothing removes") }),
  z.strictObject({ op: z.literal("put"), at, key: line.min(1), value: line }),
  z.strictObject({ op: z.literal("delete-property"), at, key: line.min(1) }),
  z.strictObject({
    op: z.enum(["id", "clock-in", "clock-out", "archive-tag", "archive-sibling", "archive"]),
    at,
  }),
  z.strictObject({ op: z.literal("refile"), at, to: at, note: z.string().optional() }),
  z.strictObject({ op: z.literal("checkbox"), line: z.int().positive() }),
  z.strictObject({
    op: z.literal("insert"),
    at: at.optional(),
    where: z.enum(["under", "after", "before"]).optional(),
    title: line.min(1),
    text: text.optional(),
  }),
  z.strictObject({
    op: z.literal("paste"),
    at: at.optional(),
    where: z.enum(["under", "after", "before"]).optional(),
    text,
  }),
  z.strictObject({ op: z.literal("move"), at, to: z.enum(["up", "down"]) }),
  z.strictObject({ op: z.enum(["promote", "demote"]), at }),
  z.strictObject({ op: z.literal("title"), at, value: line.min(1) }),
  z.strictObject({ op: z.enum(["append", "body"]), at, text: z.string() }),
  z.strictObject({
    op: z.literal("capture"),
    title: line.min(1),
    text: text.optional(),
    date: line.optional().describe("a date; today if it is left out"),
    under: at.optional().describe("the heading that the tree of dates stands below"),
  }),
]);
