// The tests of scripts/e2e-ui.sh.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";

const { MEMORY, CHROMIUM, TOOLS, NOTES, SOCKET, SHOTS } = process.env;
const { chromium } = createRequire(`${TOOLS}/`)("playwright-core");
const asked = "Are time stamps UTC in the database?";
const text = "Time stamps are UTC in the database and local only on the screen.";
const file = `${NOTES}/MEMORY.md`;

const memory = (...args) => execFileSync(MEMORY, args, { encoding: "utf8" }).trim();
const shown = (id) => JSON.parse(memory("show", id, "--json"));
const post = (path, body) => new Promise((done, failed) => {
  const r = request({ socketPath: SOCKET, path, method: "POST", headers: { "content-type": "application/json" } }, (answer) => {
    let all = "";
    answer.on("data", (part) => (all += part)).on("end", () => done(JSON.parse(all)));
  });
  r.on("error", failed).end(JSON.stringify(body));
});
const recall = () => post("/v1/recall", { prompt: asked, agent: "claude-code", session: "talk" });
const idOf = async () => (await post("/v1/search", { query: text })).hits[0].id;

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"] });
  await recall();
  await post("/v1/capture", { session: "talk", agent: "claude-code", messages: [{ role: "user", content: "Remember that the ferry to Amrum leaves from pier four." }, { role: "user", content: "Remember that the harbour master is called Inken." }] });
});
after(() => browser.close());

// open returns a page with a session, and the errors that it reports.
async function open(options = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(10000);
  const page = await context.newPage();
  const errors = [];
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  page.on("pageerror", (e) => errors.push(e.message));
  page.on("requestfailed", (r) => r.failure().errorText !== "net::ERR_ABORTED" && errors.push(`${r.url()} ${r.failure().errorText}`));
  await page.goto(memory("ui", "--no-browser"));
  return { page, errors, go: (path) => page.goto(new URL(path, page.url()).href) };
}

// nameless lists the controls without a name, and the fields without a label.
const nameless = (page) => page.$$eval("a[href], button, input:not([type=hidden]), select, textarea, svg[role=img], dialog", (all) =>
  all.filter((n) => !(n.getAttribute("aria-label") || n.getAttribute("aria-labelledby") || n.labels?.length || n.textContent.trim())).map((n) => n.outerHTML));
// said waits until the page reports what was done.
const said = (page, what) => page.locator(".flash", { hasText: what }).waitFor();
const line = (page) => page.locator(".block", { hasText: asked }).first().locator(".line", { hasText: "Time stamps are UTC" });

test("pictures", { skip: SHOTS ? false : "SHOTS is not set" }, async () => {
  for (const [prompt, agent, session] of [["How do I deploy to staging?", "codex", "deploy"], ["Which port does the collector use?", "claude-code", "ports"]]) {
    await post("/v1/recall", { prompt, agent, session });
  }
  const { page, go } = await open({ viewport: { width: 1280, height: 800 } });
  const picture = async (name, path, colorScheme, ...keys) => {
    await page.emulateMedia({ colorScheme });
    await go(path);
    for (const key of keys) await page.keyboard.press(key);
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: `${SHOTS}/${name}.png` });
  };
  await picture("inspector-given", "/", "light", "j");
  await picture("inspector-search", `/search?q=${encodeURIComponent("Which database do we use?")}`, "light", "j", "y");
  await page.context().close();
});

