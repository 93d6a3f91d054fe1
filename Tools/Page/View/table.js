// Tables, also of records whose fields are single values.
import { element } from "./element.js";
import { visible } from "./text.js";

/// A table with a heading for each column; cells are texts or elements. `right` has the columns of numbers.
export function table(caption, headings, rows, right = []) {
  const side = (column) => (right.includes(column) ? "number" : undefined);
  return element(
    "div", { class: "scrolls", tabindex: "0", role: "group", "aria-label": caption },
    element(
      "table", {},
      element("caption", { class: "unseen" }, caption),
      element("thead", {}, element("tr", {}, headings.map((heading, column) =>
        element("th", { scope: "col", class: side(column) }, heading)))),
      element("tbody", {}, rows.map((row) => element("tr", {}, row.map((cell, column) =>
        element("td", { class: side(column) }, cell)))))));
}

/// A table of the records in a list; null where its parts are something else.
export function recordTable(tree, place) {
  const records = tree.parts(place).map((part) => tree.origin(part));
  const columns = new Map();
  for (const record of records) {
    const fields = tree.parts(record);
    if (fields.length === 0 || tree.values[record].kind !== "record") return null;
    for (const field of fields) columns.set(tree.values[field].step, true);
  }
  const names = [...columns.keys()].slice(0, 12);
  if (records.length < 2 || names.length < 1) return null;
  const rows = records.slice(0, 20).map((record) => {
    const fields = new Map(tree.parts(record).map((field) => [tree.values[field].step, field]));
    return names.map((name) => (fields.has(name) ? visible(tree.text(fields.get(name)), 60) : ""));
  });
  return table("Fields of the elements", names.map((name) => visible(name)), rows);
}
