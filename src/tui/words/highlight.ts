import type { Theme } from "../screen/theme.ts";

const words =
  "abstract|and|as|async|await|break|case|catch|class|const|continue|def|default|defun|defmacro|delete|do|done|elif|else|end|enum|esac|except|export|extends|fi|finally|fn|for|from|func|function|if|implements|import|impl|in|interface|is|lambda|let|loop|match|mod|module|mut|new|nil|not|null|None|or|package|pass|private|pub|public|raise|readonly|return|self|setq|static|struct|super|switch|then|this|throw|trait|try|type|typeof|undefined|use|var|void|when|where|while|with|yield|true|false|True|False";

/** Strings, comments, numbers and the words of most languages, each as a group of its own. */
const tokens = new RegExp(
  `("(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|\`[^\`]*\`)|((?:^|\\s)(?:#|//|--|;;?|%%)\\s.*$)|\\b(\\d[\\w.]*)\\b|\\b(${words})\\b`,
  "g",
);
/** A line longer than this is not looked at. */
const longestLine = 2_000;

/** A line of code in colours. Unknown languages get those that nearly all share; `text` gets none. */
export function highlight(line: string, language: string, theme: Theme): string {
  if (theme.name === "plain" || line.length > longestLine || /^(?:te?xt|plain)$/i.test(language)) return line;
  if (/^diff|^patch/i.test(language)) return highlightDiff(line, theme);
  if (/^org$/i.test(language)) return highlightOrg(line, theme);
  return line.replace(
    tokens,
    (all, text?: string, comment?: string, number?: string, word?: string): string => {
      if (text !== undefined) return theme.added(all);
      if (comment !== undefined) return theme.dim(all);
      if (number !== undefined) return theme.warning(all);
      return word === undefined ? all : theme.accent(all);
    },
  );
}

function highlightDiff(line: string, theme: Theme): string {
  if (line.startsWith("+")) return theme.added(line);
  if (line.startsWith("-")) return theme.removed(line);
  return line.startsWith("@@") ? theme.accent(line) : line;
}

function highlightOrg(line: string, theme: Theme): string {
  if (/^\*+ /.test(line)) {
    return theme.bold(
      line.replace(
        /^(\*+ )(TODO|DONE|NEXT|WAITING)\b/,
        (_, stars: string, word: string) => `${stars}${theme.warning(word)}`,
      ),
    );
  }
  if (/^\s*(?:#\+?|:[\w-]+:)/.test(line)) return theme.dim(line);
  return line.replaceAll(/[<[]\d{4}-\d\d-\d\d[^>\]]*[>\]]/g, (date) => theme.accent(date));
}
