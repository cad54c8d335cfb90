import { skipBlanks } from "../text/lines.ts";
import type { Timestamp } from "../time/timestamp.ts";
import type { NodeOf } from "./node.ts";

/** The node of a timestamp, with the blanks behind it, up to `limit`. */
export function timestampNode(text: string, timestamp: Timestamp, limit: number): NodeOf<"timestamp"> {
  const end = skipBlanks(text, timestamp.end, limit);
  return {
    type: "timestamp",
    begin: timestamp.begin,
    end,
    contentsBegin: -1,
    contentsEnd: -1,
    postBlank: end - timestamp.end,
    postAffiliated: timestamp.begin,
    affiliated: null,
    properties: { timestamp },
    children: [],
  };
}
