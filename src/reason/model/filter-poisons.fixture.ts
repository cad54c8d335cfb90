import { says } from "../../../test/door-world.ts";
import type { Step } from "../../../test/loopback-provider.ts";
import { answer, callOf, resultOf } from "./past-messages.fixture.ts";
import { has, type Poison, picture, steps } from "./poisons.fixture.ts";

const bad = has(/POISON/);

const streamed = (part: object): Step => ({
  status: 200,
  headers: { "content-type": "text/event-stream" },
  body: `data: ${JSON.stringify(part)}\n\ndata: [DONE]\n\n`,
});

/** What filters of content refuse, and how they do so. */
export const filterPoisons: readonly Poison[] = [
  {
    what: "a picture that a filter flags",
    past: picture,
    refuses: has(/image_url/),
    says: "flagged by content_filter",
  },
  ...[401, 403, 451].map((status) => ({
    what: `a result that moderation flags with ${status}`,
    past: [says("read a"), callOf("call-1"), resultOf("call-1", "POISON"), answer("Done.")],
    refuses: bad,
    status,
    says: 'Your model requires moderation, and your input was flagged for "violence".',
  })),
  {
    what: "a result that may not be shown by law",
    past: [says("read a"), callOf("call-1"), resultOf("call-1", "POISON"), answer("Done.")],
    refuses: bad,
    status: 451,
    says: "not here",
  },
  ...(
    [
      [
        "ends with a content filter",
        streamed({ choices: [{ index: 0, delta: {}, finish_reason: "content_filter" }] }),
      ],
      ["answers with nothing", { text: "" }],
      ["flags in its stream", streamed({ error: { message: "The prompt was flagged by moderation" } })],
    ] as const
  ).flatMap(([how, answers]) => [
    {
      what: `a result at which a server ${how}`,
      past: [says("read a"), callOf("call-1"), resultOf("call-1", "POISON"), answer("Done.")],
      refuses: bad,
      answers,
    },
    {
      what: `a result of this turn at which a server ${how}`,
      past: steps,
      turn: [callOf("call-2"), resultOf("call-2", "POISON")],
      refuses: bad,
      answers,
    },
    {
      what: `earlier words at which a server ${how}`,
      past: [says("POISON"), answer("No.")],
      refuses: bad,
      answers,
    },
  ]),
];
