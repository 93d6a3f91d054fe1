// Puts the page together from the report.
import { blockMap } from "./blocks.js";
import { damageList } from "./damage.js";
import { element, facts, refill, section } from "./element.js";
import { setView, stepView, timeline } from "./series.js";
import { treeView } from "./tree.js";
import { treemap } from "./treemap.js";
import { counted, grouped, size, visible } from "./text.js";

const report = JSON.parse(document.getElementById("report").textContent);

const kinds = { archive: "Archive", series: "Series of archives", set: "Set of archives", setSeries: "Series of sets", messages: "Stream of messages" };

function state(file) {
  if (file.finding === undefined) return element("span", { class: "badge" }, "checksums not compared");
  return file.finding.ok
    ? element("span", { class: "badge good" }, "✓ all checksums match")
    : element("span", { class: "badge bad" }, `✗ ${counted(file.finding.problems.length, "problem")}`);
}

function overview(file, archive) {
  const information = archive?.information;
  return facts([
    ["Kind", kinds[file.kind]],
    ["Size", size(file.bytes)],
    ["Entries", file.entryCount === undefined ? undefined : grouped(file.entryCount)],
    ["Unfinished", file.unfinishedBytes === undefined ? undefined : `${size(file.unfinishedBytes)} at the end`],
    ["Shown", archive?.label || undefined],
    ["Before compression", information && `${size(information.rawBytes)} (ratio ${(information.rawBytes / information.bytes).toFixed(2)})`],
    ["Objects", information && grouped(information.objects)],
    ["Classes", information && grouped(information.classes.length)],
    ["Shapes, keys", information && `${grouped(information.shapes)}, ${grouped(information.keys)}`],
    ["Segments", information && grouped(information.segments.length)],
    ["User version", information && information.userVersion > 0 ? String(information.userVersion) : undefined],
    ...Object.entries(information?.metadata ?? {}).map(([key, value]) => [visible(key, 60), visible(value, 120)]),
  ]);
}

function archiveSections(file, archive) {
  const { information, statistics } = archive;
  const left = archive.arraysLeftOut > 0 ? ` ${counted(archive.arraysLeftOut, "array")} without a preview.` : "";
  return [
    section("values", "Values", `${counted(archive.tree.values.length, "value")}, nearest to the root first.${left}`, ...treeView(archive)),
    statistics
      ? section("bytes", "Where the bytes go", "Exact for large arrays, and in proportion for the graph stream.", ...treemap(statistics))
      : section("bytes", "Where the bytes go", "The graph is large or damaged, so its bytes were not counted: see graphcodable stats."),
    information?.segments.length > 0 && section("blocks", "Blocks", undefined, ...blockMap(archive, file.finding)),
  ];
}

function fileView(file) {
  const chosen = element("div", {});
  const show = (place) => refill(chosen, archiveSections(file, file.archives[place]));
  const [archive] = file.archives;
  const sections = [
    section("overview", "Overview", undefined, overview(file, archive)),
    file.finding && !file.finding.ok && section("damage", "Damage", undefined, damageList(file.finding)),
    file.set && section("set", "Set", undefined, ...setView(file.set)),
    file.entries?.length > 0 && section("entries", "Entries", undefined, ...timeline(file)),
    file.steps && file.entryCount > 1 && section("steps", "Step by step", undefined, ...stepView(file.steps, file.entryCount)),
    file.archives.length > 1 && element("div", { class: "controls part" }, element("label", { for: "part" }, "Part"), element(
      "select", { id: "part", onchange: (event) => show(Number(event.target.value)) },
      file.archives.map(({ label }, place) => element("option", { value: place }, visible(label, 80))))),
    chosen,
  ];
  if (archive) show(0);
  return sections;
}

function page() {
  const main = element("main", { id: "main", tabindex: "-1" });
  const title = element("h1", {});
  const badge = element("div", {});
  const links = element("nav", { "aria-label": "Sections" });
  const show = (place) => {
    const file = report.files[place];
    refill(title, visible(file.file, 160));
    refill(badge, state(file));
    refill(main, fileView(file));
    refill(links, [...main.querySelectorAll("section")].map(({ id, firstElementChild }) =>
      element("a", { href: `#${id}` }, firstElementChild.textContent)));
  };
  const choice = report.files.length > 1 && element("div", { class: "controls" }, element("label", { for: "file" }, "File"), element(
    "select", { id: "file", onchange: (event) => show(Number(event.target.value)) },
    report.files.map(({ file }, place) => element("option", { value: place }, visible(file, 80)))));
  refill(
    document.getElementById("page"),
    element("header", {}, element("div", { class: "head" }, title, badge), choice, links), main,
    element("footer", {}, `Made by graphcodable ${report.version}. This page needs no network and sends nothing.`));
  show(0);
}

page();
