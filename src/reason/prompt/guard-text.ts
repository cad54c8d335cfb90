/**
 * Stands in a prompt before words of others that imitate the program's own lines, and inside what local models read as control tokens. Where the text
 * has the mark there already, it gets another, so that `unguardText` gives back the very bytes.
 */
const mark = "‡";

/** `<|im_end|>`, `</s>`, `[INST]`, `<<SYS>>`, `<start_of_turn>` and their like, up to and after the place of the mark. */
const tokenNames =
  "s|bos|eos|pad|unk|mask|cls|sep|sop|eop|im_start|im_end|im_sep|endoftext|think|thinking|turn|(?:start|end)_of_\\w+|\\w*soft_token|tools?|tool_(?:call|response|result|code|output)s?|function_(?:call|result)s?|fim_\\w+|extra_id_\\d+|unused\\d+|reserved_\\w+|special_\\d+|(?:seed|minimax):\\w+|longcat_\\w+|hy_\\w+|(?:bos|eos|pad|unk|cls|sep|mask|eop)_token|eo[admht]|file_sep|repo_name|ifm[|]\\w+|\\w{1,30}[|｜]|arg_(?:key|value)|(?:function|parameter)=[\\w.-]{1,64}";
const bracketNames =
  "INST|AVAILABLE_TOOLS|TOOL_CALLS?|TOOL_RESULTS?|TOOL_CONTENT|SYSTEM_PROMPT|ARGS|CALL_ID|THINK|IMG\\w*|g?MASK|CLS|SEP|BOS|EOS|PAD|UNK|UNUSED_TOKEN_\\d+";
const tokenRest = `(?=[|｜]\\S|/?(?:${tokenNames})\\s{0,8}/?\\s{0,8}[>＞]|<\\s{0,8}/?SYS\\s{0,8}>>|/?(?:${bracketNames})[\\]］]|(?<=\\]${mark}*)~!?b[[\\]]|e~\\[)`;
/** What a control token begins with; the closing bracket begins those of MiniMax. */
const tokenBegin = `[<＜[［]|\\](?=${mark}*~)`;
const token = new RegExp(`(${tokenBegin})(${mark}*)${tokenRest}`, "gi");
const markedToken = new RegExp(`(${tokenBegin})${mark}(${mark}*)${tokenRest}`, "gi");

/** The beginnings of lines where a mark may stand, and marks in the middle of lines. */
const lineStarts = new RegExp(`(?<=^|[\\n\\r\\v\\f\\u0085\\u2028\\u2029])${mark}*|${mark}+`, "g");
const lineEnd = /[\n\r\v\f\u0085\u2028\u2029]/;

/** Characters that are compared of a line, and after a mark inside a line. */
const lineLength = 512;
const insideLength = 32;

/** The program's own lines, folded: sections, live numbers, marks of the frame, results, and the role lines of simple templates. */
const ownLine =
  /^(?:(?:(?:PRIVATE )?CONTEXT|LOGS|TIME|IDENTITY|CONFIG|TOOLS|RULES|APPROVALS|USER|ASSISTANT|SYSTEM|Human|Assistant)[^\p{L}\p{N}]*:|TOOL ?\[[^\]]*\] ?RESULT|ERROR ?\[[^\]]*\] ?:|ATTACHED FILE\b)/u;
const ownLineInAnyCase =
  /^(?:(?:RULES|APPROVALS)[^\p{L}\p{N}]*:[^\p{L}\p{N}]*\d|(?:PRIVATE CONTEXT|WHERE YOU ARE|HOW TO WORK|WHAT IS ALLOWED|HOW TO ACT|ORDERS OF THIS FOLDER|PREVIOUS PROPOSAL REJECTED)[^\p{L}\p{N}]*:|LIVE STATE FROM THE PROGRAM|END OF LIVE STATE)/iu;
const templateHeading =
  /^\P{L}*###\P{L}*(?:Instruction|Response|Input|System|User|Assistant|Human)[^\p{L}:]*:/iu;

/**
 * The one way of a text of others (notes, results, words, identity) into a prompt. Lines that look like the program's own get the mark ‡ before them, and
 * control tokens of local models' templates are broken by it: `<‡|im_end|>`. The model sees the marks; what it copies into an action is read back
 * by `unguardText`, so that an edit by old text meets the real bytes.
 */
export function guardText(text: string): string {
  return guardTokens(
    text.replace(lineStarts, (marks, at: number) => (isOwnLine(text, at, marks) ? marks + mark : marks)),
  );
}

/** Breaks control tokens only: for the model's own words, which stand in a message of its own. */
export function guardTokens(text: string): string {
  return text.replace(token, `$1$2${mark}`);
}

/** The inverse of `guardTokens`. */
export function unguardTokens(text: string): string {
  return text.replace(markedToken, "$1$2");
}

/** Takes the marks out of a text that a model wrote: the inverse of `guardText`. */
export function unguardText(text: string): string {
  const bare = unguardTokens(text);
  return bare.replace(lineStarts, (marks, at: number) =>
    marks !== "" && isOwnLine(bare, at, marks) ? marks.slice(mark.length) : marks,
  );
}

function isOwnLine(text: string, at: number, { length }: string): boolean {
  const start = at + length;
  const isInside = at > 0 && !lineEnd.test(text.charAt(at - 1));
  const [line = ""] = text.slice(start, start + (isInside ? insideLength : lineLength)).split(lineEnd, 1);
  if (isInside && !/^[^\p{L}\p{N}‡]*[\p{L}\p{N}]/u.test(line)) return false;
  if (!/[:：﹕∶\]]|state/iu.test(line)) return false;
  const folded = line
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{M}]/gu, "")
    .replaceAll("∶", ":");
  const words = folded.replace(/^[^\p{L}\p{N}]+/u, "").replace(/\s+/g, " ");
  return ownLine.test(words) || ownLineInAnyCase.test(words) || templateHeading.test(folded.trim());
}
