/** Whether an awk program only computes and prints: it runs no program, opens no file and reads no environment. Reads it token by token; whatever it cannot read for certain is not harmless. */
export function isHarmlessAwk(program: string): boolean {
  if (forbidden.test(program)) return false;
  const scan: Scan = { rest: program, before: "start", openers: [], printing: false };
  while (scan.rest !== "") {
    if (!readToken(scan)) return false;
  }
  return scan.openers.length === 0;
}

/** Words that reach files, programs or the environment. They count in texts too, so that no misreading can hide one. */
const forbidden = /\b(?:system|getline|ENVIRON|PROCINFO|ARGV|ARGC|ARGIND|SYMTAB|FUNCTAB)\b/;

/** What stood before: it decides whether a `/` divides or begins a regular expression. */
type Before = "start" | "operand" | "operator" | "condition" | "unclear";
type Scan = {
  rest: string;
  before: Before;
  /** The open brackets; `condition` for that of `if`, `while` and `for`, after which a statement begins. */
  openers: ("(" | "condition" | "[" | "{")[];
  /** Whether the statement prints: a `>` would then write to a file, and a `|` run a program. */
  printing: boolean;
};

const functions = new Set(
  (
    "length substr index split sub gsub match sprintf tolower toupper int sqrt exp log sin cos atan2 rand srand gensub strftime systime " +
    "mktime asort asorti strtonum and or xor lshift rshift compl patsplit"
  ).split(" "),
);
const keywords = new Map<string, Before>([
  ...["else", "do"].map((word) => [word, "start"] as const),
  ...["if", "while", "for"].map((word) => [word, "condition"] as const),
  ..."BEGIN END in next nextfile exit break continue delete"
    .split(" ")
    .map((word) => [word, "unclear"] as const),
]);

function readToken(scan: Scan): boolean {
  const blank = /^[ \t\r]+/.exec(scan.rest)?.[0];
  if (blank !== undefined) return take(scan, blank, scan.before);
  const ended = /^(?:;|\n)/.exec(scan.rest)?.[0];
  if (ended !== undefined) return endStatement(scan, ended, scan.printing && scan.before === "operator");
  const text = /^"(?:[^"\\\n]|\\.)*"/.exec(scan.rest)?.[0];
  if (text !== undefined) return take(scan, text, "operand");
  const number = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(scan.rest)?.[0];
  if (number !== undefined) return take(scan, number, "operand");
  const word = /^[A-Za-z_][A-Za-z0-9_]*/.exec(scan.rest)?.[0];
  if (word !== undefined) return readWord(scan, word);
  if (scan.rest.startsWith("/")) return readSlash(scan);
  return readSign(scan);
}

function take(scan: Scan, text: string, before: Before): true {
  scan.rest = scan.rest.slice(text.length);
  scan.before = before;
  return true;
}

/** A line that ends in an operator goes on in the next. */
function endStatement(scan: Scan, text: string, goesOn = false): true {
  scan.printing = goesOn;
  return take(scan, text, "start");
}

function readWord(scan: Scan, word: string): boolean {
  if (word === "print" || word === "printf") {
    scan.printing = true;
    return take(scan, word, "operator");
  }
  const after = keywords.get(word);
  if (after !== undefined) return take(scan, word, after);
  const called = scan.rest.charAt(word.length) === "(";
  if (called && !functions.has(word)) return false;
  // `func` and `function` define what would be called; `switch`, `case`, `return` belong to what is not read here.
  if (/^(?:func|function|switch|case|default|return|BEGINFILE|ENDFILE)$/.test(word)) return false;
  return take(scan, word, !called && functions.has(word) ? "unclear" : "operand");
}

function readSlash(scan: Scan): boolean {
  if (scan.before === "operand") return take(scan, scan.rest.startsWith("/=") ? "/=" : "/", "operator");
  if (scan.before === "unclear" || scan.before === "condition") return false;
  const regular = /^\/(?:[^/\\\n[]|\\.|\[\^?\]?[^\]\\\n/]*\])+\//.exec(scan.rest)?.[0];
  return regular !== undefined && take(scan, regular, "operand");
}

function readSign(scan: Scan): boolean {
  const sign = /^(?:\+\+|--|\|\||&&|[-+*%^=!<>]=|!~|[-+*%^=!<>~?:,$(){}[\]])/.exec(scan.rest)?.[0];
  if (sign === undefined || (sign === ">" && scan.printing)) return false;
  if (/^[([{]$/.test(sign)) return open(scan, sign);
  if (/^[)\]}]$/.test(sign)) return close(scan, sign);
  return take(scan, sign, /^(?:\+\+|--|\$)$/.test(sign) ? "unclear" : "operator");
}

function open(scan: Scan, sign: string): boolean {
  if (sign === "{") {
    if (scan.openers.some((opener) => opener !== "{")) return false;
    scan.openers.push("{");
    return endStatement(scan, sign);
  }
  const isCondition = sign === "(" && scan.before === "condition";
  scan.openers.push(sign === "[" ? "[" : isCondition ? "condition" : "(");
  return take(scan, sign, "operator");
}

function close(scan: Scan, sign: string): boolean {
  const opener = scan.openers.pop();
  const closes = opener === "condition" ? ")" : opener === "(" ? ")" : opener === "[" ? "]" : "}";
  if (opener === undefined || closes !== sign) return false;
  if (sign === "}") return endStatement(scan, sign);
  return take(scan, sign, opener === "condition" ? "unclear" : "operand");
}
