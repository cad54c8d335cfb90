import { z } from "zod";
import { says } from "../../../test/door-world.ts";
import type { Step } from "../../../test/loopback-provider.ts";
import type { Message } from "../../signal/message.ts";
import {
  answer,
  attached,
  callOf,
  failedResultOf,
  raw,
  rejected,
  resultOf,
} from "./past-messages.fixture.ts";

/** The body of a chat completion. */
export const chat = z.object({
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.unknown().optional(),
      tool_calls: z.array(z.looseObject({ id: z.string() })).optional(),
      tool_call_id: z.string().optional(),
    }),
  ),
});
type Sent = z.infer<typeof chat>["messages"];

export const has =
  (pattern: RegExp) =>
  (_: Sent, body: string): boolean =>
    pattern.test(body);
const inARow = (one: string, next: string) => (sent: Sent) =>
  sent.some(({ role }, at) => role === one && sent[at + 1]?.role === next);
const idsBeyond = (allowed: RegExp) => (sent: Sent) =>
  sent.some(({ tool_call_id: id }) => id !== undefined && !allowed.test(id));
const besideCalls = (sent: Sent) =>
  sent.some(
    ({ tool_calls, content }) => tool_calls !== undefined && typeof content === "string" && content !== "",
  );
const longer =
  (bytes: number) =>
  (_: Sent, body: string): boolean =>
    body.length > bytes;

/** What stands in the past (`turn`: in the turn under way), what a server refuses, and how it says so. */
export type Poison = {
  readonly what: string;
  readonly past?: readonly Message[];
  readonly turn?: readonly Message[];
  readonly refuses: (sent: Sent, body: string) => boolean;
  readonly status?: number;
  readonly says?: string;
  /** What it answers instead of saying so. */
  readonly answers?: Step;
  readonly model?: string;
};

/** A turn with a picture. */
export const picture = [says("look"), attached("image/png"), answer("I see.")];
/** A turn with a call. */
export const steps = [says("read a"), callOf("call-1"), resultOf("call-1", "a's text"), answer("Done.")];
/** A call that holds 3,000 lists, each in the one before. */
const argumentsText = `{"path":${"[".repeat(3_000)}${"]".repeat(3_000)}}`;
const nested = { kind: "call", id: "z", name: "read-file", argumentsText, metadata: null };
const anImage = has(/image_url/);
const bad = has(/POISON/);

