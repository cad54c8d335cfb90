// Draws the rooms from the import table into ARCHITECTURE.md, between its two markers. A test checks that the page has what this draws.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Architecture } from "../test/architecture/rules.ts";
import { architecture } from "../test/architecture/table.ts";

const page = join(dirname(dirname(fileURLToPath(import.meta.url))), "ARCHITECTURE.md");
const begin = "<!-- drawn by scripts/draw-architecture.ts -->\n";
const end = "<!-- end of the drawing -->";
/** Columns of the picture. */
const width = 112;

type Room = {
  readonly name: string;
  readonly inside: readonly string[];
  readonly imports: ReadonlySet<string>;
  /** The rooms that it imports types of, and nothing else. */
  readonly types: ReadonlySet<string>;
};

/** Draws the rooms in layers: a room imports only rooms of the layers below it. */
export function drawArchitecture({ table }: Pick<Architecture, "table">): string {
  const rooms = collectRooms(table);
  const layers = new Map<number, Room[]>();
  for (const room of rooms.values()) {
    const layer = layerOf(room, rooms);
    layers.set(layer, [...(layers.get(layer) ?? []), room]);
  }
  const lines = [...layers]
    .sort(([one], [other]) => other - one)
    .flatMap(([layer, band]) => drawLayer(layer, band));
  return `${begin}\`\`\`text\n${lines.join("\n")}\n\`\`\`\n${end}`;
}

/** Replaces the picture of a page. */
export function replaceDrawing(text: string, drawing: string): string {
  const [first, last] = [text.indexOf(begin), text.indexOf(end)];
  if (first === -1 || last < first) throw new Error(`ARCHITECTURE.md has lost its markers: ${begin}${end}`);
  return text.slice(0, first) + drawing + text.slice(last + end.length);
}

/** The room that a path of the table lies in: its folder below `src` or `packages`; `main.ts` for the root. */
function roomOf(path: string): string {
  const [top = "", room, ...inside] = path.split("/");
  if (top === "packages") return `packages/${room ?? ""}`;
  if (room === undefined) return "main.ts";
  return room.endsWith(".ts") && inside.length === 0 ? "main.ts" : room;
}

function collectRooms(table: Architecture["table"]): ReadonlyMap<string, Room> {
  const names = [...new Set([...table.keys()].map(roomOf))];
  return new Map(
    names.map((name) => {
      const rows = [...table].filter(([folder]) => roomOf(folder) === name);
      const roomsOf = (paths: readonly string[]): ReadonlySet<string> =>
        new Set(
          paths
            .filter(isSource)
            .map(roomOf)
            .filter((room) => room !== name && names.includes(room)),
        );
      const imports = roomsOf(rows.flatMap(([, row]) => row.imports));
      const types = roomsOf(rows.flatMap(([, row]) => row.types)).difference(imports);
      const depth = name.startsWith("packages/") ? 4 : 3;
      const folders = rows.map(([folder]) => folder.split("/")).filter(({ length }) => length === depth);
      return [name, { name, inside: folders.map((parts) => parts.at(-1) ?? ""), imports, types }];
    }),
  );
}

function isSource(path: string): boolean {
  return path.startsWith("src/") || path.startsWith("packages/");
}

/** The length of the longest chain of imports below a room. The table allows no circle, so this ends. */
function layerOf(room: Room, rooms: ReadonlyMap<string, Room>): number {
  const below = [...room.imports, ...room.types].flatMap((name) => rooms.get(name) ?? []);
  return below.reduce((layer, other) => Math.max(layer, layerOf(other, rooms) + 1), 0);
}

/**
 * A line for each room of a layer, with its sub-rooms and what it imports; the rooms that have neither share
 * a line.
 */
function drawLayer(layer: number, band: readonly Room[]): readonly string[] {
  const isBare = ({ inside, imports, types }: Room): boolean =>
    inside.length + imports.size + types.size === 0;
  const bare = band.filter(isBare).map(({ name }) => name);
  const rest = band.filter((room) => !isBare(room)).map(drawRoom);
  return [...rest, ...(bare.length === 0 ? [] : [bare.join(", ")])].map(
    (line) => `${String(layer).padStart(2)}  ${line}`,
  );
}

function drawRoom({ name, inside, imports, types }: Room): string {
  const left = inside.length === 0 ? name : `${name} (${inside.join(" ")})`;
  const named = [...imports, ...[...types].map((room) => `(${room})`)];
  const right = named.length === 0 ? "" : ` <- ${named.join(" ")}`;
  return `${left.padEnd(width - 4 - right.length)}${right}`.trimEnd();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(page, replaceDrawing(readFileSync(page, "utf8"), drawArchitecture(architecture)));
}
