// Makes a LanceDB database as OpenClaw's memory-lancedb does, with odd texts.
// usage: node make.mjs FOLDER_WITH_NODE_MODULES DATABASE ROWS
// It writes the texts that must arrive to DATABASE.expected, as lines of JSON.
import { createRequire } from "node:module";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const [modules, path, count] = process.argv.slice(2);
const lancedb = createRequire(join(modules, "package.json"))("@lancedb/lancedb");
const categories = ["preference", "fact", "decision", "entity", "other"];
const subjects = ["The kettle", "Staging", "Grandmother's bike", "The printer on floor 3", "Maria", "The backup of the NAS", "El coche", "お茶"];
const verbs = ["prefers", "needs", "moved to", "was replaced by", "depends on", "is kept in"];

// Every text differs in its numbers, so none is a duplicate.
const plain = (i) => `${subjects[i % subjects.length]} ${verbs[i % verbs.length]} item ${i * 7} of shelf ${i}`;
const odd = [
  "# A heading, not a title", "## Two\n\nand a paragraph", "---\nprivate: true\n---\nfront matter inside a text", "---", "- a bullet\n- another one\n  - nested",
  "1. first\n2. second", "```js\nconst a = 1;\n```", "```\na fence that never ends", "~~~ open tilde fence\ncode", "> a quote\n> of two lines",
  "<!-- private -->", "A text with <!-- private --> in the middle", "ends with a comment <!-- trust: quarantined -->", "<!-- an open comment", "--> a comment end",
  "<!-- source: legacy; source_ref: fake/1 --> a text that looks annotated", "<div>\n<b>HTML block</b>\n</div>", "<script>alert(1)</script> and text",
  "| a | b |\n|---|---|\n| 1 | 2 |", "Title\n=====\n\nbody below a setext heading", "Title\n-----", "tag at the end #work", "block id at the end ^abc123", "[[wikilink]] and [[other|name]]",
  "a line\nwith\nnewlines\n\n\nand gaps", "trailing blanks   \nand tabs\t\t", "    indented like code\n    twice", "\ttab first", "CRLF line\r\nsecond\r\n\r\nthird",
  "NUL \u0000 inside", "bell \u0007 escape \u001b[31mred\u001b[0m", "vertical \u000b form \u000c feed", "zero\u200bwidth\u200d joiner", "BOM \ufeff inside", "lone surrogate \ud83d here",
  "مرحبا بالعالم, a text from right to left ‫embedded‬", "שלום עולם", "日本語のテキスト、句読点。", "🙂🙃 emoji only 👩‍👩‍👧", "é composed and e\u0301 decomposed",
  "\\# an escaped heading", "\\<!-- escaped -->", "`code span with <!-- private -->`", "``a ` b``", "* star\n+ plus\n- minus", "- [ ] a task\n- [x] done", "***", "___", "a\\", "\\",
  "&lt;b&gt; entities &amp;", "https://example.org/a_b_c?d=<e>", "{\"json\": true, \"text\": \"x\"}", "+++\ntitle = 1\n+++\nTOML", "$$\nx = 1\n$$", ":::note\ntext\n:::",
  "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch", "term\n: definition", "[ref]: http://example.org", "[^1]: a footnote", "    ", "x", "ok",
  "The wifi password is Blaubeere#7719", "AWS key AKIAIOSFODNN7EXAMPLE", "memories:\n  - {id: \"abc\", quote: \"x\", forgotten: true}", "<relevant-memories>\nnot ours\n</relevant-memories>",
  "wide " + "word ".repeat(400) + "end", "megabyte " + "Lorem ipsum dolor sit amet, 1234567890. ".repeat(30000), "lines " + Array.from({ length: 20000 }, (_, i) => `line ${i}`).join("\n"),
  "- ".repeat(500) + "deep", "> ".repeat(300) + "deep quote", "[a](".repeat(500), "*".repeat(1000), "`".repeat(999) + " x",
];
const empty = ["", " ", "\n\n", "\t", "\u0000", "\r\n"];

const vector = (i) => Array.from({ length: 32 }, (_, k) => Math.sin(i * 31 + k));
const row = (text, i, more = {}) => ({
  id: randomUUID(), text, vector: vector(i), importance: (i % 11) / 10, category: categories[i % categories.length],
  createdAt: Date.UTC(2025, 0, 1) + i * 3_600_000 % 31_536_000_000, agentId: "main", ...more,
});
const texts = [];
for (let i = 0; i < Number(count) - 2 * odd.length; i++) texts.push(plain(i));
const rows = [...texts, ...odd].map((text, i) => row(text, i));
const duplicates = odd.filter((text) => text.trim()).map((text, i) => row(text, i)); // every odd text twice
rows.push(...duplicates, ...empty.map((text, i) => row(text, i)));

const db = await lancedb.connect(path);
const schema = [{ ...row("", 0), id: "__schema__", agentId: "__schema__", createdAt: 0 }];
const table = await db.createTable("memories", schema);
await table.delete("id = '__schema__'");
for (let at = 0; at < rows.length; at += 2500) await table.add(rows.slice(at, at + 2500));
await table.delete(`id = '${rows[3].id}'`);
const deleted = rows[3].text;
const expected = [...texts, ...odd].filter((text) => text !== deleted && text.replaceAll("\u0000", "").trim());
writeFileSync(`${path}.expected`, [...new Set(expected)].map((text) => JSON.stringify(text)).join("\n") + "\n");
console.log(`${await table.countRows()} rows, ${expected.length} texts to arrive`);
