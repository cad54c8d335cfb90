import { longestMessage } from "./message-limits.ts";
import { ServerFailure } from "./server-failure.ts";

/** Reads the data of one event; null for data that is none. */
type ReadData = (data: string) => string | null;

/**
 * A stream of events with the data of each read. A line ends in LF, CR or both, as the standard has it, so
 * that no event waits for a further byte; a last event counts without the blank line behind it.
 */
export async function* readEvents(
  pieces: AsyncIterable<Uint8Array>,
  read: ReadData,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let event: string[] = [];
  let rest = "";
  let size = 0;
  let isAfterReturn = false;
  const end = (): Uint8Array => {
    const said = printEvent(event, read);
    event = [];
    size = 0;
    return encoder.encode(said);
  };
  // What stands first is not stripped once more: a mark of a byte order before a field makes it another one.
  yield encoder.encode(":\n");
  for await (const piece of pieces) {
    let text = decoder.decode(piece, { stream: true });
    if (text === "") continue;
    if (isAfterReturn && text.startsWith("\n")) text = text.slice(1);
    isAfterReturn = text.endsWith("\r");
    const [first = "", ...more] = text.split(/\r\n|\r|\n/);
    const lines = [rest + first, ...more];
    rest = lines.pop() ?? "";
    for (const line of lines) {
      size += line.length;
      if (line === "") yield end();
      else event.push(line);
    }
    if (size + rest.length > 2 * longestMessage) throw new ServerFailure(tooLong);
  }
  if (rest !== "") event.push(rest);
  if (event.length > 0) yield end();
}

const tooLong = `it sent a message of more than ${longestMessage} bytes`;

/**
 * An event with its data on one line. One of another kind than `message` stays as it is, and so does one
 * without data. Its last kind counts, and an empty one is `message`, as the standard has it.
 */
function printEvent(lines: readonly string[], read: ReadData): string {
  const fields = lines.map((line) => /^([^:]*):? ?(.*)$/s.exec(line) ?? []);
  const data = fields.flatMap(([, name, value = ""]) => (name === "data" ? [value] : []));
  const kind = fields.findLast(([, name]) => name === "event")?.[2] ?? "";
  const isMessage = kind === "" || kind === "message";
  if (data.length === 0 || !isMessage) return `${lines.join("\n")}\n\n`;
  const said = read(data.join("\n"));
  const others = lines.filter((_, at) => fields[at]?.[1] !== "data");
  return `${[...others, ...(said === null ? [] : [`data: ${said}`])].join("\n")}\n\n`;
}
