// Compares the texts that should arrive with those that the index lists.
// usage: node check-arrived.mjs EXPECTED LIST ANSWER
import { readFileSync } from "node:fs";

const [expectedFile, listFile, answerFile] = process.argv.slice(2);
// Markdown has no NUL, no half characters, no blanks at line ends, and line feeds. The
// program prints no invisible characters.
const clean = (text) => text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\p{Cf}]/gu, "").replace(/\r\n?/g, "\n").replace(/[ \t]+$/gm, "").trim();
const expected = readFileSync(expectedFile, "utf8").trim().split("\n").map((line) => clean(JSON.parse(line)));
const memories = JSON.parse(readFileSync(listFile, "utf8")).memories;
const answer = JSON.parse(readFileSync(answerFile, "utf8"));

const listed = new Set(memories.map((m) => clean(m.text)));
const lost = expected.filter((text) => !listed.has(text));
const share = 1 - lost.length / expected.length;
console.log(`  ${expected.length - lost.length} of ${expected.length} texts arrived (${(100 * share).toFixed(2)} %), ${answer.imported} verified, in ${Math.round(answer.took_ms)} ms`);
for (const text of lost.slice(0, 5)) console.log("  lost: " + JSON.stringify(text).slice(0, 100));

const wrong = [];
if (share <= 0.999) wrong.push("too few texts arrived");
if (memories.length !== answer.imported) wrong.push(`${memories.length} memories are listed, and ${answer.imported} were imported`);
if (answer.failed.length || !answer.source_unchanged) wrong.push("the answer reports a failure");
for (const m of memories) {
  const isSecret = /Blaubeere#7719|AKIAIOSFODNN7EXAMPLE/.test(m.text);
  if (m.tier !== "WARM" || m.source !== "legacy" || m.private !== isSecret || m.forgotten || m.trust_tier !== "trusted") wrong.push(`${m.id}: ${m.tier} ${m.source} private ${m.private}`);
  if (!m.created_at.startsWith("2025-")) wrong.push(`${m.id} is from ${m.created_at}`);
}
if (wrong.length) {
  console.error(wrong.slice(0, 10).join("\n"));
  process.exit(1);
}
