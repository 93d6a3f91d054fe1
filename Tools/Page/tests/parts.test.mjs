// Parts of the reader, and the modules of the page.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { byteOrder, Cursor, zigzag } from "../Reader/bytes.js";
import { expanded } from "../Reader/lz4.js";
import { half } from "../Reader/scalars.js";
import { xxh3, xxh3Lower128 } from "../Reader/xxh3.js";
import { marks } from "../View/canvas.js";
import { grouped, joined, number, size, visible } from "../View/text.js";

const folder = new URL("../", import.meta.url);

/// Of the bytes 7i + 3: their number, XXH3-64 and the lower half of XXH3-128, as libxxhash has them.
const hashes = [
  [0, 0x2d06800538d394c2n, 0x6001c324468d497fn],
  [1, 0x13e608bc156defedn, 0x13e608bc156defedn],
  [3, 0xa9088dda485b481cn, 0xa9088dda485b481cn],
  [4, 0x6d9253b16c8b1ed3n, 0x788a609154b0fe20n],
  [8, 0x60539db630471163n, 0x3cd024e3d63a1588n],
  [9, 0xfeff668361d723a8n, 0xeafab1c7f123109fn],
  [16, 0xb8c859b0f030b585n, 0x60d75c5e47d40a24n],
  [17, 0x714a04408e79b80fn, 0xeeed7654312a26d7n],
  [32, 0x19ff4ee1d6ba1a55n, 0xd761fd22e8ad5262n],
  [33, 0x3e44983ad21679c8n, 0x4193c535612ac940n],
  [64, 0x287eb1fa9e4be2c1n, 0xaa549d72c69cd267n],
  [65, 0x829218de4d798646n, 0x43622ea01271a860n],
  [96, 0xf084e7cfbc624743n, 0xab63bcfbc907abbn],
  [97, 0x1daa83271a8e7b7cn, 0x8d17d1afec22619en],
  [128, 0x67425a03650261bfn, 0xc580008b6c92ac53n],
  [129, 0xc664bf3311c6abc4n, 0xbd91ce7ace4d385bn],
  [200, 0x746cd0025327bf5bn, 0x380142cdd5843bbdn],
  [240, 0x64556dc6b462a6cfn, 0x4e0b5f034bee80bn],
  [241, 0x8beadd3a8874fe17n, 0x8beadd3a8874fe17n],
  [255, 0xb67b6637a76e6c39n, 0xb67b6637a76e6c39n],
  [256, 0x3c38817f6d79c0dan, 0x3c38817f6d79c0dan],
  [1023, 0xd26986a0b85dcc44n, 0xd26986a0b85dcc44n],
  [1024, 0x9b81661c641c72b1n, 0x9b81661c641c72b1n],
  [1025, 0x806c2072ed713576n, 0x806c2072ed713576n],
  [1088, 0x2f8781e01841f0dan, 0x2f8781e01841f0dan],
  [4096, 0xd7428746842be37en, 0xd7428746842be37en],
  [5000, 0x799aaddd7339581dn, 0x799aaddd7339581dn],
];

test("hashes are those of xxHash", () => {
  const bytes = Uint8Array.from({ length: 5_000 }, (_, place) => 7 * place + 3);
  for (const [count, hash, lower] of hashes) {
    assert.equal(xxh3(bytes.subarray(0, count)), hash, `${count} bytes`);
    assert.equal(xxh3Lower128(bytes.subarray(0, count)), lower, `${count} bytes`);
  }
});

test("varints are those of the format's table", () => {
  const table = { "01": 0, "03": 1, FF: 127, "0202": 128, B204: 300, FEFF: 16383, "040002": 16384, FCFFFF: 2097151, "1040597307": 1000000000,
    "80FFFFFFFFFFFFFF": 72057594037927935n, "000000000000000001": 72057594037927936n, "00FFFFFFFFFFFFFFFF": 18446744073709551615n };
  for (const [digits, value] of Object.entries(table)) {
    const cursor = new Cursor(Uint8Array.from(digits.match(/../g), (byte) => parseInt(byte, 16)), { end: "C3" });
    assert.equal(cursor.varint(), value);
    assert.equal(cursor.left, 0);
  }
  assert.equal(zigzag(18446744073709551615n), -9223372036854775808n);
  assert.equal(zigzag(3), -2n);
});

test("LZ4 blocks expand, or not at all", () => {
  const run = Uint8Array.from([0x1F, 7, 1, 0, 6, 0x50, 9, 9, 9, 9, 9]);
  assert.deepEqual(expanded(run, 31), Uint8Array.from([...Array(26).fill(7), 9, 9, 9, 9, 9]));
  for (const faulty of [[], [0x10], [0x0F, 1, 0], [0x1F, 7, 2, 0, 6, 0x50, 9, 9, 9, 9, 9], [0x1F, 7, 0, 0, 6, 0x50, 9, 9, 9, 9, 9],
    [0x1F, 7, 1, 0, 10, 0x10, 9], [0xF0, 255]]) {
    assert.equal(expanded(Uint8Array.from(faulty), 31), null);
  }
  assert.equal(expanded(run, 30), null);
  assert.equal(expanded(run, 32), null);
});

