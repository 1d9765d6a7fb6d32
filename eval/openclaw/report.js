/** The figures as tables in Markdown. */

const ms = (value) => (value < 100 ? value.toFixed(1) : value.toFixed(0));
const seconds = (value) => (value / 1000).toFixed(1);
const times = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const row = (cells) => `| ${cells.join(" | ")} |`;

export function table(report) {
  const lines = [`Measured on ${report.began.slice(0, 10)} with ${report.host} on node ${report.node}, ${report.processors} processors.`];
  for (const { memories, layout, facts, load, systems } of report.sizes) {
    const [ours] = systems;
    const names = systems.map((one) => one.name);
    lines.push("", `${memories} memories as ${layout}, ${facts} planted facts. Load average during the run: ${load.join(", ")}.`, "");
    lines.push(row(["", ...names]), row(["---", ...names.map(() => "--:")]));
    const add = (title, of) => lines.push(row([title, ...systems.map(of)]));
    add("searches with", (one) => mode(one.mode));
    add("indexed pieces", (one) => one.mode.pieces);
    add("first index s", (one) => seconds(one.indexMs));
    add("edit until found ms, p50 / max", (one) => `${ms(one.edit.p50)} / ${ms(one.edit.max)}`);
    add("search by the tool ms, p50 / p95", (one) => `${ms(one.search.p50)} / ${ms(one.search.p95)}`);
    add("call of an empty tool ms, p50", (one) => ms(one.call.p50));
    add("the search itself ms, p50 / p95", (one) => `${ms(one.engine.p50)} / ${ms(one.engine.p95)}`);
    add("that p50, as a multiple of this memory", (one) => times(one.engine.p50 / ours.engine.p50));
    add("facts found by a question", (one) => `${one.found.questions} of ${facts / 2}`);
    add("facts found by their code", (one) => `${one.found.codes} of ${facts / 2}`);
    add("answer in the first request", (one) => `${one.answered} of ${one.turns}`);
    add("tokens injected a turn", (one) => one.blockTokens.toFixed(0));
    add("tokens of a search result", (one) => one.resultTokens.toFixed(0));
    add("resident MiB", (one) => Object.entries(one.residentMiB).map(([name, value]) => `${name} ${value}`).join(", "));
  }
  return `${lines.join("\n")}\n`;
}

function mode({ provider, model, searchMode, vector }) {
  if (provider === "none" || vector === false) return `keywords (${searchMode ?? provider})`;
  return `keywords and vectors (${[provider, model].filter(Boolean).join(", ")})`;
}
