// A series: what each entry has added, how its numbers change, and its arrays step by step.
import { band, lines } from "./charts.js";
import { drawingSize, drawn, element, facts, refill } from "./element.js";
import { columnFacts, columnName, orderTitle, picture, sampling } from "./preview.js";
import { table } from "./table.js";
import { counted, grouped, number, percent, size, visible } from "./text.js";

const rowLimit = 200;

/// The time line of the entries, with their sizes.
export function timeline(file) {
  const { entries } = file;
  const most = Math.max(...entries.map(({ bytes }) => bytes), 1);
  const [width, height] = drawingSize([960, 150], [420, 130]);
  const base = height - 24;
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
    entries.length < file.entryCount && element("p", { class: "note" }, file.ask
      ? `The last ${grouped(entries.length)} of ${counted(file.entryCount, "entry", "entries")} are shown.`
      : `${grouped(entries.length)} of ${counted(file.entryCount, "entry", "entries")} are shown, at the same distance.`),
  ];
}

function sizes(entry) {
  return entry.storedBytes !== undefined && entry.storedBytes < entry.bytes
    ? `${size(entry.bytes)}, ${size(entry.storedBytes)} of them added (${percent(entry.storedBytes, entry.bytes)})` : size(entry.bytes);
}

/// The sampled steps, with a slider. `read` reads an array at an entry; without it, the steps have all of them.
export function stepView(steps, entryCount, read) {
  if (steps.steps.length === 0) return [];
  const names = read ? steps.paths : steps.paths.filter((path) => steps.steps.some(({ previews }) => previews.some((array) => array.path === path)));
  const places = steps.steps.map(({ step }) => step);
  const isSampled = steps.steps.length < entryCount;
  const numbers = element("div", {}, read ? null : changingNumbers(steps, places));
  return [
    isSampled && element("p", { class: "note" }, `Sampled: ${steps.steps.length} of ${counted(entryCount, "entry", "entries")}, at the same distance.`),
    numbers,
    ...(names.length > 0 ? slider(steps, names, places, read, () => refill(numbers, changingNumbers(steps, places))) : []),
  ];
}

function changingNumbers(steps, places) {
  const names = Object.keys(steps.steps[steps.steps.length - 1].numbers ?? {});
  const changing = names.filter((name) => new Set(steps.steps.map(({ numbers }) => numbers?.[name])).size > 1);
  if (changing.length === 0 || steps.steps.length < 2) return [];
  return [element("div", { class: "charts" }, changing.map((name) => {
    const values = steps.steps.map(({ numbers }) => (typeof numbers?.[name] === "number" ? numbers[name] : null));
    return element("figure", {}, element("figcaption", {}, visible(name, 60)), lines(
      [{ values, colour: "accent" }], places, `${visible(name, 60)} over steps, from ${number(values[0])} to ${number(values[values.length - 1])}`));
  }))];
}

function slider(steps, names, places, read, showNumbers) {
  const view = element("div", { class: "step" });
  const label = element("output", { for: "step-slider", class: "step-label" });
  const choice = element("select", { id: "step-array", onchange: () => change() }, names.map((name) => element("option", { value: name }, visible(name, 80))));
  const field = element("input", {
    type: "range", id: "step-slider", min: "0", max: String(steps.steps.length - 1), step: "1", oninput: () => show(),
  });
  field.value = String(steps.steps.length - 1);
  const overview = element("div", {});
  const find = (step, path) => step.previews?.find((array) => array.path === path);
  /// Adds to a step what it has not been asked for.
  const fill = async (step, path) => {
    if (!read || step.asked?.has(path)) return;
    (step.asked ??= new Set()).add(path);
    const { previews, numbers } = await read(step.number, path);
    step.previews = [...(step.previews ?? []), ...previews];
    step.numbers = numbers;
  };
  const show = async () => {
    const [step, path] = [steps.steps[Number(field.value)], choice.value];
    const text = `entry ${step.number}, step ${step.step}, time ${number(step.time)}`;
    label.textContent = text;
    field.setAttribute("aria-valuetext", text);
    let fault = "This entry has no such array that can be read.";
    if (read && !step.asked?.has(path)) {
      try {
        await fill(step, path);
      } catch (error) {
        fault = error.message;
      }
      if (step !== steps.steps[Number(field.value)] || path !== choice.value) return;
    }
    const array = find(step, path);
    refill(view, array ? stepPreview(array) : element("p", { class: "note" }, visible(fault)));
  };
  const readAll = async (event) => {
    event.target.disabled = true;
    for (const step of steps.steps) {
      try {
        await fill(step, choice.value);
      } catch { /* The charts have a gap there. */ }
    }
    showNumbers();
    showOverview();
  };
  const showOverview = () => {
    const isRead = !read || steps.steps.every((step) => step.asked?.has(choice.value));
    refill(overview, isRead ? means(steps, choice.value, places) : element(
      "button", { type: "button", class: "plain", onclick: readAll }, `Compare the ${steps.steps.length} steps`));
  };
  const change = () => {
    show();
    showOverview();
  };
  change();
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
    columnFacts(array),
    column?.numbers.histogram && !array.points && element("figure", {}, element("figcaption", {}, orderTitle(array)),
      band(column.lows, column.highs, array.count, `${visible(array.path, 80)} in order`)),
    element("p", { class: "note" }, sampling(array)),
  ];
}

/// Least, mean and greatest number of an array over the steps, and how much it differs from the step before.
function means(steps, path, places) {
  if (steps.steps.length < 2) return null;
  const arrays = steps.steps.map(({ previews }) => previews?.find((array) => array.path === path));
  const columns = arrays.map((array) => array?.columns[0]);
  const last = arrays.findLast((array) => array !== undefined);
  const title = last && columnName(last, 0) ? ` of ${columnName(last, 0)}` : "";
  const of = (name) => columns.map((column) => finite(column?.numbers[name]));
  if (columns.every((column) => column === undefined || finite(column.numbers.mean) === null)) return null;
  const changes = columns.map((column, place) => (place === 0 ? null : change(columns[place - 1], column)));
  return element(
    "div", { class: "charts" },
    element("figure", {}, element("figcaption", {}, `Minimum, mean, maximum${title} over steps`), lines([
      { values: of("minimum"), colour: "muted", width: 1, dash: [4, 3] }, { values: of("maximum"), colour: "muted", width: 1, dash: [4, 3] },
      { values: of("mean"), colour: "accent" }], places, `Minimum, mean and maximum of ${visible(path, 80)} over steps`)),
    changes.some((value) => value !== null) && element("figure", {}, element("figcaption", {}, `Difference${title} to the step before (mean over the numbers that were read)`), lines(
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
