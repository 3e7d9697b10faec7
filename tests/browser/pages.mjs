// Opens every page of a running service in Chromium: no error, no warning of the console, no request
// to another host; then asks a query in GraphiQL. Prints what is wrong, one line each.
//
//   node pages.mjs URL [DIRECTORY FOR SCREENSHOTS]

import { chromium } from "playwright-core";

const [url, pictures] = process.argv.slice(2);
const flags = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const wrong = [];

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: flags });

async function open(path, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`${path}: console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`${path}: ${error.message}`));
  page.on("request", (request) => {
    const asked = new URL(request.url());
    if (asked.origin !== url && !["data:", "blob:"].includes(asked.protocol)) {
      wrong.push(`${path}: asks ${request.url()}`);
    }
  });
  page.on("response", (response) => {
    if (response.status() >= 400) wrong.push(`${path}: ${response.status()} ${response.url()}`);
  });
  const answer = await page.goto(url + path, { waitUntil: "networkidle" });
  if (!answer.headers()["content-security-policy"]?.includes("default-src 'none'")) {
    wrong.push(`${path}: no strict content security policy`);
  }
  return page;
}

async function picture(page, name) {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
}

const start = await open("/docs");
const listed = await start.$$eval("nav[aria-label=Pages] a", (links) => links.map((a) => a.pathname));
await start.context().close();
if (listed.length < 8) wrong.push(`/docs: lists ${listed.length} pages only`);

for (const path of listed) {
  for (const [name, width, colorScheme] of [["wide", 1280, "light"], ["phone", 390, "dark"]]) {
    const page = await open(path, { viewport: { width, height: 900 }, colorScheme });
    const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    if (inner > outer) wrong.push(`${path}: is ${inner} wide on a screen of ${outer}`);
    const broken = await page.$$eval("a[href^='#']", (links) =>
      links.map((a) => a.hash.slice(1)).filter((id) => !document.getElementById(decodeURIComponent(id))));
    if (broken.length) wrong.push(`${path}: links to nothing: ${broken}`);
    await picture(page, `${path.slice(1).replaceAll("/", "-")}-${name}`);
    await page.context().close();
  }
}

const page = await open("/graphql", { viewport: { width: 1280, height: 800 } });
await page.click(".graphiql-execute-button");
await page.waitForFunction(
  () => document.querySelector(".result-window")?.textContent.includes("chrononauts"), undefined,
  { timeout: 15000 },
).catch(() => wrong.push("/graphql: the query got no answer"));
await page.click("[aria-label*='Documentation Explorer']");
await page.waitForSelector("text=Root Types", { timeout: 15000 })
  .catch(() => wrong.push("/graphql: shows no documentation"));
await picture(page, "graphiql");
await page.click("[aria-label='Show History']");
await page.click("[aria-label='Open settings dialog']");
await page.waitForSelector("[role=dialog]");
await page.keyboard.press("Escape");
await page.evaluate(() => {
  const editor = document.querySelector(".graphiql-query-editor .CodeMirror").CodeMirror;
  const line = editor.getValue().split("\n").findIndex((text) => text.includes("games {"));
  editor.focus();
  editor.setCursor({ line, ch: editor.getLine(line).length });
});
await page.keyboard.type("\n  rules");
await page.waitForSelector(".CodeMirror-hints", { timeout: 15000 })
  .catch(() => wrong.push("/graphql: completes no names"));
await picture(page, "graphiql-hints");
await page.keyboard.press("Escape");

const json = { "content-type": "application/json" };
const laid = await fetch(`${url}/v1/matches`, {
  method: "POST", headers: json, body: JSON.stringify({ game: "chrononauts", seats: 2 }),
});
const { matchId, ownerToken } = await laid.json();
await page.click("button:text('Headers')");
await page.evaluate(([document_, headers]) => {
  // The editors of the document, the variables, the headers; then the result.
  const editors = [...document.querySelectorAll(".CodeMirror")].map((one) => one.CodeMirror);
  editors[0].setValue(document_);
  editors[2].setValue(headers);
}, [
  `subscription { matchUpdates(matchId: "${matchId}") { version view { status } events { type } } }`,
  JSON.stringify({ authorization: `Bearer ${ownerToken}` }),
]);
// How it is sent depends on what GraphiQL has understood of it, a moment later.
await page.waitForFunction(
  () => document.querySelector(".CodeMirror").CodeMirror.documentAST?.definitions[0].operation === "subscription",
  undefined, { timeout: 15000 },
).catch(() => wrong.push("/graphql: does not understand the subscription"));
await page.click(".graphiql-execute-button");
const shown = (words) => page.waitForFunction(
  (some) => document.querySelector(".result-window")?.textContent.includes(some), words,
  { timeout: 15000 },
).catch(() => wrong.push(`/graphql: the subscription shows no ${words}`));
await shown('"open"');
await fetch(`${url}/v1/matches/${matchId}/seats`, {
  method: "POST", headers: { ...json, authorization: `Bearer ${ownerToken}` },
  body: JSON.stringify({ seat: 1, bot: "greedy" }),
});
await shown("match.seat_taken");
await page.click(".graphiql-execute-button");
await picture(page, "graphiql-subscription");
await browser.close();

console.log(wrong.length ? wrong.join("\n") : `${listed.length + 1} pages are in order`);
process.exit(wrong.length ? 1 : 0);
