import { extractText, getDocumentProxy } from "unpdf";

/** The text of a PDF file with its page numbers, empty if it has only pictures, and how many pages it has. Throws if the file is damaged or has a password. */
export async function readPdf(bytes: Uint8Array): Promise<{ readonly text: string; readonly pages: number }> {
  const options = { isEvalSupported: false, useSystemFonts: false, useWasm: false, verbosity: 0 };
  const { text } = await extractText(await getDocumentProxy(bytes, options), { mergePages: false });
  const pages = text.length;
  if (text.every((page) => page.trim() === "")) return { text: "", pages };
  return { text: text.map((page, index) => `[page ${index + 1}]\n\n${page.trim()}`).join("\n\n"), pages };
}
