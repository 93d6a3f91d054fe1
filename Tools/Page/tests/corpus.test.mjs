// The browser's reader over the corpus: it prints the values of all valid files, and refuses the invalid ones by their rules.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { readArchive } from "../Reader/archive.js";
import { readSeries } from "../Reader/series.js";
import { MemorySource } from "../Reader/sources.js";

const corpus = new URL("../../../Tests/Corpus/", import.meta.url);
const bytes = (name) => new Uint8Array(readFileSync(new URL(name, corpus)));
const json = (name) => JSON.parse(readFileSync(new URL(name, corpus), "utf8"));

/// A file ending in .gcseries is read as a series, others as archives.
function read(name) {
  const source = new MemorySource(bytes(name));
  return name.endsWith(".gcseries") ? readSeries(source) : readArchive(source);
}

/// A binary32 has many texts: numbers are compared as what they are, beside their bits.
function normalized(value) {
  if (Array.isArray(value)) return value.map(normalized);
  if (value === null || typeof value !== "object") return value;
  const isSmall = typeof value.bits === "string" && value.bits.length === 8;
  return Object.fromEntries(Object.entries(value).map(([name, part]) =>
    [name, isSmall && name === "number" ? Math.fround(part) : normalized(part)]));
}

const valid = readdirSync(new URL("valid", corpus)).filter((name) => !name.endsWith(".json"));

test("there are files to read", () => assert.ok(valid.length > 150));

for (const name of valid) {
  test(`valid/${name}`, () => {
    const expected = json(`valid/${name.replace(/\.[a-z]+$/, ".json")}`);
    assert.deepEqual(normalized(read(`valid/${name}`)), normalized(expected));
  });
}

for (const { file, rule, reason } of json("invalid/invalid.json")) {
  test(`invalid/${file}: ${reason}`, () => {
    assert.throws(() => read(`invalid/${file}`), (error) => {
      assert.equal(error.rule, rule, `${error.rule ?? error.stack}: ${error.message}`);
      return true;
    });
  });
}

for (const name of ["python/run.gcseries", "swift/moving.gcseries"]) {
  test(name, () => assert.ok(read(name).entries.length > 1));
}

test("a file that is cut anywhere is refused, and ends no other way", () => {
  for (const name of ["valid/everything.gcodable", "valid/bulk-quantised.gcodable", "valid/tree-with-conditional-parents.gcodable"]) {
    const whole = bytes(name);
    for (let length = 0; length < whole.length; length += 1) {
      assert.throws(() => readArchive(new MemorySource(whole.subarray(0, length))), { name: "Error", rule: /^[HC]\d+$/ });
    }
  }
});

test("a byte that is changed anywhere is refused", () => {
  for (const name of ["valid/everything.gcodable", "valid/stream-and-index-lz4.gcodable"]) {
    const whole = bytes(name);
    for (let place = 0; place < whole.length; place += 1) {
      const changed = whole.slice();
      changed[place] ^= 0x10;
      assert.throws(() => readArchive(new MemorySource(changed)), { rule: /^[HCSG]\d+$/ }, `byte ${place} of ${name}`);
    }
  }
});
