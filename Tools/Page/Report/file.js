// A file of which a page reads what it shows, when it shows it.
import { begins, openArchive } from "../Reader/archive.js";
import { Refusal } from "../Reader/bytes.js";
import { checkHeader, checkPadding, entriesUpTo, entrySource, isNotBegun, lastEntry, listEntries } from "../Reader/series.js";
import { Graph } from "./graph.js";
import { blocksOf, informationOf } from "./information.js";
import { previewOf } from "./preview.js";
import { statisticsOf } from "./statistics.js";
import { keptCount, treeOf } from "./tree.js";
import { damageOf, problemOf } from "./verification.js";

const entryLimit = 2_000;
const stepCount = 24;
const numberLimit = 8;
const checkedByteLimit = 64 << 20;
const openLimit = 3;

/// How much is read at a time.
const amounts = {
  /// Of a file on this computer.
  near: { end: 1 << 18, stream: 64 << 20, room: { bytes: 16 << 20, places: 32 }, step: { bytes: 4 << 20, places: 4 }, closer: { bytes: 128 << 20, places: 128 } },
  /// Of a file that a server sends.
  served: { end: 1 << 18, stream: 16 << 20, room: { bytes: 5 << 19, places: 2 }, step: { bytes: 1 << 20, places: 1 }, closer: { bytes: 32 << 20, places: 32 } },
};

const damaged = (error) => error instanceof Refusal;

/// An archive, or a series of them.
export class OpenFile {
  /// - amount: a name of `amounts`.
  constructor(name, source, amount) {
    Object.assign(this, { name, source, amount: amounts[amount], graphs: new Map() });
    source.prefetch?.(Math.max(source.byteCount - this.amount.end, 0), this.amount.end);
    const start = source.bytes(0, 8);
    if (begins(start, "gcstream")) throw new Error("Streams of messages are not read in a browser: see graphcodable view.");
    this.isSeries = begins(start, "gcseries") || (name.endsWith(".gcseries") && isNotBegun(source));
    if (!this.isSeries && !begins(start, "gcodable")) {
      // It may be a series whose header is damaged.
      try {
        checkHeader(source);
      } catch (error) {
        if (error.rule !== "R3") throw new Error("The file is neither an archive nor a series of archives.");
        this.isSeries = true;
      }
    }
    this.last = this.isSeries ? lastEntry(source) : null;
    if (this.isSeries && this.last === null) this.list();
  }

  /// Lists the entries from the first one on, where the end of the file does not lead to them.
  list() {
    this.faults = [];
    this.entries = isNotBegun(this.source) ? [] : listEntries(this.source, (fault) => this.faults.push(fault));
    this.last = this.entries.at(-1) ?? null;
  }

  /// What the page shows at first: without previews, statistics and entries.
  report() {
    const { source, name, last } = this;
    const report = { file: name, kind: this.isSeries ? "series" : "archive", bytes: source.byteCount, archives: [] };
    if (this.isSeries) {
      report.entryCount = this.entries?.length ?? Number(last.number) + 1;
      const end = last === null ? source.byteCount : last.offset + last.byteCount;
      if (source.byteCount > end) report.unfinishedBytes = source.byteCount - end;
      if (last === null) return report;
    }
    report.archives = [this.archive(last)];
    return report;
  }

  archive(entry) {
    try {
      return this.archiveReport(entry);
    } catch (error) {
      if (!damaged(error) || entry === null) return this.unreadable(entry, error);
    }
    // Another one where the last is damaged: the page is to show what there is.
    for (const other of this.listed().slice(-9, -1).reverse()) {
      try {
        return this.archiveReport(other);
      } catch (error) {
        if (!damaged(error)) throw error;
      }
    }
    return this.unreadable(entry, new Error("the last entries cannot be read"));
  }

  unreadable(entry, error) {
    return {
      label: "", entry: entry === null ? undefined : Number(entry.number), blocks: [], previews: [], arraysLeftOut: 0, paths: [], vectors: [],
      tree: { values: [{ step: "", kind: "unreadable", error: error.message }] } };
  }

  archiveReport(entry) {
    const { graph, tree, arrays, vectors } = this.opened(entry);
    // Vectors are three arrays to read, which is too much for the first preview of a file that a server sends.
    const paths = this.amount === amounts.near ? [...vectors.keys(), ...arrays.keys()] : [...arrays.keys(), ...vectors.keys()];
    return {
      label: entry === null ? "" : `entry ${entry.number}`, entry: entry === null ? undefined : Number(entry.number),
      information: informationOf(graph), blocks: blocksOf(graph), tree: { values: tree }, previews: [], paths, vectors: [...vectors.keys()], arraysLeftOut: 0,
      isCut: graph.isCut };
  }

