/** A PDF file of one page, whose content stream is given with the names of its filters. */
export function makePdf(stream: Uint8Array, filters: string): Uint8Array {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>>>>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ].map((body, index) => `${index + 1} 0 obj\n${body}\nendobj\n`);
  const start = "%PDF-1.4\n";
  const head = `${start}${objects.join("")}`;
  const offsets = objects.map((_, index) => start.length + objects.slice(0, index).join("").length);
  const before = `5 0 obj\n<</Length ${stream.length}/Filter ${filters}>>\nstream\n`;
  const after = "\nendstream\nendobj\n";
  const at = head.length + before.length + stream.length + after.length;
  const rows = [...offsets, head.length].map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const table = `xref\n0 6\n0000000000 65535 f \n${rows.join("")}trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n${at}\n%%EOF`;
  return Buffer.concat([Buffer.from(head + before), stream, Buffer.from(after + table)]);
}
