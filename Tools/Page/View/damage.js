// What a check has found.
import { element } from "./element.js";
import { counted, grouped, size, visible } from "./text.js";

/// A list of problems, with what is lost.
export function damageList(finding) {
  return element("ul", { class: "problems" }, finding.problems.map((problem) => element(
    "li", {},
    element("p", {},
      element("strong", {}, problem.entry === undefined ? problem.code : `entry ${problem.entry}: ${problem.code}`),
      problem.part === undefined ? "" : ` in part ${problem.part}`, `: ${visible(problem.message, 600)}`,
      problem.byteOffset === undefined ? "" : ` (byte ${grouped(problem.byteOffset)})`),
    problem.damage && element("ul", {}, problem.damage.slice(0, 100).map((block) => element(
      "li", {}, `${name(block)}, ${size(block.bytes)} at byte ${grouped(block.byteOffset)}`,
      block.losses.length > 0 && element("ul", {}, block.losses.slice(0, 20).map((loss) => element("li", {}, text(loss))))))),
    problem.damagedBlocks > 100 && element("p", {}, counted(problem.damagedBlocks, "damaged block")))));
}

function name({ segment, segmentNumber, block }) {
  const place = { graph: "the graph stream", objectIndex: "the object index", bulk: `bulk segment ${segmentNumber ?? 0}` }[segment];
  return block === undefined ? `Header of ${place}` : `Block ${grouped(block)} of ${place}`;
}

function text(loss) {
  const what = loss.object !== undefined ? `${visible(loss.class ?? "object")} #${loss.object}` : loss.elements === undefined ? "root" : "array";
  const where = loss.path === undefined ? "" : ` at ${visible(loss.path)}`;
  const which = loss.elements === undefined ? "" : `, elements ${grouped(loss.firstElement)} to ${grouped(loss.firstElement + loss.elements)}`;
  const from = loss.firstLostPath === undefined ? "" : `, from ${visible(loss.firstLostPath)} on`;
  return what + where + which + from;
}
