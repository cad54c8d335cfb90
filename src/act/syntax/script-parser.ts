import { type ParserOptions, parse } from "@babel/parser";
import { type Declaration, scriptDeclarations } from "./script-declarations.ts";

/** What a parser says of a script: where it is wrong, or what it declares. `unknown`: the parser gave up. */
export type ParsedScript =
  | { readonly kind: "script"; readonly declarations: readonly Declaration[] }
  | { readonly kind: "wrong"; readonly line: number; readonly column: number }
  | { readonly kind: "unknown" };

/**
 * The grammars that a script may be written in, the likeliest first: modules with decorators before `export` and on parameters, with decorators behind `export`,
 * and scripts that are not strict.
 */
const grammars = [
  { sourceType: "unambiguous", decorators: "decorators-legacy" },
  { sourceType: "unambiguous", decorators: "decorators" },
  { sourceType: "script", decorators: "decorators-legacy" },
] as const;

/** Parses TypeScript or JavaScript. With `markup`, JSX is part of it. What two declarations of one name do is no matter of syntax. A text that nests too deeply breaks the parser's stack: call it in a thread that may end. */
export function parseScript(text: string, { markup }: { readonly markup: boolean }): ParsedScript {
  const tried: ParsedScript[] = [];
  for (const grammar of grammars) {
    const parsed = parseAs(text, { ...grammar, markup });
    if (parsed.kind === "script") return parsed;
    tried.push(parsed);
  }
  return tried[0] ?? { kind: "unknown" };
}

type Grammar = (typeof grammars)[number] & { readonly markup: boolean };

function parseAs(text: string, grammar: Grammar): ParsedScript {
  try {
    const file = parse(text, optionsOf(grammar));
    const wrong = file.errors.find(({ reasonCode }) => !/^Duplicate|Redeclaration$/.test(reasonCode));
    if (wrong !== undefined) return placeOf(wrong);
    return { kind: "script", declarations: scriptDeclarations(text, file.program.body) };
  } catch (error) {
    return placeOf(error);
  }
}

function optionsOf({ sourceType, decorators, markup }: Grammar): ParserOptions {
  return {
    sourceType,
    errorRecovery: true,
    allowAwaitOutsideFunction: true,
    allowReturnOutsideFunction: true,
    allowNewTargetOutsideFunction: true,
    allowSuperOutsideMethod: true,
    allowUndeclaredExports: true,
    plugins: [
      "typescript",
      decorators,
      "decoratorAutoAccessors",
      "deferredImportEvaluation",
      ...(markup ? (["jsx"] as const) : []),
    ],
  };
}

function placeOf(error: unknown): ParsedScript {
  const place: unknown = error instanceof SyntaxError && "loc" in error ? error.loc : null;
  if (typeof place !== "object" || place === null || !("line" in place && "column" in place))
    return { kind: "unknown" };
  const { line, column } = place;
  if (typeof line !== "number" || typeof column !== "number") return { kind: "unknown" };
  return { kind: "wrong", line, column: column + 1 };
}
