// Writes the rows of a LanceDB table as lines of JSON, without their vectors.
// usage: node read.mjs FOLDER_WITH_NODE_MODULES DATABASE TABLE
//
// The first line has the number of rows, so that the reader can show its progress and
// notices if the end is missing.
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, path, wanted] = process.argv.slice(2);
const lancedb = createRequire(join(modules, "package.json"))("@lancedb/lancedb");

// value returns a value as JSON can have it.
function value(v) {
  if (typeof v === "bigint") return Number(v);
  if (v instanceof Date) return v.toISOString();
  if (v && typeof v === "object" && typeof v.toArray === "function") return Array.from(v.toArray(), value);
  if (v && typeof v === "object" && typeof v.toJSON === "function") return value(v.toJSON());
  return v;
}

async function write(line) {
  if (!process.stdout.write(JSON.stringify(line) + "\n")) await once(process.stdout, "drain");
}

const db = await lancedb.connect(path);
const names = await db.tableNames();
if (!names.includes(wanted)) {
  await write({ tables: names });
} else {
  const table = await db.openTable(wanted);
  const isVector = (field) => /^(FixedSizeList|List<Float)/.test(String(field.type));
  const columns = (await table.schema()).fields.filter((field) => !isVector(field)).map((field) => field.name);
  await write({ rows: await table.countRows() });
  for await (const batch of table.query().select(columns)) {
    for (const row of batch) {
      const out = {};
      for (const column of columns) out[column] = value(row[column]);
      await write(out);
    }
  }
}
