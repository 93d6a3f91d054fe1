// Puts the page together from the report.
import { blockMap } from "./blocks.js";
import { damageList } from "./damage.js";
import { announce, element, facts, refill, section } from "./element.js";
import { acceptDrops, openButton } from "./opening.js";
import { openChosen, openServed } from "./reader.js";
import { setView, stepView, timeline } from "./series.js";
import { treeView } from "./tree.js";
import { treemap } from "./treemap.js";
import { counted, grouped, joined, size, visible } from "./text.js";

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
  const { information } = archive;
  const left = archive.arraysLeftOut > 0 ? ` ${counted(archive.arraysLeftOut, "array")} without a preview.` : "";
  const cut = archive.isCut ? " The graph is large, and only its beginning was read." : "";
  const read = file.ask && ((path, isCloser) => file.ask("preview", archive.entry, path, isCloser));
  return [
    section("values", "Values", `${counted(archive.tree.values.length, "value")}, nearest to the root first.${left}${cut}`, ...treeView(archive, read)),
    byteSection(archive.statistics, file.ask && archive.statistics === undefined),
    information?.segments.length > 0 && section("blocks", "Blocks", undefined, ...blockMap(archive, file.finding)),
  ];
}

function byteSection(statistics, isAwaited) {
  if (statistics) return section("bytes", "Where the bytes go", "Exact for large arrays, and in proportion for the graph stream.", ...treemap(statistics));
  return section("bytes", "Where the bytes go", isAwaited ? "Counting…"
    : "The graph is large or damaged, so its bytes were not counted: see graphcodable stats.");
}

function entrySection(file) {
  if (file.entries?.length > 0) return section("entries", "Entries", undefined, ...timeline(file));
  return file.entryCount === 0 && section("entries", "Entries", "The series has no entries yet.");
}

function stepSection(file) {
  const read = file.ask && ((entry, path) => file.ask("step", entry, path));
  return file.steps && file.entryCount > 1 && section("steps", "Step by step", undefined, ...stepView(file.steps, file.entryCount, read));
}

const damageSection = (file) => file.finding && !file.finding.ok && section("damage", "Damage", undefined, damageList(file.finding));

/// The sections of a file; those that come later have places of their own.
function fileView(file) {
  const [chosen, damage, entries, steps] = Array.from({ length: 4 }, () => element("div", {}));
  const show = (place) => refill(chosen, archiveSections(file, file.archives[place]));
  const [archive] = file.archives;
  refill(damage, damageSection(file));
  refill(entries, entrySection(file));
  refill(steps, stepSection(file));
  if (archive) show(0);
  const sections = [
    section("overview", "Overview", undefined, overview(file, archive)), damage,
    file.set && section("set", "Set", undefined, ...setView(file.set)), entries, steps,
    file.archives.length > 1 && element("div", { class: "controls part" }, element("label", { for: "part" }, "Part"), element(
      "select", { id: "part", onchange: (event) => show(Number(event.target.value)) },
      file.archives.map(({ label }, place) => element("option", { value: place }, visible(label, 80))))),
    chosen,
  ];
  return { sections, places: { chosen, damage, entries, steps } };
}

/// The paths of an archive's arrays and vectors, without the arrays that vectors consist of.
function withoutComponents({ paths, vectors }) {
  const components = new Set(vectors.flatMap((path) => ["x", "y", "z"].map((name) => joined(path, name))));
  return [...vectors, ...paths.filter((path) => !vectors.includes(path) && !components.has(path))];
}

/// Asks for what a file that is read on demand has not shown yet, the cheapest first, and calls `changed` after each.
async function complete(file, places, changed) {
  const [archive] = file.archives;
  const attempt = async (work) => {
    try {
      await work();
    } catch (error) {
      announce(visible(error.message));
    }
    changed();
  };
  await attempt(async () => {
    if (file.kind !== "series" || !archive || file.steps) return;
    const { steps, ...found } = await file.ask("timeline");
    Object.assign(file, found, { steps: { paths: withoutComponents(archive), steps } });
    refill(places.entries, entrySection(file));
    refill(places.steps, stepSection(file));
  });
  await attempt(async () => {
    if (!archive || archive.statistics !== undefined) return;
    let statistics = null;
    try {
      statistics = await file.ask("statistics", archive.entry);
    } finally {
      archive.statistics = statistics;
      places.chosen.querySelector("#bytes")?.replaceWith(byteSection(archive.statistics));
    }
  });
  await attempt(async () => {
    if (file.isChecked) return;
    const finding = await file.ask("finding");
    file.isChecked = true;
    if (finding === null) return;
    file.finding = finding;
    refill(places.damage, damageSection(file));
    const blocks = archive && places.chosen.querySelector("#blocks");
    if (blocks) blocks.replaceWith(section("blocks", "Blocks", undefined, ...blockMap(archive, finding)));
  });
}

const invitation = "Drop archives or series here, or choose them. They are read in this browser, and sent nowhere.";

function page() {
  const main = element("main", { id: "main", tabindex: "-1" });
  const title = element("h1", {}, "GraphCodable");
  const badge = element("div", {});
  const links = element("nav", { "aria-label": "Sections" });
  const choice = element("div", { class: "controls" });
  const files = [...report.files, ...(report.served ?? []).map((served) => ({ file: served.name, served }))];
  let shown = -1;

  const showChoice = () => refill(choice, files.length > 1 && [element("label", { for: "file" }, "File"), element(
    "select", { id: "file", onchange: (event) => show(Number(event.target.value)) },
    files.map(({ file }, place) => element("option", { value: place, selected: place === shown }, visible(file, 80))))]);
  const showLinks = () => refill(links, [...main.querySelectorAll("section")].map(({ id, firstElementChild }) =>
    element("a", { href: `#${id}` }, firstElementChild.textContent)));

  const say = (heading, text, className) => {
    refill(main, section("overview", heading, undefined, element("p", { class: className }, text)));
    showLinks();
  };

  const show = async (place) => {
    shown = place;
    showChoice();
    refill(title, visible(files[place].file, 160));
    refill(badge);
    const isCurrent = () => shown === place;
    if (files[place].served || files[place].chosen) {
      say("Overview", "Reading…", "note");
      const { served, chosen } = files[place];
      try {
        const file = await (served ? openServed(served) : openChosen(chosen));
        files[place] = { ...file, file: files[place].file };
      } catch (error) {
        if (isCurrent()) say("This file cannot be read", visible(error.message, 600), "bad");
        return;
      }
      if (!isCurrent()) return;
    }
    const file = files[place];
    document.title = visible(file.file, 160);
    const { sections, places } = fileView(file);
    refill(badge, state(file));
    refill(main, sections);
    showLinks();
    if (file.ask) complete(file, places, () => {
      if (!isCurrent()) return;
      refill(badge, state(file));
      showLinks();
    });
  };

  const open = (chosen) => {
    if (chosen.length === 0) return;
    const first = files.length;
    files.push(...chosen.map((file) => ({ file: file.name, chosen: file })));
    show(first);
  };

  refill(
    document.getElementById("page"),
    element("header", {}, element("div", { class: "head" }, title, badge, openButton("Open a file…", open)), choice, links), main,
    element("footer", {}, report.served
      ? `Served by graphcodable ${report.version} on this computer, which reads the files that it was told to, and no others.`
      : `Made by graphcodable ${report.version}. This page needs no network and sends nothing.`));
  acceptDrops(open);
  if (files.length > 0) show(0);
  else refill(main, section("overview", "Open a file", invitation, element("div", { class: "target", "aria-hidden": "true" }, "⇩")));
}

page();
