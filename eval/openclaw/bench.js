/**
 * Measures this memory beside OpenClaw's own one, in the same run: memory-core by keywords,
 * which is what it does offline, and memory-core with the vectors of this memory.
 * usage: node bench.js OUT_DIR
 * HOST is openclaw.mjs, MEMORY the binary, PLUGIN the plugin's folder, VECTORS the program
 * of vectors/. BENCH_SIZES is the numbers of memories, BENCH_LAYOUT is bullets or
 * paragraphs, and BENCH_ROUNDS is how often each question is asked.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { model, text } from "../../plugin/openclaw/e2e/model.js";
import { sleep } from "../../plugin/openclaw/e2e/world.js";
import { table } from "./report.js";
import { MemoryCore, Ours, residentMiB, startVectors } from "./systems.js";

const out = process.argv[2] ?? ".";
const sizes = (process.env["BENCH_SIZES"] ?? "1000,10000").split(",").map(Number);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const layout = process.env["BENCH_LAYOUT"] ?? "bullets";
const edits = 5;
const turns = 10;
/** The price of a call of a tool is measured beside every sixth search. */
const callEvery = 6;
const patienceMs = 120_000;

const log = (line) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
const bytesPerToken = 4;
const tokens = (string) => Math.ceil(Buffer.byteLength(string) / bytesPerToken);
const percentile = (values, p) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(p * values.length))];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

const mock = await model();
const vectors = await startVectors(process.env["VECTORS"]);
const report = { host: "openclaw 2026.9.6", node: process.versions.node, processors: cpus().length, cpu: cpus()[0]?.model, began: new Date().toISOString(), rounds, sizes: [] };

try {
  for (const size of sizes) {
    report.sizes.push(await measure(size));
    write(); // a later size may fail
  }
} finally {
  vectors.stop();
  mock.close();
}
process.stdout.write(table(report));
process.exit(0);

function write() {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "openclaw.json"), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(out, "openclaw.md"), table(report));
}

/** Measures all systems over notes of one size, one after the other in each step. */
async function measure(size) {
  const systems = [new Ours(size, layout), new MemoryCore(size, layout), new MemoryCore(size, layout, vectors.url)];
  const figures = new Map(systems.map((system) => [system, { name: system.name }]));
  const load = [loadavg()[0]];
  try {
    for (const system of systems) {
      const own = figures.get(system);
      log(`${size} memories: ${system.name} indexes`);
      own.indexMs = await system.index(mock.url);
      await system.start();
      own.mode = await system.mode();
      for (let i = 0; i < 5; i++) await system.search(`warm-up ${i}`);
      log(`${system.name}: ${JSON.stringify(own.mode)}`);
    }
    load.push(loadavg()[0]);
    log("searches, in turn");
    await searches(systems, figures);
    load.push(loadavg()[0]);
    log("edits, in turn");
    for (let i = 0; i < edits; i++) for (const system of systems) await oneEdit(system, figures.get(system), i);
    log("turns");
    for (const system of systems) Object.assign(figures.get(system), await observeTurns(system));
    for (const system of systems) figures.get(system).residentMiB = Object.fromEntries(Object.entries(system.pids()).map(([name, pid]) => [name, residentMiB(pid)]));
    load.push(loadavg()[0]);
  } finally {
    for (const system of systems) await system.remove();
  }
  const results = systems.map((system) => summary(figures.get(system)));
  return { memories: size, layout, facts: systems[0].facts.length, load: load.map((one) => Math.round(one * 100) / 100), systems: results };
}

/** Asks each question of each system in turn, and a tool that does nothing, for the price of a call. */
async function searches(systems, figures) {
  for (const system of systems) Object.assign(figures.get(system), { searchMs: [], callMs: [], engineMs: [], found: { questions: 0, codes: 0 }, missed: [], resultTokens: [] });
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < systems[0].facts.length; i++) {
      for (const system of systems) {
        const own = figures.get(system);
        const fact = system.facts[i];
        if (i % callEvery === 0) own.callMs.push(await emptyCall(system));
        const { ms, hits, answer } = await system.search(fact.query);
        own.searchMs.push(ms);
        own.engineMs.push(await system.engineMs(fact.query, answer));
        if (round > 0) continue;
        own.resultTokens.push(tokens(text(answer)));
        if (hits.some((hit) => hit.path === fact.path && hit.startLine <= fact.line && fact.line <= hit.endLine)) own.found[fact.isCode ? "codes" : "questions"]++;
        else own.missed.push(fact.query);
      }
    }
  }
}

/** The price of a call of any tool: the host's own work. */
async function emptyCall(system) {
  const began = performance.now();
  await system.tool("agents_list", {});
  return performance.now() - began;
}

/** Waits until a new line is found, by its code. */
async function oneEdit(system, own, i) {
  const code = `ZQ-${7000 + i}-E${i}`;
  const began = performance.now();
  system.edit(`The new cable has the order code ${code}`);
  for (;;) {
    const { hits } = await system.search(code);
    if (hits.some((hit) => hit.snippet.includes(code))) break;
    if (performance.now() - began > patienceMs) throw new Error(`${system.name} does not find ${code}`);
    await sleep(10);
  }
  (own.editMs ??= []).push(performance.now() - began);
  await sleep(500);
}

/** What a model is sent for a question: in its first request, before it calls any tool. */
async function observeTurns(system) {
  const asked = system.facts.filter((fact) => !fact.isCode).slice(0, turns);
  const [block, whole, answered] = [[], [], []];
  for (const [i, fact] of asked.entries()) {
    const from = mock.asked.length;
    const { ok, output } = await system.chat(`turn-${i}`, fact.query);
    if (!ok) throw new Error(`${system.name}: ${output}`);
    const [request] = mock.asked.slice(from);
    const user = request.messages.filter((one) => one.role === "user").map(text).findLast((one) => one.includes(fact.query)) ?? "";
    const added = /<relevant-memories>[^]*<\/relevant-memories>/.exec(user)?.[0] ?? "";
    block.push(tokens(added));
    whole.push(tokens(request.raw));
    answered.push(added.includes(fact.text) ? 1 : 0);
  }
  return { turns: asked.length, blockTokens: mean(block), requestTokens: mean(whole), answered: answered.reduce((a, b) => a + b, 0) };
}

/** Replaces lists of times by their percentiles. */
function summary({ searchMs, callMs, engineMs, editMs, resultTokens, ...rest }) {
  const of = (values) => ({ n: values.length, p50: percentile(values, 0.5), p95: percentile(values, 0.95), max: Math.max(...values) });
  return { ...rest, search: of(searchMs), call: of(callMs), engine: of(engineMs.filter(Number.isFinite)), edit: of(editMs), resultTokens: mean(resultTokens) };
}
