// Reads files for a page, beside it: `Worker` of this script gets { id, call, arguments } and answers { id, result } or { id, error }.
import { OpenFile } from "./file.js";
import { MemorySource, RangeSource } from "../Reader/sources.js";

const smallByteCount = 16 << 20;
const files = [];

/// The bytes of a file that somebody has chosen.
function chosenSource(file) {
  const reader = new FileReaderSync();
  const load = (offset, count) => new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + count)));
  return file.size <= smallByteCount ? new MemorySource(load(0, file.size)) : new RangeSource(file.size, load);
}

/// The bytes of a file at an address, of which each request asks for a range.
function servedSource({ address, bytes }) {
  return new RangeSource(bytes, (offset, count) => {
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.responseType = "arraybuffer";
    request.setRequestHeader("Range", `bytes=${offset}-${offset + count - 1}`);
    try {
      request.send();
    } catch {
      throw new Error("The server does not answer: graphcodable serve has ended.");
    }
    if (request.status !== 206) throw new Error(`The server answers ${request.status}: the file has changed.`);
    return new Uint8Array(request.response);
  });
}

const calls = {
  open: (chosen) => opened(new OpenFile(chosen.name, chosenSource(chosen), "near")),
  openServed: (served) => opened(new OpenFile(served.name, servedSource(served), "served")),
};

function opened(file) {
  return { place: files.push(file) - 1, report: file.report() };
}

for (const name of ["timeline", "preview", "step", "statistics", "finding"]) calls[name] = (place, ...rest) => files[place][name](...rest);

self.onmessage = ({ data: { id, call, arguments: values } }) => {
  try {
    self.postMessage({ id, result: calls[call](...values) });
  } catch (error) {
    self.postMessage({ id, error: error.message });
  }
};
