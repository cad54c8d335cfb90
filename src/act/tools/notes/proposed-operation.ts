import * as z from "zod";
import type { Operation } from "#org";

type KeyOf<T> = T extends unknown ? keyof T : never;

const word = z.string().optional();
const keys = {
  at: word.describe("title or ID"),
  state: word,
  value: word.describe("<2024-02-01 +1w>, :tags:, A, …"),
  key: word,
  to: word,
  where: word.describe("under|after|before"),
  title: word,
  text: word,
  date: word,
  under: word,
  note: word,
  line: z.int().min(1).optional(),
} satisfies Record<Exclude<KeyOf<Operation>, "op">, z.ZodType>;

const words: readonly Operation["op"][] = [
  "todo",
  "schedule",
  "deadline",
  "tags",
  "priority",
  "put",
  "delete-property",
  "id",
  "clock-in",
  "clock-out",
  "archive-tag",
  "archive-sibling",
  "archive",
  "refile",
  "checkbox",
  "insert",
  "paste",
  "move",
  "promote",
  "demote",
  "title",
  "append",
  "body",
  "capture",
];

/** One operation as it is declared to the model, briefly. An operation whose keys do not fit together is refused with the reason. */
export const proposedOperationSchema = z.strictObject({ op: z.enum(words), ...keys });

/** An operation as the model proposed it; its keys are not yet checked against each other. */
export type ProposedOperation = z.infer<typeof proposedOperationSchema>;