for (const javaScriptEnabled of [true, false]) {
  describe(javaScriptEnabled ? "with script" : "without script", () => {
    let page, errors, go, id;
    before(async () => {
      ({ page, errors, go } = await open({ javaScriptEnabled }));
      id = await idOf();
    });
    after(() => page.context().close());

    for (const path of ["/", "/search", `/search?q=${encodeURIComponent(asked)}`, "/timeline", "/timeline?session=talk", "/review", "/memories", "/memories?state=forgotten", "/health"]) {
      for (const width of javaScriptEnabled ? [390, 1280, 3840] : [1280]) {
        test(`${path} at ${width}`, async () => {
          await page.setViewportSize({ width, height: Math.round(width * 0.6) + 400 });
          const answer = await go(path);
          assert.equal(answer.status(), 200);
          assert.deepEqual(await nameless(page), []);
          assert.equal(await page.locator("h1").count(), 1);
          if (javaScriptEnabled) {
            const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
            assert.ok(wider <= 0, `the page is ${wider} pixels too wide`);
          }
        });
      }
    }

    test("wrong, and its undo", async () => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await go("/");
      await line(page).getByRole("button", { name: "Wrong" }).click();
      await said(page, "Noted as wrong");
      assert.ok(!(await recall()).hits.some((h) => h.id === id));
      await page.locator(".flash").getByRole("button", { name: "Undo" }).click();
      await said(page, "Undone");
      assert.ok((await recall()).hits.some((h) => h.id === id));
    });

    test("never again, and its undo", async () => {
      await go("/");
      await line(page).getByRole("button", { name: "Never again" }).click();
      await said(page, "Never given again");
      assert.match(readFileSync(file, "utf8"), /importance_label: ignore/);
      await page.locator(".flash").getByRole("button", { name: "Undo" }).click();
      await said(page, "Undone");
      assert.doesNotMatch(readFileSync(file, "utf8"), /importance_label: ignore/);
    });

    test("forget and restore", async () => {
      await go(`/m/${id}`);
      await page.getByRole("button", { name: "Forget" }).click();
      await page.getByRole("button", { name: "Restore" }).waitFor();
      assert.ok(shown(id).forgotten);
      await page.getByRole("button", { name: "Restore" }).click();
      await page.getByRole("button", { name: "Forget" }).waitFor();
      assert.ok(!shown(id).forgotten);
    });

    test("edit", async () => {
      await go(`/m/${id}`);
      await page.getByRole("link", { name: "Edit" }).click();
      await page.getByRole("textbox", { name: /The text in/ }).fill(text.replace("the screen", "a screen"));
      await page.getByRole("button", { name: "Save" }).click();
      await said(page, "Edited");
      assert.match(readFileSync(file, "utf8"), /local only on a screen/);
      await page.locator(".flash").getByRole("button", { name: "Undo" }).click();
      await said(page, "Undone");
      assert.ok(readFileSync(file, "utf8").includes(text));
    });

    test("useful, pin and tiers", async () => {
      await go(`/m/${id}`);
      await page.getByRole("textbox", { name: "For which question" }).fill(asked);
      await page.getByRole("button", { name: "Useful" }).click();
      await said(page, "Noted as useful");
      await page.locator(".flash").getByRole("button", { name: "Undo" }).click();
      await said(page, "Undone");
      await page.getByRole("button", { name: "Pin", exact: false }).first().click();
      await said(page, "Pinned");
      assert.ok(shown(id).pinned);
      await page.getByRole("button", { name: "Unpin" }).click();
      await said(page, "Unpinned");
      const tier = shown(id).tier;
      await page.getByRole("button", { name: "Up", exact: true }).click();
      await said(page, "Promoted");
      await page.getByRole("button", { name: "Down", exact: true }).click();
      await said(page, "Demoted");
      assert.equal(shown(id).tier, tier);
    });

    test("why", async () => {
      await go("/");
      await line(page).getByRole("link", { name: "Why" }).click();
      await page.getByText("What the ranking adds up").waitFor();
    });

    test("forget a conversation, and its undo", async () => {
      await go("/timeline?session=talk");
      await page.getByRole("button", { name: /Forget all 2 memories/ }).click();
      await said(page, "Forgotten: 2 memories");
      await page.locator(".flash").getByRole("button", { name: "Undo" }).click();
      await said(page, "Undone");
      await page.getByRole("button", { name: /Forget all 2 memories/ }).waitFor();
    });

    test("a review step, and its undo", async () => {
      await go("/review");
      const points = () => page.locator("h1 .soft").innerText();
      const n = await points();
      await page.locator(".point").first().getByRole("button", { name: "Keep" }).click();
      await said(page, "Kept");
      assert.notEqual(await points(), n);
      await page.locator(".flash").getByRole("button", { name: "Undo" }).click();
      await said(page, "Undone");
      assert.equal(await points(), n);
    });

    test("search and filter", async () => {
      await go("/");
      await page.getByRole("searchbox").fill(asked);
      await page.getByRole("searchbox").press("Enter");
      await page.getByText(/An agent would get \d+ memor/).waitFor();
      await go("/memories");
      await page.getByRole("combobox", { name: "Tier" }).selectOption("warm");
      await page.getByRole("button", { name: "Filter" }).click();
      await page.waitForURL(/tier=warm/);
    });

    test("nothing was reported as an error", () => assert.deepEqual(errors, []));
  });
}

test("keys", async () => {
  const { page, errors, go } = await open();
  const id = await idOf();
  await go("/");
  const keys = async (...all) => { for (const key of all) await page.keyboard.press(key); };
  await keys("j");
  assert.equal(await page.locator(".selected").count(), 1);
  const first = await page.locator(".selected").getAttribute("data-item");
  await keys("j");
  assert.notEqual(await page.locator(".selected").getAttribute("data-item"), first);
  await keys("k", "y");
  await page.locator(".selected .because").waitFor();
  await keys("?");
  assert.ok(await page.getByRole("dialog").isVisible());
  await keys("Escape", "/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "find");
  await keys("Escape", "3");
  await page.waitForURL(/timeline/);
  await go(`/m/${id}`);
  await keys("f");
  await said(page, "Forgotten:");
  assert.ok(shown(id).forgotten);
  await keys("u");
  await said(page, "Undone");
  assert.ok(!shown(id).forgotten);
  await keys("e");
  await page.getByRole("textbox", { name: /The text in/ }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "text");
  await keys("Control+Enter");
  await said(page, "the text is the same");
  assert.deepEqual(errors, []);
  await page.context().close();
});
