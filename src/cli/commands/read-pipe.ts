import type { Io } from "../../kernel/io.ts";
import { longestResult } from "../../signal/bound-result.ts";
import { openCollector } from "../../text/collector.ts";

/** Milliseconds after which a pipe that gives nothing is named, and after which it is not waited for. */
const patience = { telling: 2_000, waiting: 30_000 };

/** Stands for bytes that are no text in UTF-8. */
const replacement = "\uFFFD";

/**
 * Reads what comes by a pipe beside the words of a command, to its end: the head and the tail of what is
 * long, and that it is no text. Empty where standard input is a terminal, or gives nothing.
 */
export async function readPipe(
  io: Pick<Io, "input" | "err">,
  { telling, waiting } = patience,
): Promise<string> {
  if (io.input.isTTY === true) return "";
  const collector = openCollector(longestResult);
  let hasOddBytes = false;
  const { promise: given, resolve: giveUp } = Promise.withResolvers<"silent">();
  const tell = setTimeout(
    () => io.err("Waiting for standard input, which is a pipe. Without one: < /dev/null\n"),
    telling,
  );
  const end = setTimeout(() => giveUp("silent"), waiting);
  const stopClocks = (): void => {
    clearTimeout(tell);
    clearTimeout(end);
  };
  const read = async (): Promise<void> => {
    for await (const chunk of io.input) {
      stopClocks();
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      const isReplaced = collector.add(bytes).includes(replacement);
      hasOddBytes ||= isReplaced && !Buffer.from(bytes).includes(replacement);
    }
  };
  const ended = await Promise.race([read(), given]);
  stopClocks();
  if (ended === "silent") {
    // A pipe that is still read keeps the process from ending.
    io.input.destroy?.();
    io.err(`Nothing came by standard input in ${waiting / 1000} s, so this is asked without it.\n`);
    return "";
  }
  const { text, cutFrom, isText } = collector.collected();
  if (!isText)
    io.err(
      "Standard input is no text, so only its size is sent. Write it into a file and attach that with --attach.\n",
    );
  else if (hasOddBytes)
    io.err(
      "Standard input is not all UTF-8: what is in another encoding is sent as \uFFFD. Convert it before, such as by iconv -f LATIN1 -t UTF-8.\n",
    );
  if (cutFrom !== null)
    io.err(
      `Standard input has ${cutFrom.toLocaleString("en-US")} characters; the first and the last of them are sent. Write it into a file and name that, so that all can be read.\n`,
    );
  return text.trim() === "" ? "" : text;
}
