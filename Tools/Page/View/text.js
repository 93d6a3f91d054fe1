// Texts of names and numbers.

const hidden = /[\u0000-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060\u2066-\u2069\uFEFF]|\p{Cs}/gu;

/// A name from a file, with escapes in place of characters that are not seen, or that change the order of others.
export function visible(name, longest = 300) {
  const text = name.replace(hidden, (character) => `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/// A whole number with commas between its thousands.
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/// A number and the word for what is counted.
export function counted(number, one, many = `${one}s`) {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/// A number of bytes in the largest decimal unit of which there is one.
export function size(bytes) {
  if (bytes < 1000) return counted(bytes, "byte");
  const units = ["kB", "MB", "GB", "TB", "PB", "EB"];
  let unit = -1;
  let number = bytes;
  while (number >= 999.95 && unit < units.length - 1) {
    number /= 1000;
    unit += 1;
  }
  return `${number.toFixed(number < 10 ? 2 : 1)} ${units[unit]}`;
}

/// A number with at most so many significant digits; the report has those that JSON does not have as strings.
export function number(value, digits = 5) {
  if (typeof value !== "number") return String(value ?? "");
  if (value === 0) return "0";
  const plain = Math.abs(value) >= 1e-4 && Math.abs(value) < 1e7;
  const text = plain ? String(Number(value.toPrecision(digits))) : value.toExponential(digits - 1).replace(/\.?0+e/, "e");
  return text.replace("-", "−").replace(/^(−?\d{5,})(?=\.|$)/, (whole) => grouped(whole));
}

/// A part of a whole in percent.
export function percent(part, whole) {
  return `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`;
}

/// The lengths of an array's dimensions.
export function dimensions(shape) {
  return shape.map((length) => (length === null ? "…" : grouped(length))).join(" × ");
}

/// A path with one more step.
export function joined(path, step) {
  return path === "" || step.startsWith("[") ? path + step : `${path}.${step}`;
}