  /// The graph of an archive, its tree and its arrays; the last ones stay open.
  opened(entry) {
    const key = entry === null ? null : entry.offset;
    if (!this.graphs.has(key)) {
      const graph = new Graph(entry === null ? this.source : entrySource(this.source, entry), { streamLimit: this.amount.stream, keptCount });
      const { values, arrays, vectors } = treeOf(graph);
      this.graphs.set(key, { graph, tree: values, arrays, vectors });
      if (this.graphs.size > openLimit) this.graphs.delete(this.graphs.keys().next().value);
    }
    return this.graphs.get(key);
  }

  /// The entry with a number; that of an archive by itself has none.
  entry(number) {
    if (!this.isSeries) return null;
    if (number === Number(this.last.number)) return this.last;
    return this.listed().find((entry) => Number(entry.number) === number);
  }

  /// The entries, of which only the last ones are listed where there are very many.
  listed() {
    if (this.entries === undefined) {
      const found = entriesUpTo(this.source, this.last, entryLimit);
      if (found === null) this.list();
      else this.entries = found;
    }
    return this.entries;
  }

  // MARK: What is asked for later

  /// The time line: for each entry its step, time and sizes.
  timeline() {
    const entries = this.listed().map((entry) => ({
      number: Number(entry.number), step: Number(entry.step), time: entry.time, metadata: Object.fromEntries(entry.metadata),
      offset: entry.archive, bytes: Number(entry.whole), storedBytes: Number(entry.stored) + entry.byteCount }));
    const count = this.faults ? entries.length : Number(this.last.number) + 1;
    const some = Math.min(entries.length, stepCount);
    const steps = Array.from({ length: some }, (_, index) => entries[some === 1 ? 0 : Math.floor(((entries.length - 1) * index) / (some - 1))]);
    return { entries, entryCount: count, steps: steps.map(({ number, step, time }) => ({ number, step, time })) };
  }

  /// The preview of an array.
  preview(number, path, isCloser) {
    const { graph, arrays, vectors } = this.opened(this.entry(number));
    const value = arrays.get(path) ?? vectors.get(path);
    if (value === undefined) throw new Error("This entry has no such array.");
    return previewOf(graph, path, value, isCloser ? this.amount.closer : this.amount.room);
  }

  /// An array and the single numbers of the root at an entry; an array that is not there or damaged is left out.
  step(number, path) {
    const { graph, tree, arrays, vectors } = this.opened(this.entry(number));
    const numbers = tree.filter(({ parent, text }) => parent === 0 && text !== undefined && text !== "" && Number.isFinite(Number(text)))
      .slice(0, numberLimit).map(({ step, text }) => [step, Number(text)]);
    const value = arrays.get(path) ?? vectors.get(path);
    return { numbers: Object.fromEntries(numbers), previews: value === undefined ? [] : [previewOf(graph, path, value, this.amount.step)] };
  }

  /// Where the bytes go; null where the graph is so large that not all of it is read.
  statistics(number) {
    const { graph } = this.opened(this.entry(number));
    return graph.isCut ? null : statisticsOf(graph);
  }

  /// For each bulk segment, the path of its array; none where the graph is damaged.
  places(entry) {
    try {
      const { arrays } = this.opened(entry);
      return new Map([...arrays].filter(([, { array }]) => array.segment).map(([path, { array }]) => [array.segmentNumber, path]));
    } catch {
      return new Map();
    }
  }

  /// Compares all checksums; null for a large file.
  finding() {
    if (this.source.byteCount > checkedByteLimit) return null;
    const problems = [];
    if (this.isSeries) this.list();
    for (const fault of this.faults ?? []) problems.push(problemOf(fault));
    if (this.isSeries && !isNotBegun(this.source)) {
      try {
        checkHeader(this.source);
      } catch (error) {
        problems.push(problemOf(error));
      }
    }
    for (const entry of this.isSeries ? this.entries : [null]) {
      try {
        if (entry !== null) checkPadding(this.source, entry);
        const archive = openArchive(entry === null ? this.source : entrySource(this.source, entry));
        const problem = damageOf(archive, () => this.places(entry), entry === null ? undefined : Number(entry.number), entry?.archive ?? 0);
        if (problem) problems.push(problem);
      } catch (error) {
        if (!damaged(error)) throw error;
        problems.push(problemOf(error, entry === null ? undefined : Number(entry.number)));
      }
    }
    return { ok: problems.length === 0, problems, entries: this.isSeries ? this.entries.length : undefined };
  }
}