/** Everything that a provider may refuse. */
export const poisons: readonly Poison[] = [
  ...[400, 413, 415, 422, 500].map((status) => ({
    what: `a picture that is refused with ${status}`,
    past: picture,
    refuses: anImage,
    status,
  })),
  {
    what: "a picture of a kind that a model does not take",
    past: picture,
    refuses: anImage,
    says: "model gpt-4o: image input is not supported",
  },
  {
    what: "a picture that is called a bad key word",
    past: picture,
    refuses: anImage,
    says: "Invalid value: 'image_url'",
  },
  { what: "the picture of this turn", turn: [attached("image/png")], refuses: anImage },
  { what: "two pictures", past: [...picture, ...steps, ...picture], refuses: anImage },
  {
    what: "a PDF file",
    past: [says("read"), attached("application/pdf", "its text"), answer("Read.")],
    refuses: has(/application\/pdf/),
  },
  ...["call:1", "toolu_01|fc_9", "", "x".repeat(90), "call_abcdefghijklmnop", "ü1"].map((id) => ({
    what: `the id "${id.slice(0, 12)}" of another provider's call, where ids are nine letters`,
    past: [says("read a"), callOf(id), resultOf(id, "text"), answer("Done.")],
    refuses: idsBeyond(/^[A-Za-z0-9]{9}$/),
  })),
  {
    what: "an id with a colon",
    past: [says("a"), callOf("a:b"), resultOf("a:b", "t"), answer("Done.")],
    refuses: idsBeyond(/^[A-Za-z0-9_-]+$/),
  },
  {
    what: "an id of 90 letters",
    past: [says("a"), callOf("y".repeat(90)), resultOf("y".repeat(90), "t"), answer("D")],
    refuses: idsBeyond(/^.{1,40}$/),
  },
  {
    what: "an id of another form in kept parts",
    past: [
      says("a"),
      answer("", {
        ...callOf("z.9"),
        provider: "first",
        raw: raw([{ kind: "call", id: "z.9", name: "read-file", argumentsText: "{}", metadata: null }]),
      }),
      resultOf("z.9", "t"),
      answer("D"),
    ],
    refuses: idsBeyond(/^[A-Za-z0-9_-]+$/),
  },
  {
    what: "text beside calls",
    past: [says("a"), callOf("c1", "a", "I look."), resultOf("c1", "t"), answer("D")],
    refuses: besideCalls,
  },
  {
    what: "text beside calls, told by a template with 500",
    past: [says("a"), callOf("c1", "a", "I look."), resultOf("c1", "t"), answer("D")],
    refuses: besideCalls,
    status: 500,
  },
  {
    what: "two messages of a person in a row",
    past: [says("first"), says("second")],
    refuses: inARow("user", "user"),
  },
  {
    what: "two messages in a row, told by a template",
    past: [says("first")],
    refuses: inARow("user", "user"),
    status: 500,
    says: "Conversation roles must alternate user/assistant/user/assistant/...",
  },
  {
    what: "two answers in a row",
    past: [says("a"), answer("one"), answer("two")],
    refuses: inARow("assistant", "assistant"),
  },
  { what: "a message of a person behind a result", past: steps.slice(0, 3), refuses: inARow("tool", "user") },
  {
    what: "a rejection behind a result in this turn",
    turn: [...steps.slice(1, 3), rejected("no")],
    refuses: inARow("tool", "user"),
  },
  { what: "an answer before any words", past: [answer("I begin.")], refuses: inARow("system", "assistant") },
  {
    what: "words of a person that are refused",
    past: [...steps, says("POISON"), answer("D"), ...steps],
    refuses: bad,
  },
  {
    what: "an answer that is refused",
    past: [...steps, says("a"), answer("POISON"), ...steps],
    refuses: bad,
  },
  {
    what: "a result that is refused",
    past: [says("a"), callOf("c1"), resultOf("c1", "POISON"), answer("D"), ...steps],
    refuses: bad,
  },
  {
    what: "a result with a refused field",
    past: [says("a"), callOf("c1"), resultOf("c1", { text: ["POISON"] }), answer("D")],
    refuses: bad,
    says: "flagged by moderation",
  },
  {
    what: "arguments that are refused",
    past: [says("a"), callOf("c1", "POISON"), resultOf("c1", "t"), answer("D")],
    refuses: bad,
  },
  { what: "a rejection that is refused", past: [says("a"), rejected("POISON"), answer("D")], refuses: bad },
  {
    what: "the text of a file that is refused",
    past: [says("a"), attached("application/pdf", "POISON"), answer("D")],
    refuses: bad,
  },
  {
    what: "a result of this turn that is refused",
    turn: [callOf("c1"), resultOf("c1", "POISON")],
    refuses: bad,
  },
  {
    what: "a failure that is refused",
    past: [says("a"), callOf("c1"), failedResultOf("c1", "POISON"), answer("D")],
    refuses: bad,
  },
  {
    what: "thinking that is refused",
    past: [
      says("a"),
      answer("D", {
        provider: "first",
        raw: raw([
          { kind: "thinking", text: "POISON", metadata: null },
          { kind: "text", text: "D", metadata: null },
        ]),
      }),
    ],
    refuses: bad,
  },
  {
    what: "details of thinking that are refused",
    past: [
      says("a"),
      answer("D", {
        provider: "first",
        raw: raw([
          {
            kind: "thinking",
            text: "",
            metadata: { openrouter: { reasoning_details: [{ type: "x", data: "POISON" }] } },
          },
          { kind: "text", text: "D", metadata: null },
        ]),
      }),
    ],
    refuses: has(/reasoning_details/),
  },
  {
    what: "half of an emoji",
    past: [says("a"), callOf("c1"), resultOf("c1", "half \ud83d"), answer("D")],
    refuses: has(/\\ud83d/),
  },
  { what: "words without a letter", past: [says("  "), answer("D")], refuses: has(/"content":"\s*"/) },
  {
    what: "an answer of blanks",
    past: [
      says("a"),
      answer("", { provider: "first", raw: raw([{ kind: "text", text: " ", metadata: null }]) }),
    ],
    refuses: has(/"content":"\s+"/),
  },
  {
    what: "one poison of each of three kinds",
    past: [...picture, says("POISON"), answer("D"), says("b")],
    refuses: (sent, body) => anImage(sent, body) || bad(sent, body) || inARow("user", "user")(sent),
  },
  {
    what: "a past that is too large (413)",
    past: Array.from({ length: 12 }, () => says("x".repeat(900))),
    refuses: longer(4_000),
    status: 413,
  },
  {
    what: "a running turn that is too long",
    turn: Array.from({ length: 8 }, (_, at) => [
      callOf(`c${at}`),
      resultOf(`c${at}`, "y".repeat(9_000)),
    ]).flat(),
    refuses: longer(16_000),
    says: "prompt is too long",
  },
  {
    what: "a running turn whose failures are too long",
    turn: Array.from({ length: 8 }, (_, at) => [
      callOf(`c${at}`),
      failedResultOf(`c${at}`, "y".repeat(9_000)),
    ]).flat(),
    refuses: longer(16_000),
    says: "prompt is too long",
  },
  {
    what: "a running turn whose arguments are too long",
    turn: Array.from({ length: 4 }, (_, at) => [
      callOf(`c${at}`, "z".repeat(20_000)),
      resultOf(`c${at}`, "ok"),
    ]).flat(),
    refuses: longer(24_000),
    says: "maximum context length",
  },
  {
    what: "arguments that nest deep",
    past: [says("look"), answer("", { provider: "first", raw: raw([nested]) }), answer("Done.")],
    refuses: () => false,
  },
  {
    what: "pictures of earlier turns that are too large (413)",
    past: [...picture, ...picture, ...picture],
    refuses: (_, body) => body.split("image_url").length > 4,
    status: 413,
  },
];
