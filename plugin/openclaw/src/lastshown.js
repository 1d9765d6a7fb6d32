/**
 * What was last shown of MEMORY.md and USER.md, so that the agent keeps its memory while
 * the service is away. The disk gets line numbers and hashes, never a text. What the
 * service served to one user is shown to no other one. Such an answer has no hash.
 *
 * @import { Remainder, ShownFile } from "../types/plugin.js"
 * @import { ServedFile } from "../types/service.js"
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export class LastShown {
  #folder;
  #texts;

  /**
   * @param {string} folder where the records are kept
   * @param {Map<string, string>} texts the last texts by file and hash, in this process only
   */
  constructor(folder, texts) {
    this.#folder = folder;
    this.#texts = texts;
  }

  /**
   * Returns the hash of a file's bytes as they are now, or undefined if it cannot be read.
   *
   * @param {string} dir
   * @param {string} path
   */
  hashNow(dir, path) {
    const source = read(join(dir, path));
    return source && hash(source);
  }

  /**
   * Records what the service returned for a file of a workspace folder.
   *
   * @param {string} dir
   * @param {ServedFile} served
   * @param {string} [reader] who asked
   * @param {string} [hashBefore] of the file's bytes before the request
   */
  record(dir, served, reader = "", hashBefore = undefined) {
    const servedHash = served.hash ?? hashBefore;
    if (!servedHash) return;
    const file = join(dir, served.path);
    const key = served.hash ? file : keyOf(file, reader);
    const name = `${file}\n${servedHash}`;
    if (this.#texts.get(key) === `${name}\n${served.content}`) return;
    const source = read(file);
    if (source === undefined || hash(source) !== servedHash) return; // edited since
    this.#forget(served.hash ? keyOf(file, reader) : file);
    this.#texts.set(key, `${name}\n${served.content}`);
    const lines = source.toString("utf8").split("\n");
    const shown = served.content.split("\n");
    /** @type {ShownFile} */
    const record = {
      hash: servedHash,
      kept: keptRanges(lines, shown),
      head: hash(headOf(lines)),
      marked: markedUnits(unitsOf(body(lines))),
      units: [...new Set(unitsOf(shown).map((unit) => hash(unit.key)))],
    };
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const path = this.#path(key);
      writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch {
      // Without a record the file is withheld during an outage.
    }
  }

  /**
   * Returns what may be shown of a file without the service, or undefined if nothing is known about it.
   *
   * @param {string} dir
   * @param {string} path
   * @param {string} [reader] who asks
   * @returns {Remainder | undefined}
   */
  remainder(dir, path, reader = "") {
    const file = join(dir, path);
    const source = read(file);
    const own = this.#read(keyOf(file, reader));
    const record = own ?? this.#read(file);
    if (source === undefined || record === undefined) return undefined;
    const name = `${file}\n${hash(source)}\n`;
    const text = this.#texts.get(own ? keyOf(file, reader) : file);
    if (text?.startsWith(name)) return { content: text.slice(name.length), withheld: 0 };
    const lines = source.toString("utf8").split("\n");
    if (record.hash === hash(source)) {
      return { content: record.kept.flatMap(([from, to]) => lines.slice(from, to)).join("\n"), withheld: 0 };
    }
    return knownUnits(lines, record);
  }

  /** @param {string} key */
  #path(key) {
    return join(this.#folder, `${hash(key).slice(7, 39)}.json`);
  }

  /**
   * Deletes a record that a new one replaces.
   *
   * @param {string} key
   */
  #forget(key) {
    this.#texts.delete(key);
    try {
      rmSync(this.#path(key), { force: true });
    } catch {
      // It cannot be written either.
    }
  }

  /**
   * @param {string} key
   * @returns {ShownFile | undefined}
   */
  #read(key) {
    try {
      return JSON.parse(readFileSync(this.#path(key), "utf8"));
    } catch {
      return undefined;
    }
  }
}

/**
 * Returns the units of a changed file that were shown before. A changed front matter or
 * comment may hide any line, so nothing is returned then.
 *
 * @param {string[]} lines
 * @param {ShownFile} record
 * @returns {Remainder}
 */
function knownUnits(lines, record) {
  const all = unitsOf(body(lines));
  const isSafe = hash(headOf(lines)) === record.head && String(markedUnits(all)) === String(record.marked);
  const known = all.filter((unit) => isSafe && record.units.includes(hash(unit.key)));
  return { content: known.flatMap((unit) => unit.lines).join("\n"), withheld: filledLines(all) - filledLines(known) };
}

/** @param {Unit[]} units */
function filledLines(units) {
  return units.flatMap((unit) => unit.lines).filter((line) => line.trim() !== "").length;
}

/**
 * Returns the ranges of source lines that make up the shown lines. A shown line that the
 * source does not have, such as a shortened heading, is left out.
 *
 * @param {string[]} source
 * @param {string[]} shown
 */
function keptRanges(source, shown) {
  /** @type {[number, number][]} */
  const ranges = [];
  let next = 0;
  for (const line of shown) {
    const at = source.indexOf(line, next);
    if (at < 0) continue;
    const last = ranges.at(-1);
    if (last && last[1] === at) last[1] = at + 1;
    else ranges.push([at, at + 1]);
    next = at + 1;
  }
  return ranges;
}

/**
 * A heading, or a bullet or paragraph with what is indented below it. key contains the headings above it.
 *
 * @typedef {{ lines: string[], key: string }} Unit
 */

/**
 * @param {string[]} lines
 * @returns {Unit[]}
 */
function unitsOf(lines) {
  /** @type {Unit[]} */
  const units = [];
  /** @type {string[]} */
  let headings = [];
  let blank = true;
  for (const line of lines) {
    const level = /^#{1,6}(?= )/.exec(line)?.[0].length;
    const starts = level !== undefined || /^([-*+]|\d+[.)])\s/.test(line) || (blank && /^\S/.test(line));
    if (level !== undefined) headings = [...headings.slice(0, level - 1), line];
    blank = line.trim() === "";
    if (starts || units.length === 0) units.push({ lines: [], key: headings.join("\n") });
    units.at(-1)?.lines.push(line);
  }
  for (const unit of units) unit.key += `\n${unit.lines.join("\n").trim()}`;
  return units;
}

/**
 * Returns the hashes of the units that may contain a comment.
 *
 * @param {Unit[]} units
 */
function markedUnits(units) {
  return units.filter((unit) => unit.lines.some((line) => line.includes("<"))).map((unit) => hash(unit.key));
}

/**
 * Returns the lines below the front matter.
 *
 * @param {string[]} lines
 */
function body(lines) {
  if (!/^(---|\+\+\+)\s*$/.test(lines[0] ?? "")) return lines;
  const end = lines.findIndex((line, n) => n > 0 && /^(---|\+\+\+|\.\.\.)\s*$/.test(line));
  return lines.slice(end + 1);
}

/**
 * Returns everything above the last line that could end a front matter.
 *
 * @param {string[]} lines
 */
function headOf(lines) {
  const last = lines.findLastIndex((line) => /^\s*\{/.test(line) || /^[^\p{L}\p{N}|`]{2,}$/u.test(line.trim()));
  return lines.slice(0, last + 1).join("\n");
}

/**
 * Names what one reader was shown of a file. No name of a file contains this separator.
 *
 * @param {string} file
 * @param {string} reader
 */
function keyOf(file, reader) {
  return `${file}\0${reader}`;
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** @param {string | Buffer} content */
function hash(content) {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}
