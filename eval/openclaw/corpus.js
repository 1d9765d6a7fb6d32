/** Generated daily notes with planted facts, the same for each seed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Planted facts of each kind. */
const factCount = 60;
/** The notes cover two years, because an agent is asked about old facts too. */
const days = 730;

/** How memories are written: sentences of each, and memories of each file. */
const layouts = { bullets: { sentences: 1, perFile: 20 }, paragraphs: { sentences: 10, perFile: 6 } };

/** mulberry32: a small generator of random numbers with a seed. */
function generator(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const people = "Amara Benedikt Chidi Dagny Elio Farida Gregor Hana Ivo Jolanda Kofi Liesel Mateo Noor Oskar Priya Quentin Rosalie Sander Tomoko Ulrike Viktor Wanda Ximena Yusuf".split(" ");
const systems = "billing payroll shipping inventory login reporting mail search invoice backup monitoring calendar ticket chat archive export voucher newsletter review upload".split(" ");
const places = "Bremen Lisbon Tallinn Krakow Ghent Turin Malmo Graz Porto Leipzig Utrecht Cork Basel Nantes Split".split(" ");
const things = "garage attic cellar workshop boathouse shed pantry office studio greenhouse van caravan locker safe cottage".split(" ");
const foods = "peanuts shellfish lupins celery mustard sesame kiwi almonds soy lactose hazelnuts strawberries".split(" ");
const languages = "Portuguese Estonian Korean Basque Turkish Icelandic Welsh Hindi Greek Finnish Swahili Catalan".split(" ");
const verbs = "checked moved cleaned replaced discussed postponed measured ordered described compared painted repaired tested copied sorted".split(" ");
const adjectives = "slow quiet heavy new broken cheap late early tidy narrow bright damp stable noisy empty".split(" ");
const nouns = "printer contract window report bicycle shelf cable slide deck budget garden poster recipe server ticket lamp curtain keyboard suitcase map".split(" ");
const reasons = ["because of the rain", "after the long meeting", "before the holidays", "with two colleagues", "on the way home", "without any trouble", "for the third time", "as the supplier asked"];

/** Facts with a question about each, as people ask. */
const kinds = [
  { of: systems, fact: (s, n) => `The ${s} service listens on port ${4000 + n}`, ask: (s) => `On which port does the ${s} service listen?` },
  { of: people, fact: (s, n) => `${s} is allergic to ${foods[n % foods.length]}`, ask: (s) => `What is ${s} allergic to?` },
  { of: systems, fact: (s, n) => `We decided to keep the ${s} backups for ${30 + n} days`, ask: (s) => `How long do we keep the backups of ${s}?` },
  { of: things, fact: (s, n) => `The key of the ${s} hangs behind the ${nouns[n % nouns.length]}`, ask: (s) => `Where is the key of the ${s}?` },
  { of: people, fact: (s, n) => `${s}'s birthday is on ${1 + (n % 28)} ${n % 2 ? "March" : "October"}`, ask: (s) => `When is ${s}'s birthday?` },
  { of: places, fact: (s, n) => `The lease of the ${s} flat ends in ${2027 + (n % 6)}`, ask: (s) => `When does our lease in ${s} run out?` },
  { of: people, fact: (s, n) => `${s} learns ${languages[n % languages.length]} in the evenings`, ask: (s) => `Which language does ${s} study?` },
  { of: systems, fact: (s, n) => `The ${s} dashboard belongs to ${people[n % people.length]}`, ask: (s) => `Who owns the ${s} dashboard?` },
  { of: places, fact: (s, n) => `The rent of the ${s} warehouse is ${900 + n} euros a month`, ask: (s) => `How much do we pay for the warehouse in ${s}?` },
  { of: things, fact: (s, n) => `The spare bulbs of the ${s} are stored in box ${10 + n}`, ask: (s) => `Where do we store the spare bulbs for the ${s}?` },
];

/** Every system, person and place is also in lines that answer nothing. */
function filler(random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const subject = [() => pick(people), () => `The ${pick(systems)} team`, () => `Somebody from ${pick(places)}`, () => `${pick(people)} and ${pick(people)}`][Math.floor(random() * 4)]();
  const object = [() => `the ${pick(adjectives)} ${pick(nouns)}`, () => `the ${pick(nouns)} of the ${pick(systems)} service`, () => `a ${pick(nouns)} in the ${pick(things)}`, () => `the plan for ${pick(places)}`][Math.floor(random() * 4)]();
  const tail = random() < 0.5 ? ` ${pick(reasons)}` : ` and the ${pick(adjectives)} ${pick(nouns)} for ${pick(people)} ${pick(reasons)}`;
  return `${subject} ${pick(verbs)} ${object}${tail}`;
}

/** Returns the planted facts {text, query, isCode}: one of each kind in turn, so that both are of all ages. */
function plant(random) {
  const letters = "ABCDEFGHJKLMNPRSTUVWXYZ";
  const letter = () => letters[Math.floor(random() * letters.length)];
  const facts = [];
  for (let i = 0; i < factCount; i++) {
    const kind = kinds[i % kinds.length];
    const subject = kind.of[Math.floor(i / kinds.length) % kind.of.length];
    facts.push({ text: kind.fact(subject, i), query: kind.ask(subject), isCode: false });
    const code = `${letter()}${letter()}-${1000 + Math.floor(random() * 9000)}-${letter()}${i % 10}`;
    facts.push({ text: `The ${nouns[i % nouns.length]} from ${places[i % places.length]} has the order code ${code}`, query: code, isCode: true });
  }
  return facts;
}

/**
 * Writes count memories below dir/memory, a note for a day, and returns the planted facts
 * with the path and the line of each. Facts are spread evenly over the two years. In a
 * paragraph, a fact is one sentence among others.
 */
export function writeNotes(dir, count, layout, today = new Date()) {
  const { sentences, perFile } = layouts[layout];
  const random = generator(count);
  const facts = plant(random);
  const memories = Array.from({ length: count - facts.length }, () => ({ text: filler(random) }));
  facts.forEach((fact, i) => memories.splice(Math.floor(((i + 0.5) * count) / facts.length), 0, fact));
  const files = Math.ceil(count / perFile);
  mkdirSync(join(dir, "memory"), { recursive: true });
  for (let f = 0; f < files; f++) {
    const day = new Date(today.getTime() - Math.round(((f + 0.5) * days) / files) * 86_400_000).toISOString().slice(0, 10);
    const path = `memory/${day}-${f % 10}.md`;
    const lines = [`# ${day}`, "", "## Morning", ""];
    memories.slice(f * perFile, (f + 1) * perFile).forEach((memory, i) => {
      if (i === perFile / 2) lines.push("", "## Afternoon", "");
      lines.push(`- ${around(memory.text, sentences - 1, random)}`);
      Object.assign(memory, { path, line: lines.length });
    });
    writeFileSync(join(dir, path), `${lines.join("\n")}\n`);
  }
  return facts;
}

/** Puts a sentence among others. */
function around(text, others, random) {
  const all = Array.from({ length: others }, () => filler(random));
  all.splice(Math.floor(random() * (others + 1)), 0, text);
  return all.join(". ");
}
