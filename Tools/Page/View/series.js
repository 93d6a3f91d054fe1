// A series: what each entry has added, how its numbers change, and its arrays step by step.
import { band, lines } from "./charts.js";
import { drawn, element, facts, refill } from "./element.js";
import { numberFacts, picture, sampling } from "./preview.js";
import { table } from "./table.js";
import { counted, grouped, number, percent, size, visible } from "./text.js";

const rowLimit = 200;

/// The time line of the entries, with their sizes.
export function timeline(file) {
  const { entries } = file;
  const most = Math.max(...entries.map(({ bytes }) => bytes), 1);
  const [width, height, base] = [960, 150, 126];
  const slot = width / entries.length;
  const hasShared = entries.some(({ bytes, storedBytes }) => storedBytes !== undefined && storedBytes < bytes);
  const bars = entries.map((entry, place) => {
    const wide = Math.max(Math.min(slot * 0.8, 60), 0.6);
    const x = place * slot + (slot - wide) / 2;
    const whole = (entry.bytes / most) * (base - 10);
    const stored = (Math.min(entry.storedBytes ?? entry.bytes, entry.bytes) / most) * (base - 10);
    return drawn(
      "g", {}, drawn("title", {}, `entry ${entry.number}, step ${entry.step}, time ${number(entry.time)}: ${sizes(entry)}`),
      drawn("rect", { x, y: base - whole, width: wide, height: whole, class: "shared" }),
      drawn("rect", { x, y: base - Math.max(stored, 1), width: wide, height: Math.max(stored, 1), class: "stored" }));
  });
  const [first, last] = [entries[0], entries[entries.length - 1]];
  return [
    drawn(
      "svg", { viewBox: `0 0 ${width} ${height}`, class: "timeline", role: "img", "aria-label": `Sizes of ${counted(entries.length, "entry", "entries")}; the table below has the same numbers` },
      bars, drawn("line", { x1: 0, x2: width, y1: base, y2: base }),
      drawn("text", { x: 0, y: height - 6 }, `step ${first.step}`),
      drawn("text", { x: width, y: height - 6, "text-anchor": "end" }, `step ${last.step}`)),
    element("p", { class: "legend" },
      element("span", { class: "key stored" }), " added to the file ",
      hasShared && element("span", { class: "key shared" }), hasShared && " shared with entries before "),
    element("details", {}, element("summary", {}, `Entries (${grouped(file.entryCount)})`), table(
      "Entries", ["Entry", "Step", "Time", "Bytes", "Added", "Metadata"],
      entries.slice(0, rowLimit).map((entry) => [
        String(entry.number), String(entry.step), number(entry.time, 9), size(entry.bytes),
        entry.storedBytes === undefined ? "" : size(entry.storedBytes),
        Object.entries(entry.metadata).map(([key, value]) => `${visible(key, 60)}=${visible(value, 60)}`).join(" ")]),
      [0, 1, 2, 3, 4]),
    entries.length > rowLimit && element("p", { class: "note" }, `… ${grouped(entries.length - rowLimit)} more, not in this table`)),
    entries.length < file.entryCount && element("p", { class: "note" }, `${grouped(entries.length)} of ${counted(file.entryCount, "entry", "entries")} are shown, at the same distance.`),
  ];
}

function sizes(entry) {
  return entry.storedBytes !== undefined && entry.storedBytes < entry.bytes
    ? `${size(entry.bytes)}, ${size(entry.storedBytes)} of them added (${percent(entry.storedBytes, entry.bytes)})` : size(entry.bytes);
}

/// The sampled steps, with a slider.
export function stepView(steps, entryCount) {
  if (steps.steps.length === 0) return [];
  const names = steps.paths.filter((path) => steps.steps.some(({ previews }) => previews.some((array) => array.path === path)));
  const places = steps.steps.map(({ step }) => step);
  const isSampled = steps.steps.length < entryCount;
  return [
    isSampled && element("p", { class: "note" }, `Sampled: ${steps.steps.length} of ${counted(entryCount, "entry", "entries")}, at the same distance.`),
    ...scalars(steps, places),
    ...(names.length > 0 ? slider(steps, names, places) : []),
  ];
}

