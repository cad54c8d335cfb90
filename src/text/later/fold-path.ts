/** The segments of a path as the least strict file system would compare them: without case, compatibility forms, invisible characters, trailing dots and blanks. For rules that forbid, never for rules that allow. */
export function foldedSegments(path: string): readonly string[] {
  const text = plain.test(path) ? path : path.normalize("NFKC").replaceAll(invisible, "");
  return text
    .toLowerCase()
    .split("/")
    .map(trimmed)
    .filter((segment) => segment !== "");
}

const plain = /^[ -~]*$/;
const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cc}/gu;

function trimmed(segment: string): string {
  let end = segment.length;
  while (end > 0 && (segment[end - 1] === "." || segment[end - 1] === " ")) end -= 1;
  return segment.slice(0, end);
}
