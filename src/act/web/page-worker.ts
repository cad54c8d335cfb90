import { parentPort, workerData } from "node:worker_threads";
import { decodeText } from "./decode-text.ts";
import type { PageJob, PageReport } from "./page-report.ts";

// Runs in its own thread, which is ended from outside. Of an HTML page it reports all text first, then the main text; of a PDF its text.

/** For deeper pages the parser takes the square of their depth. Browsers stop at 512. */
const deepest = 400;

const { kind, bytes, contentType, url } = jobOf(workerData);
if (kind === "pdf") {
  const { readPdf } = await import("./pdf-text.ts");
  report({ form: "main", title: "", ...(await readPdf(bytes)) });
} else {
  const html = decodeText(bytes, contentType);
  const { readPlainPage } = await import("./plain-page.ts");
  const { text, depth } = readPlainPage(html);
  report({ form: "plain", title: "", text });
  if (depth <= deepest) {
    const { readArticle } = await import("./page-article.ts");
    report({ form: "main", ...readArticle(html, url) });
  }
}

function report(value: PageReport): void {
  parentPort?.postMessage(value);
}

/** Reads the job by hand: a schema library would take longer to load than most pages to read. */
function jobOf(given: unknown): PageJob {
  const fault = new TypeError("The thread for pages was started without a job.");
  if (typeof given !== "object" || given === null) throw fault;
  if (!("kind" in given && "bytes" in given && "contentType" in given && "url" in given)) throw fault;
  const { kind, bytes, contentType, url } = given;
  if ((kind !== "html" && kind !== "pdf") || !(bytes instanceof Uint8Array)) throw fault;
  if (typeof contentType !== "string" || typeof url !== "string") throw fault;
  return { kind, bytes, contentType, url };
}
