// What is shown of an array: its numbers, and the picture that suits them.
import { band, histogram, plane } from "./charts.js";
import { element, facts } from "./element.js";
import { scatter } from "./scatter.js";
import { table } from "./table.js";
import { counted, dimensions, grouped, number, visible } from "./text.js";

/// The preview of an array.
export function preview(array) {
  const place = array.path === "" ? "the root" : visible(array.path, 80);
  return [
    element("p", { class: "note" }, `${array.formats.join(", ")}, ${dimensions(array.shape)}. `, sampling(array)),
    ...picture(array, place),
    ...array.columns.flatMap((column, index) => columnView(column, array, place, columnName(array, index))),
    array.rows && table("First elements", array.rows.names.map((name) => visible(name)), array.rows.texts),
  ];
}

/// What a column is called; nothing where it is the only one.
export function columnName(array, index) {
  if (array.columns.length === 1) return undefined;
  return array.points ? "xyz"[index] : visible(array.columns[index].numbers.name, 60);
}

/// How much of an array was read.
export function sampling(array) {
  if (array.count === 0) return "It has no elements.";
  if (array.count === 1) return "Its only element was read.";
  return array.sampledElements === undefined
    ? `All ${counted(array.count, "element")} were read.`
    : `Sampled: ${grouped(array.sampledElements)} of ${counted(array.count, "element")} were read, in ${
      array.sampledPlaces === 1 ? "one place" : `${counted(array.sampledPlaces, "place")} at the same distance`}.`;
}

/// What is said above the numbers in their order; of few places, each has many of them.
export function orderTitle(array) {
  return array.isBeside ? `In order: ${array.sampledPlaces} places side by side` : "In order";
}

/// The picture of positions, planes and images; none for others.
export function picture(array, place) {
  if (array.points) return scatter(array.points, `Positions in space of ${place}`).filter(Boolean);
  if (!array.grid) return [];
  const { rows, columns, channels, ofRows, ofColumns } = array.grid;
  const kind = channels > 1 ? "Image" : "Heat map";
  const isCut = rows < ofRows || columns < ofColumns;
  return [
    element(
      "figure", {}, element("figcaption", {}, kind),
      plane(array.grid, `${kind} of ${place}, ${counted(rows, "row")} and ${counted(columns, "column")}`)),
    isCut && element("p", { class: "note" }, `${grouped(rows)} of ${counted(ofRows, "row")} and ${grouped(columns)} of ${counted(ofColumns, "column")} are drawn.`),
  ].filter(Boolean);
}

/// The facts about the numbers of all columns.
export function columnFacts(array) {
  if (array.columns.length === 1) return numberFacts(array.columns[0].numbers);
  const rows = array.columns.map(({ numbers }, index) => [
    columnName(array, index), ...["minimum", "maximum"].map((name) => (numbers[name] ? briefNumber(numbers[name]) : "")),
    ...["mean", "deviation"].map((name) => (numbers[name] === undefined ? "" : number(numbers[name]))), grouped(numbers.nan)]);
  return table("Numbers", ["Of", "Minimum", "Maximum", "Mean", "Deviation", "NaN"], rows, [1, 2, 3, 4, 5]);
}

/// The facts about a column's numbers.
function numberFacts(numbers) {
  return facts([
    ["Minimum", numbers.minimum && briefNumber(numbers.minimum)], ["Maximum", numbers.maximum && briefNumber(numbers.maximum)],
    ["Mean", numbers.mean === undefined ? undefined : number(numbers.mean)],
    ["Deviation", numbers.deviation === undefined ? undefined : number(numbers.deviation)],
    ["NaN", grouped(numbers.nan)],
    ["Infinite", numbers.infinite > 0 ? grouped(numbers.infinite) : undefined],
    ["Distinct", numbers.distinct === undefined ? "more than 65,536" : grouped(numbers.distinct)],
  ]);
}

function briefNumber(text) {
  // Integers are exact, however long.
  if (/^-?\d+$/.test(text)) return grouped(text).replace("-", "−");
  return text.length > 12 ? number(Number(text), 6) : text.replace("-", "−");
}

function columnView({ numbers, lows, highs }, array, place, title) {
  const name = title === undefined ? place : `${title} of ${place}`;
  return [
    title !== undefined && element("h4", {}, title),
    numberFacts(numbers),
    numbers.histogram && lows.some((low) => low !== null) && element(
      "div", { class: "charts" },
      element("figure", {}, element("figcaption", {}, orderTitle(array)), band(
        lows, highs, array.count,
        `${name} in order: from ${numbers.minimum} to ${numbers.maximum}`)),
      element("figure", {}, element("figcaption", {}, "Distribution"), histogram(
        numbers.histogram, `Histogram of ${name}, mean ${number(numbers.mean)}`))),
  ];
}
