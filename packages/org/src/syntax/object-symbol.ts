import { whitespace, wordConstituent } from "../text/emacs-characters.ts";
import type { OrgNode } from "./node.ts";
import { makeObject, matchIn, type Region } from "./object.ts";

/** The names of entities (`\\name`), as Org's manual lists them. */
const entities: ReadonlySet<string> = new Set(
  `Agrave agrave Aacute aacute Acirc acirc Amacr amacr Atilde atilde Auml auml Aring AA aring AElig
aelig Ccedil ccedil Egrave egrave Eacute eacute Ecirc ecirc Euml euml Igrave igrave Iacute iacute
Idot inodot Icirc icirc Iuml iuml Ntilde ntilde Ograve ograve Oacute oacute Ocirc ocirc Otilde
otilde Ouml ouml Oslash oslash OElig oelig Scaron scaron szlig Ugrave ugrave Uacute uacute Ucirc
ucirc Uuml uuml Yacute yacute Yuml yuml fnof real image weierp ell imath jmath Alpha alpha Beta beta
Gamma gamma Delta delta Epsilon epsilon varepsilon Zeta zeta Eta eta Theta theta thetasym vartheta
Iota iota Kappa kappa Lambda lambda Mu mu nu Nu Xi xi Omicron omicron Pi pi Rho rho Sigma sigma
sigmaf varsigma Tau Upsilon upsih upsilon Phi phi varphi Chi chi acutex Psi psi tau Omega omega piv
varpi partial alefsym aleph gimel beth dalet ETH eth THORN thorn dots cdots hellip middot iexcl
iquest shy ndash mdash quot acute ldquo rdquo bdquo lsquo rsquo sbquo laquo raquo lsaquo rsaquo circ
vert vbar brvbar S sect P para amp lt gt tilde slash plus under equal asciicirc dagger dag Dagger
ddag nbsp ensp emsp thinsp curren cent pound yen euro EUR dollar USD copy reg trade minus pm plusmn
times frasl colon div frac12 frac14 frac34 permil sup1 sup2 sup3 radic sum prod micro macr deg prime
Prime infin infty prop propto not neg land wedge lor vee cap cup smile frown int therefore there4
because sim cong simeq asymp approx ne neq equiv triangleq le leq ge geq lessgtr lesseqgtr ll Ll lll
gg Gg ggg prec preceq preccurlyeq succ succeq succcurlyeq sub subset sup supset nsub sube nsup supe
setminus forall exist exists nexist nexists empty emptyset isin in notin ni nabla ang angle perp
parallel sdot cdot lceil rceil lfloor rfloor lang rang langle rangle hbar mho larr leftarrow gets
lArr Leftarrow uarr uparrow uArr Uparrow rarr to rightarrow rArr Rightarrow darr downarrow dArr
Downarrow harr leftrightarrow hArr Leftrightarrow crarr hookleftarrow arccos arcsin arctan arg cos
cosh cot coth csc det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh
tan tanh bull bullet star lowast ast odot oplus otimes check checkmark ordf ordm cedil oline uml
zwnj zwj lrm rlm smiley blacksmile sad frowny clubs clubsuit spades spadesuit hearts heartsuit diams
diamondsuit diamond Diamond loz`.split(/\s/),
);

const spaces = /\\(_ {1,20})/y;
const named = /\\(there4|sup[123]|frac[13][24]|[a-zA-Z]+)(?:(?![^\n])|(\{\})|(?![\p{L}\p{M}\p{Nl}]))/uy;

/** Reads an entity, such as `\alpha`. */
export function readEntity(region: Region, at: number): OrgNode | null {
  const blank = matchIn(region, spaces, at);
  const match = blank ?? matchIn(region, named, at);
  const name = match?.[1] ?? "";
  if (match === null || (blank === null && !entities.has(name))) return null;
  const braces = match[2] !== undefined;
  return makeObject(region, {
    type: "entity",
    begin: at,
    own: at + 1 + name.length + (braces ? 2 : 0),
    properties: { name, useBrackets: braces },
  });
}

const command = /\\[a-zA-Z]+\*?(?:\[[^\][\n{}]*\]|\{[^{}\n]*\})*/y;

/** Reads a fragment of LaTeX: `$…$`, `$$…$$`, `\(…\)`, `\[…\]` or a command. */
export function readFragment(region: Region, at: number): OrgNode | null {
  const own = endOfFragment(region, at);
  if (own === -1) return null;
  return makeObject(region, {
    type: "latex-fragment",
    begin: at,
    own,
    properties: { value: region.text.slice(at, own) },
  });
}

function endOfFragment(region: Region, at: number): number {
  const { reading, text, end } = region;
  const next = text[at + 1];
  const after = (close: string): number => {
    const found = reading.search.text(close, at + 2, end);
    return found === -1 ? -1 : found + close.length;
  };
  if (text[at] === "$") return next === "$" ? after("$$") : endOfDollars(region, at);
  if (next === "(") return after("\\)");
  if (next === "[") return after("\\]");
  const match = matchIn(region, command, at);
  return match === null ? -1 : at + match[0].length;
}

/** What Emacs takes for punctuation, a bracket, a quote or white space: in ASCII a list of its own, beyond it what Unicode says. */
const follows = new RegExp(
  `[${whitespace}\\u0000-\\u001f\\u007f!#,.:;?@^\`"'()<>\\[\\]{}]|(?![\\u0000-\\u007f${wordConstituent}])\\p{P}`,
  "u",
);

function endOfDollars({ reading, text, begin, end }: Region, at: number): number {
  if (at > begin && text[at - 1] === "$") return -1;
  if (" \t\n,.;".includes(text[at + 1] ?? " ")) return -1;
  const close = reading.search.text("$", at + 1, end);
  if (close === -1 || " \t\n,.".includes(text[close - 1] ?? " ")) return -1;
  const after = text[close + 1] ?? "\n";
  if (close + 1 >= end) return close + 1;
  return follows.test(after) ? close + 1 : -1;
}
