// What pages show of files that they read themselves, over the corpus: from memory, and by ranges.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { readArchive } from "../Reader/archive.js";
import { readSeries } from "../Reader/series.js";
import { MemorySource, RangeSource } from "../Reader/sources.js";
import { OpenFile } from "../Report/file.js";
import { shortest } from "../Report/texts.js";

const corpus = new URL("../../../Tests/Corpus/", import.meta.url);
const bytes = (name) => new Uint8Array(readFileSync(new URL(name, corpus)));
const isFile = (name) => /\.gc(odable|series)$/.test(name);
const valid = ["valid", "swift", "python"].flatMap((folder) => readdirSync(new URL(folder, corpus)).filter(isFile).map((name) => `${folder}/${name}`));

/// A source that reads as little as it can, and the ranges that it has read.
function rangesOf(all) {
  const ranges = [];
  const source = new RangeSource(all.length, (offset, count) => {
    ranges.push([offset, offset + count]);
    return all.slice(offset, offset + count);
  });
  source.ahead = 1;
  return { source, ranges };
}

/// What is asked for, or the reason why there is none.
function attempt(ask) {
  try {
    return ask();
  } catch (error) {
    assert.ok(!(error instanceof TypeError || error instanceof RangeError), error.stack);
    return error.message;
  }
}

/// Reads all of a file by all rules.
function readAll(name, all) {
  const source = new MemorySource(all);
  return name.endsWith(".gcseries") ? readSeries(source) : readArchive(source);
}

/// All that a page may ask for.
function everything(file) {
  const report = file.report();
  const [archive] = report.archives;
  const asked = { report, finding: file.finding() };
  if (!archive) return asked;
  asked.statistics = attempt(() => file.statistics(archive.entry));
  asked.previews = archive.paths.map((path) => attempt(() => file.preview(archive.entry, path)));
  if (report.kind === "series") {
    asked.timeline = file.timeline();
    asked.steps = asked.timeline.steps.map(({ number }) => attempt(() => file.step(number, archive.paths[0])));
  }
  return asked;
}

for (const name of valid) {
  test(name, () => {
    const all = bytes(name);
    const whole = everything(new OpenFile(name, new MemorySource(all), "near"));
    assert.deepEqual(whole.finding, { ok: true, problems: [], entries: whole.timeline?.entries.length ?? (whole.report.kind === "series" ? 0 : undefined) });
    assert.deepEqual(everything(new OpenFile(name, rangesOf(all).source, "served")), whole);
    if (!whole.statistics?.bytes) return;
    const { bytes: count, overheadBytes, classes } = whole.statistics;
    assert.ok(Math.abs(count - overheadBytes - classes.reduce((sum, share) => sum + share.bytes, 0)) <= classes.length);
  });
}

test("a damaged file is told from a sound one, or refused, wherever it is damaged", () => {
  for (const name of ["swift/moving.gcseries", "valid/bulk-quantised.gcodable"]) {
    for (let place = 0; place < bytes(name).length; place += 397) {
      const changed = bytes(name);
      changed[place] ^= 0x10;
      let file;
      try {
        file = new OpenFile(name, new MemorySource(changed), "near");
      } catch (error) {
        assert.match(error.message, /neither an archive nor a series|^[HCR]\d+: /, `byte ${place} of ${name}`);
        continue;
      }
      // Differences may be stored in several ways that expand to the same.
      const isSound = typeof attempt(() => readAll(name, changed)) !== "string";
      assert.equal(everything(file).finding.ok, isSound, `byte ${place} of ${name}`);
    }
  }
});

test("invalid files end in a report or an error with its reason", () => {
  for (const name of readdirSync(new URL("invalid", corpus)).filter(isFile)) {
    attempt(() => everything(new OpenFile(name, new MemorySource(bytes(`invalid/${name}`)), "near")));
  }
});

test("a series is listed from its end in few reads", () => {
  const all = bytes("swift/moving.gcseries");
  const { source, ranges } = rangesOf(all);
  const file = new OpenFile("moving.gcseries", source, "served");
  assert.equal(file.report().entryCount, 4);
  assert.equal(file.timeline().entries.length, 4);
  // The file is shorter than what is read at its end.
  assert.deepEqual(ranges, [[0, all.length]]);
});

test("bytes behind the last entry are told, and do not hide the entries", () => {
  const all = bytes("swift/moving.gcseries");
  const longer = new Uint8Array(all.length + 100);
  longer.set(all);
  const report = new OpenFile("moving.gcseries", new MemorySource(longer), "near").report();
  assert.equal(report.unfinishedBytes, 100);
  assert.equal(report.entryCount, 4);
});

test("numbers have the fewest digits that are enough", () => {
  assert.deepEqual([0.1, 1 / 3, 1e300, NaN, Infinity, -Infinity, -0].map((number) => shortest(number)),
    ["0.1", "0.3333333333333333", "1e+300", "nan", "inf", "-inf", "-0"]);
  assert.deepEqual([Math.fround(0.1), 16777216, Math.fround(1e-45)].map((number) => shortest(number, 4)), ["0.1", "16777216", "1e-45"]);
  assert.deepEqual([0.0999755859375, 65504, 2 ** -24].map((number) => shortest(number, 2)), ["0.1", "65500", "6e-8"]);
});