test("halves are numbers", () => {
  assert.deepEqual([0x3C00, 0xC000, 0x7BFF, 0x0001, 0x7C00, 0x8000].map(half), [1, -2, 65504, 2 ** -24, Infinity, -0]);
  assert.ok(Number.isNaN(half(0x7E00)));
});

test("texts are compared by their bytes", () => {
  assert.ok(byteOrder("\u{FFFF}", "\u{10000}") < 0);
  assert.ok(byteOrder("a", "ab") < 0 && byteOrder("b", "ab") > 0 && byteOrder("", "") === 0);
});

test("names show what they hide", () => {
  assert.equal(visible("a\u202Eb\u0000\u2066\n\uD800"), "a\\u{202E}b\\u{0}\\u{2066}\\u{A}\\u{D800}");
  assert.equal(visible("<script>é漢😀"), "<script>é漢😀");
  assert.equal(visible("x".repeat(10_000)).length, 300);
});

test("numbers are short", () => {
  assert.deepEqual([0, 1234567, 0.1 + 0.2, -1.5, 1e300, 42].map((value) => number(value)), ["0", "1,234,600", "0.3", "−1.5", "1e+300", "42"]);
  assert.deepEqual([1, 999, 1000, 999_999, 1_500_000_000].map(size), ["1 byte", "999 bytes", "1.00 kB", "1.00 MB", "1.50 GB"]);
  assert.equal(grouped(1234567), "1,234,567");
  assert.deepEqual([joined("", "a"), joined("a", "[0]"), joined("a[0]", "b")], ["a", "a[0]", "a[0].b"]);
});

test("axes have several round marks", () => {
  for (const [low, high] of [[0, 1], [0.0006, 0.9994], [0, 9], [299, 301], [-3e300, 2e300], [1e-300, 3e-300], [-0.99999, 0.99992], [20, 27], [-1e308, 7e307]]) {
    const found = marks(low, high, 5);
    assert.ok(found.length >= 2 && found.length <= 5, `${low} to ${high}: ${found}`);
    assert.ok(found.every((mark, place) => Number.isFinite(mark) && (place === 0 || mark > found[place - 1])), `${found}`);
    assert.ok(found.every((mark) => mark >= low - 1e-6 * Math.abs(low) && mark <= high + 1e-6 * Math.abs(high)), `${low} to ${high}: ${found}`);
  }
  // Numbers of things are whole.
  assert.deepEqual(marks(0, 1, 5, 1), [0, 1]);
  assert.deepEqual(marks(0, 4, 5, 1), [0, 1, 2, 3, 4]);
});

/// Checks that modules can stand one behind the other as one script: their order, their names, and what they must not have.
function checkTogether(names, forbidden) {
  const texts = names.map((name) => readFileSync(new URL(name, folder), "utf8"));
  texts.forEach((text, place) => {
    for (const [, imported] of text.matchAll(/from "(\..*)";/g)) {
      const name = new URL(imported, new URL(names[place], folder)).href.slice(folder.href.length);
      assert.ok(names.indexOf(name) >= 0 && names.indexOf(name) < place, `${names[place]} imports ${name}, which comes later`);
    }
    assert.ok(!/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|<\/script|<!--/.test(text), names[place]);
    assert.ok(!/https?:\/\/(?!www\.w3\.org\/2000\/svg)/.test(text), names[place]);
    assert.ok(!forbidden.test(text), names[place]);
  });
  const script = texts.map((text) => text.replace(/^import [^;]*;\n/gm, "").replace(/^export\s/gm, "")).join("\n");
  const scratch = mkdtempSync(join(tmpdir(), "graphcodable-"));
  try {
    writeFileSync(join(scratch, "page.mjs"), script);
    const { status, stderr } = spawnSync(process.execPath, ["--check", join(scratch, "page.mjs")], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

const modules = [...readFileSync(new URL("page.c", folder), "utf8").matchAll(/#embed "(.*\.js)"/g)].map((match) => match[1]);
const listed = (...names) => names.flatMap((name) => readdirSync(new URL(name, folder)).map((file) => `${name}/${file}`)).sort();

test("the page's modules fit together in their order", () => {
  const names = modules.filter((name) => name.startsWith("View/"));
  assert.deepEqual([...names].sort(), listed("View"));
  checkTogether(names, /\bfetch\(|XMLHttpRequest/);
});

test("the modules of its worker fit together in their order", () => {
  const names = modules.filter((name) => !name.startsWith("View/"));
  assert.deepEqual([...names].sort(), listed("Reader", "Report"));
  // A server is asked in one place alone.
  checkTogether(names.filter((name) => name !== "Report/worker.js"), /\bfetch\(|XMLHttpRequest|document\./);
  checkTogether(names, /\bfetch\(|document\./);
});

test("the reader is small", () => {
  const bytes = listed("Reader", "Report").reduce((sum, name) => sum + readFileSync(new URL(name, folder)).length, 0);
  assert.ok(bytes <= 200_000, `${bytes} bytes`);
});
