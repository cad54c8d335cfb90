import * as z from "zod";

/** What the thread that reads a page is given. */
export type PageJob = {
  readonly kind: "html" | "pdf";
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Where the page came from: its links are relative to it. */
  readonly url: string;
};

/** What it reports: the main text in Markdown, or all text without links. */
export const pageReportSchema = z.strictObject({
  form: z.enum(["main", "plain"]),
  title: z.string(),
  text: z.string(),
  /** Of a PDF. */
  pages: z.int().exactOptional(),
});
export type PageReport = z.infer<typeof pageReportSchema>;
