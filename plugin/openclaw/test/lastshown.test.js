import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LastShown } from "../src/lastshown.js";

const head = '---\nscope: global\nmemories:\n  - {id: "9c01aa7e44f1", quote: "The old password", forgotten: 2026-11-20}\n---\n';
const secret = "- The old password was hunter2\n";
const source = `${head}# Staging\n\n${secret}- The server stands in Bremen\n  behind the stairs\n\n# Kitchen\n\nTea is in the left cupboard.\n`;
const shown = "# Staging\n\n- The server stands in Bremen\n  behind the stairs\n\n# Kitchen\n\nTea is in the left cupboard.\n";

function world(t, content = source, served = shown) {
  const dir = mkdtempSync(join(tmpdir(), "mt-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const write = (text) => writeFileSync(join(dir, "MEMORY.md"), text);
  const records = join(dir, "state", "openclaw");
  const record = (last, text = served, bytes = content) => last.record(dir, { path: "MEMORY.md", content: text, redacted: 1, hash: `sha256:${createHash("sha256").update(bytes).digest("hex")}` });
  const start = () => new LastShown(records, new Map());
  write(content);
  return { dir, records, write, record, start, rest: (last) => last.remainder(dir, "MEMORY.md") };
}

test("unchanged bytes are shown as before, by this process and by the next one", (t) => {
  const w = world(t);
  const last = w.start();
  assert.equal(w.rest(last), undefined, "nothing is known yet");
  w.record(last);
  assert.deepEqual(w.rest(last), { content: shown, withheld: 0 });
  assert.deepEqual(w.rest(w.start()), { content: shown, withheld: 0 });
});

test("no text is kept on the disk", (t) => {
  const w = world(t);
  w.record(w.start());
  const [name] = readdirSync(w.records);
  const kept = readFileSync(join(w.records, name), "utf8");
  for (const text of ["hunter2", "Bremen", "Staging", "cupboard"]) assert.ok(!kept.includes(text), text);
  assert.equal(statSync(join(w.records, name)).mode & 0o777, 0o600);
  assert.equal(statSync(w.records).mode & 0o777, 0o700);
});

test("of a changed file, only what was shown before is shown", (t) => {
  const cases = [
    ["a new line", source + "\n- The old password was hunter2, truly\n", shown, 1],
    ["an edited line", source.replace("Tea is", "Coffee is"), "# Staging\n\n- The server stands in Bremen\n  behind the stairs\n\n# Kitchen\n", 1],
    ["an indented line is added", source.replace("behind the stairs", "behind the stairs\n  in a box"), "# Staging\n\n# Kitchen\n\nTea is in the left cupboard.\n", 3],
    ["a line moves below another heading", source.replace("- The server stands in Bremen\n  behind the stairs\n", "").concat("\n- The server stands in Bremen\n  behind the stairs\n"), "# Staging\n\n# Kitchen\n\nTea is in the left cupboard.\n", 2],
    ["a line is removed", source.replace("Tea is in the left cupboard.\n", ""), "# Staging\n\n- The server stands in Bremen\n  behind the stairs\n\n# Kitchen\n", 0],
    ["a decision is added", source.replace("memories:\n", 'memories:\n  - {id: "5d0c3a7be912", quote: "Tea is", forgotten: 2026-11-21}\n'), "", 0],
    ["a decision is removed", source.replace(/ {2}- \{id.*\n/, ""), "", 0],
    ["a comment is added", source.replace("# Kitchen", "# Kitchen <!-- private -->"), "", 0],
    ["a near miss of a comment is added", source + "<!- private -->\n", "", 0],
    ["front matter after all", source.slice(head.length), "", 0],
    ["a rule below a key", `private: true\n---\n${source.slice(head.length)}`, "", 0],
  ];
  for (const [name, text, want, withheld] of cases) {
    const w = world(t);
    w.record(w.start());
    w.write(text);
    const rest = w.rest(w.start());
    assert.ok(!rest.content.includes("hunter2"), name);
    assert.equal(rest.content.trim(), want.trim(), name);
    if (want !== "") assert.equal(rest.withheld, withheld + 1, `${name}: and the forgotten line`);
    else assert.ok(rest.withheld >= 5, name);
  }
});

test("a file that was edited while the service answered is not recorded", (t) => {
  const w = world(t);
  const last = w.start();
  w.record(last, shown, "other bytes");
  assert.equal(w.rest(last), undefined);
  last.record(w.dir, { path: "MEMORY.md", content: "", redacted: 0, missing: true });
  assert.equal(w.rest(last), undefined);
});

test("a new answer replaces the old one", (t) => {
  const w = world(t);
  const last = w.start();
  w.record(last);
  w.record(last, "# Staging\n");
  assert.deepEqual(w.rest(last), { content: "# Staging\n", withheld: 0 });
  assert.match(w.rest(w.start()).content, /^# Staging\n+$/);
});

test("a heading that the service shortened is left out after a restart", (t) => {
  const w = world(t, "# The old password was hunter2\n\n- Tea\n", "# …\n\n- Tea\n");
  const last = w.start();
  w.record(last);
  assert.equal(w.rest(last).content, "# …\n\n- Tea\n");
  assert.equal(w.rest(w.start()).content.trim(), "- Tea");
});

test("what was shown to one user is shown to no other one", (t) => {
  const w = world(t);
  const last = w.start();
  w.record(last); // before there were identities: everybody's
  const before = last.hashNow(w.dir, "MEMORY.md");
  const answer = { path: "MEMORY.md", content: shown, redacted: 0 };
  last.record(w.dir, answer, "owner", before);
  last.record(w.dir, { ...answer, content: "# Kitchen\n" }, "lena", before);
  for (const one of [last, w.start()]) {
    assert.equal(one.remainder(w.dir, "MEMORY.md", "owner").content, shown);
    assert.equal(one.remainder(w.dir, "MEMORY.md", "lena").content.trim(), "# Kitchen");
    assert.equal(one.remainder(w.dir, "MEMORY.md", "ben"), undefined);
    assert.equal(one.remainder(w.dir, "MEMORY.md"), undefined);
  }
  w.record(last); // the identities were removed
  assert.equal(last.remainder(w.dir, "MEMORY.md", "ben").content, shown);
});

test("without a hash in the answer, a file that was edited during the request is not recorded", (t) => {
  const w = world(t);
  const last = w.start();
  const before = last.hashNow(w.dir, "MEMORY.md");
  w.write(source + "- new\n");
  last.record(w.dir, { path: "MEMORY.md", content: shown, redacted: 0 }, "lena", before);
  assert.equal(last.remainder(w.dir, "MEMORY.md", "lena"), undefined);
  assert.equal(last.hashNow(w.dir, "USER.md"), undefined);
});
