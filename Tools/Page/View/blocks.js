// The blocks of an archive: how well each is compressed, and whether it matches its checksum.
import { rampStyle } from "./canvas.js";
import { element } from "./element.js";
import { table } from "./table.js";
import { counted, grouped, size } from "./text.js";

const shownLimit = 512;

/// The blocks that a check has found damaged, as `segment number block`.
function damagedBlocks(problems, entry) {
  const found = new Set();
  for (const problem of problems) {
    if (problem.entry !== entry) continue;
    for (const { segment, segmentNumber, block } of problem.damage ?? []) found.add(`${segment} ${segmentNumber ?? 0} ${block}`);
  }
  return found;
}

/// The map of an archive's blocks.
export function blockMap(archive, finding) {
  const damaged = damagedBlocks(finding?.problems ?? [], archive.entry);
  const state = finding === undefined ? "not compared" : "match";
  const best = archive.blocks.reduce((most, { stored, raw }) => stored.reduce((more, bytes, number) => Math.max(more, raw[number] / bytes), most), 4);
  const rows = archive.information.segments.map((segment, index) => {
    const { together, stored, raw } = archive.blocks[index];
    const cells = stored.slice(0, shownLimit).map((bytes, number) => {
      const ratio = raw[number] / bytes;
      const places = Array.from({ length: together }, (_, place) => number * together + place);
      const isDamaged = places.some((place) => damaged.has(`${segment.kind} ${segment.number ?? 0} ${place}`));
      const name = together > 1 ? `blocks ${grouped(places[0])} to ${grouped(places[together - 1])}` : `block ${number}`;
      const cell = element("span", {
        class: isDamaged ? "block damaged" : "block",
        title: `${name}: ${size(bytes)} of ${size(raw[number])}, ratio ${ratio.toFixed(2)}${isDamaged ? ", damaged" : ""}`,
      });
      cell.style.background = isDamaged ? "" : rampStyle(Math.log(ratio) / Math.log(best));
      return cell;
    });
    const broken = [...damaged].filter((name) => name.startsWith(`${segment.kind} ${segment.number ?? 0} `)).length;
    return [
      { graph: "graph stream", objectIndex: "object index", bulk: `bulk ${segment.number}` }[segment.kind],
      segment.format ?? (segment.kind === "bulk" ? "structs" : ""),
      size(segment.bytes), size(segment.rawBytes), segment.ratio.toFixed(2), grouped(segment.blocks),
      [...segment.filters, segment.lz4Blocks > 0 ? "LZ4" : segment.numbersBlocks > 0 ? "numbers" : "stored", ...(segment.precision ? [segment.precision] : [])].join(", "),
      broken > 0 ? element("strong", { class: "bad" }, `${counted(broken, "block")} damaged`) : state,
      element("div", { class: "blocks", "aria-hidden": "true" }, cells, stored.length > shownLimit && element("span", {}, " …")),
    ];
  });
  return [
    table("Segments and their blocks", ["Segment", "Elements", "Bytes", "Before", "Ratio", "Blocks", "How", "Checksums", "Map"], rows, [2, 3, 4, 5]),
    element("p", { class: "note" }, `A square is a block${archive.blocks.some(({ together }) => together > 1) ? " or several" : ""}: dark ones are stored as they are, and the lightest colour is for those that are compressed ${best.toFixed(1)}-fold.`
      + (finding === undefined ? " The file is large or on a server, so checksums were not compared: see graphcodable verify." : "")),
  ];
}
