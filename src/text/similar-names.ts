/** Small letters of other alphabets that look like Latin ones. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "аαɑ",
    b: "ƅь",
    c: "сϲ",
    d: "ԁɗđ",
    e: "еєҽ",
    g: "ɡցɢ",
    h: "һհ",
    i: "іιıɩ",
    j: "јϳȷ",
    k: "кκ",
    l: "1ӏ|ⅼłɫ",
    m: "м",
    n: "ոп",
    o: "0оοօøס०๐໐",
    p: "рρ",
    q: "ԛգ",
    r: "гᴦ",
    s: "ѕꜱ",
    t: "тτ",
    u: "սυʋ",
    v: "νѵ",
    w: "ԝωѡա",
    x: "хχ",
    y: "уγүʏ",
    z: "ᴢʐ",
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

/** Another of these names that looks like this one: in another width, case or alphabet, with accents, or with `0` for `o`, `1` for `l` or `i`, `rn` for `m`, `vv` for `w`; null if there is none. */
export function similarName(name: string, others: readonly string[]): string | null {
  const shapes = shapesOf(name);
  return (
    others.find((other) => other !== name && shapesOf(other).some((one) => shapes.includes(one))) ?? null
  );
}

/** A `1` stands for `l` or for `i`. */
function shapesOf(name: string): readonly string[] {
  return ["l", "i"].map((one) => shapeOf(name.replaceAll("1", one)));
}

function shapeOf(name: string): string {
  const plain = name.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
  return [...plain]
    .map((letter) => lookalikes.get(letter) ?? letter)
    .join("")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}
