// The values as a tree, with search, and the details of the value that is chosen.
import { announce, copyButton, element, facts, refill } from "./element.js";
import { objectGraph, Values } from "./objects.js";
import { preview } from "./preview.js";
import { recordTable } from "./table.js";
import { counted, grouped, size, visible } from "./text.js";

const foundLimit = 200;

/// The tree of an archive. `read` reads the preview of an array at a path, more closely if it is told to; without it, the archive
/// has all previews.
export function treeView(archive, read) {
  const tree = new Values(archive.tree.values);
  const previews = new Map(archive.previews.map((array) => [array.path, array]));
  const root = element("ul", { role: "tree", "aria-label": "Values", class: "tree" });
  const details = element("div", { class: "details", role: "region", "aria-label": "Chosen value", tabindex: "0" });
  const rows = new Map();
  const reading = read && { paths: new Set(archive.paths), read };
  let chosen = null;

  const item = (place, level) => {
    const isList = tree.isList(place);
    const node = element(
      "li", {
        role: "treeitem", id: `value-${place}`, "aria-level": level, "aria-expanded": isList ? "false" : undefined,
        "aria-selected": "false", tabindex: "-1",
      });
    node.append(element(
      "div", { class: "row", title: visible(tree.path(place)) || "root" },
      element("span", { class: "twist", "aria-hidden": "true" }, isList ? "▸" : ""),
      element("span", { class: "name" }, tree.name(place)),
      element("span", { class: "type" }, tree.type(place), tree.values[place].weak && element("em", {}, " weak")),
      element("span", { class: "value" }, visible(tree.text(place), 90))));
    node.place = place;
    node.level = level;
    if (!rows.has(place)) rows.set(place, node);
    return node;
  };

  const open = (node, isOpen) => {
    if (!node.hasAttribute("aria-expanded")) return;
    node.setAttribute("aria-expanded", String(isOpen));
    node.querySelector(".twist").textContent = isOpen ? "▾" : "▸";
    let list = node.querySelector(":scope > ul");
    if (isOpen && !list) {
      const origin = tree.origin(node.place);
      const { leftOut, error } = tree.values[origin];
      // An object that is shown at another place has its parts there, and would have itself in a cycle.
      const isElsewhere = origin !== node.place;
      list = element(
        "ul", { role: "group" },
        isElsewhere
          ? element("li", { role: "none", class: "rest" }, element("button", { type: "button", class: "link", tabindex: "-1", onclick: () => choose(origin) },
            `as at ${visible(tree.path(origin), 80) || "root"}`))
          : tree.parts(node.place).map((part) => item(part, node.level + 1)),
        !isElsewhere && leftOut && element("li", { role: "none", class: "rest" }, `… ${grouped(leftOut)} more, not on this page`),
        error && element("li", { role: "none", class: "rest bad" }, visible(error)));
      node.append(list);
    }
    if (list) list.hidden = !isOpen;
  };

  const select = (node, isFocused = true) => {
    if (chosen) {
      chosen.setAttribute("aria-selected", "false");
      chosen.tabIndex = -1;
    }
    chosen = node;
    node.setAttribute("aria-selected", "true");
    node.tabIndex = 0;
    if (isFocused) node.focus({ preventScroll: true });
    const row = node.firstElementChild;
    const [top, view] = [row.offsetTop - root.offsetTop, root];
    if (top < view.scrollTop || top > view.scrollTop + view.clientHeight - 30) view.scrollTop = top - view.clientHeight / 3;
    refill(details, detailsOf(tree, node.place, previews, choose, reading));
  };

  /// Opens whatever a value is in, and chooses it.
  const choose = (place, isFocused = true) => {
    const parents = [];
    for (let at = tree.values[place].parent; at !== undefined; at = tree.values[at].parent) parents.unshift(at);
    for (const parent of parents) open(rows.get(parent), true);
    select(rows.get(place), isFocused);
  };

  const shown = () => [...root.querySelectorAll("[role=treeitem]")].filter((node) => !node.closest("ul[hidden]"));
  root.addEventListener("click", (event) => {
    const node = event.target.closest("[role=treeitem]");
    if (!node || event.target.closest("button")) return;
    const isOpen = node.getAttribute("aria-expanded") === "true";
    if (event.target.closest(".twist") || node === chosen) open(node, !isOpen);
    select(node);
  });
  root.addEventListener("keydown", (event) => {
    const node = event.target.closest("[role=treeitem]");
    if (!node || event.altKey || event.ctrlKey || event.metaKey) return;
    const all = shown();
    const place = all.indexOf(node);
    const isOpen = node.getAttribute("aria-expanded") === "true";
    const moves = {
      ArrowDown: () => select(all[Math.min(place + 1, all.length - 1)]),
      ArrowUp: () => select(all[Math.max(place - 1, 0)]),
      Home: () => select(all[0]),
      End: () => select(all[all.length - 1]),
      ArrowRight: () => (isOpen || !node.hasAttribute("aria-expanded") ? select(all[Math.min(place + 1, all.length - 1)]) : open(node, true)),
      ArrowLeft: () => (isOpen ? open(node, false) : select(node.parentElement.closest("[role=treeitem]") ?? node)),
      Enter: () => open(node, !isOpen),
      " ": () => open(node, !isOpen),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  });

  root.append(item(0, 1));
  open(rows.get(0), true);
  const first = read ? archive.paths[0] : archive.previews.find(({ columns }) => columns.length > 0)?.path;
  choose(first === undefined ? 0 : Math.max(tree.paths.indexOf(first), 0), false);
  return [search(tree, choose), element("div", { class: "split" }, root, details)];
}

function search(tree, choose) {
  const count = element("p", { class: "note", id: "found-count" });
  const list = element("ul", { class: "found", "aria-label": "Found values" });
  const field = element("input", {
    type: "search", id: "search", placeholder: "Search paths, classes and values", autocomplete: "off", spellcheck: "false",
    oninput: () => {
      const word = field.value.trim().toLowerCase();
      const found = word === "" ? [] : tree.values.map((_, place) => place).filter((place) =>
        [tree.path(place), tree.type(place), tree.text(place)].some((text) => text.toLowerCase().includes(word)));
      refill(list, found.slice(0, foundLimit).map((place) => element("li", {}, element(
        "button", { type: "button", class: "link", onclick: () => choose(place) },
        visible(tree.path(place), 120) || "root", element("span", { class: "type" }, ` ${tree.type(place)}`)))));
      count.textContent = word === "" ? "" : `${counted(found.length, "value")} of the ${grouped(tree.values.length)} on this page`
        + (found.length > foundLimit ? `; the first ${foundLimit} are listed` : "");
      announce(count.textContent);
    },
  });
  return element("div", { class: "search" }, element("label", { for: "search", class: "unseen" }, "Search values"), field, count, list);
}

function detailsOf(tree, place, previews, choose, reading) {
  const value = tree.values[place];
  const path = tree.path(place);
  const array = previews.get(path) ?? previews.get(tree.path(tree.origin(place)));
  const isRead = reading?.paths.has(path);
  const objects = tree.isList(place) ? objectGraph(tree, place, choose) : null;
  return [
    element("h3", {}, visible(path, 160) || "root", path !== "" && copyButton(path, "Copy the path")),
    facts([
      ["Type", tree.type(place)],
      ["Value", value.text === undefined ? undefined : visible(value.text)],
      ["Parts", value.formats || value.count === undefined ? undefined : grouped(value.count)],
      ["Bytes", value.bytes === undefined ? undefined : size(value.bytes)],
      ["In", value.segment === undefined ? undefined : `bulk segment ${value.segment}`],
    ]),
    value.error && element("p", { class: "bad" }, visible(value.error)),
    isRead ? readPreview(path, previews, reading.read) : array && element("div", {}, preview(array)),
    !array && !isRead && value.formats && value.count > 0 && element("p", { class: "note" }, "There is no preview of this array."),
    recordTable(tree, place),
    objects && element("h4", {}, "Objects around it"), ...(objects ?? []),
  ];
}

/// A preview that is read when it is seen; of a sampled array, more can be read.
function readPreview(path, previews, read) {
  const view = element("div", { "aria-live": "polite" });
  const show = (array) => refill(view, preview(array), array.sampledElements !== undefined && !array.isCloser && element(
    "button", { type: "button", class: "plain", onclick: () => load(true) }, "Sample more closely"));
  const load = async (isCloser) => {
    refill(view, element("p", { class: "note" }, "Reading…"));
    try {
      const array = { ...await read(path, isCloser), isCloser };
      previews.set(path, array);
      show(array);
    } catch (error) {
      refill(view, element("p", { class: "bad" }, visible(error.message)));
    }
  };
  if (previews.has(path)) show(previews.get(path));
  else load(false);
  return view;
}