function scalars(steps, places) {
  const names = Object.keys(steps.steps[steps.steps.length - 1].numbers);
  const changing = names.filter((name) => new Set(steps.steps.map(({ numbers }) => numbers[name])).size > 1);
  if (changing.length === 0 || steps.steps.length < 2) return [];
  return [element("div", { class: "charts" }, changing.map((name) => {
    const values = steps.steps.map(({ numbers }) => (typeof numbers[name] === "number" ? numbers[name] : null));
    return element("figure", {}, element("figcaption", {}, visible(name, 60)), lines(
      [{ values, colour: "accent" }], places, `${visible(name, 60)} over steps, from ${number(values[0])} to ${number(values[values.length - 1])}`));
  }))];
}

function slider(steps, names, places) {
  const view = element("div", { class: "step" });
  const label = element("output", { for: "step-slider", class: "step-label" });
  const choice = element("select", { id: "step-array", onchange: () => show() }, names.map((name) => element("option", { value: name }, visible(name, 80))));
  const field = element("input", {
    type: "range", id: "step-slider", min: "0", max: String(steps.steps.length - 1), step: "1", oninput: () => show(),
  });
  field.value = String(steps.steps.length - 1);
  const overview = element("div", {});
  const show = () => {
    const step = steps.steps[Number(field.value)];
    const text = `entry ${step.number}, step ${step.step}, time ${number(step.time)}`;
    label.textContent = text;
    field.setAttribute("aria-valuetext", text);
    const array = step.previews.find(({ path }) => path === choice.value);
    refill(view, array ? stepPreview(array) : element("p", { class: "note" }, "This entry has no such array that can be read."));
  };
  const showOverview = () => refill(overview, means(steps, choice.value, places));
  choice.addEventListener("change", showOverview);
  showOverview();
  show();
  return [
    element("div", { class: "controls" },
      element("label", { for: "step-array" }, "Array"), choice,
      element("label", { for: "step-slider" }, "Step"), field, label),
    view, overview,
  ];
}

function stepPreview(array) {
  const [column] = array.columns;
  return [
    ...picture(array, visible(array.path, 80)),
    column && numberFacts(column.numbers),
    column && !array.points && element("figure", {}, element("figcaption", {}, "In order"),
      band(column.lows, column.highs, array.count, `${visible(array.path, 80)} in order`)),
    element("p", { class: "note" }, sampling(array)),
  ];
}

/// Least, mean and greatest number of an array over the steps, and how much it differs from the step before.
function means(steps, path, places) {
  if (steps.steps.length < 2) return null;
  const columns = steps.steps.map(({ previews }) => previews.find((array) => array.path === path)?.columns[0]);
  const of = (name) => columns.map((column) => finite(column?.numbers[name]));
  const changes = columns.map((column, place) => (place === 0 ? null : change(columns[place - 1], column)));
  return element(
    "div", { class: "charts" },
    element("figure", {}, element("figcaption", {}, "Minimum, mean, maximum over steps"), lines([
      { values: of("minimum"), colour: "muted", width: 1, dash: [4, 3] }, { values: of("maximum"), colour: "muted", width: 1, dash: [4, 3] },
      { values: of("mean"), colour: "accent" }], places, `Minimum, mean and maximum of ${visible(path, 80)} over steps`)),
    element("figure", {}, element("figcaption", {}, "Difference to the step before (mean over the numbers that were read)"), lines(
      [{ values: changes, colour: "accent" }], places, `Difference of ${visible(path, 80)} to the step before`)));
}

function finite(value) {
  const number = Number(value ?? NaN);
  return Number.isFinite(number) ? number : null;
}

function change(before, after) {
  if (!before || !after || before.lows.length !== after.lows.length) return null;
  let [sum, count] = [0, 0];
  after.lows.forEach((low, place) => {
    const [high, otherLow, otherHigh] = [after.highs[place], before.lows[place], before.highs[place]];
    if (low === null || otherLow === null) return;
    sum += Math.abs(low - otherLow) + Math.abs(high - otherHigh);
    count += 2;
  });
  return count > 0 ? sum / count : null;
}

/// The arrays and parts of a set.
export function setView(set) {
  return [
    facts([["Step", String(set.step)], ["Time", number(set.time)], ["Parts", grouped(set.parts.length)]]),
    set.arrays.length > 0 && table("Arrays over all parts", ["Array", "Elements", "Shape", "Pieces"], set.arrays.map((array) =>
      [visible(array.name, 120), array.formats?.join(", ") ?? "", array.shape.map(grouped).join(" × "), grouped(array.pieces)]), [3]),
    table("Parts", ["Part", "Bytes"], set.parts.slice(0, rowLimit).map((part) => [visible(part.name, 120), size(part.bytes)]), [1]),
  ];
}
