// Positions in space, which turn with the pointer and the arrow keys.
import { canvas, colour, rampStyle } from "./canvas.js";
import { element } from "./element.js";
import { grouped } from "./text.js";

/// A cloud of positions: `values` has x, y and z of each.
export function scatter({ count, values }, label) {
  const positions = [];
  for (let place = 0; place + 2 < values.length; place += 3) {
    const position = values.slice(place, place + 3);
    if (!position.includes(null)) positions.push(position);
  }
  const bounds = [0, 1, 2].map((axis) => {
    const all = positions.map((position) => position[axis]);
    return [Math.min(...all), Math.max(...all)];
  });
  const longest = Math.max(...bounds.map(([low, high]) => high - low)) || 1;
  const half = bounds.map(([low, high]) => (high - low) / longest / 2);
  // The box stays in the picture, however it is turned.
  const reach = Math.hypot(...half) || 1;
  const centred = positions.map((position) =>
    position.map((value, axis) => (value - (bounds[axis][0] + bounds[axis][1]) / 2) / longest));
  if (positions.length === 0) return [element("p", { class: "note" }, "There are no finite positions to draw.")];
  const turn = { yaw: 0.6, pitch: 0.4 };
  const height = 300;

  const node = canvas(`${label}; turn it with the arrow keys`, height, (context, width) => {
    const [sinYaw, cosYaw, sinPitch, cosPitch] = [
      Math.sin(turn.yaw), Math.cos(turn.yaw), Math.sin(turn.pitch), Math.cos(turn.pitch)];
    const project = ([x, y, z]) => {
      const across = x * cosYaw - y * sinYaw;
      const along = x * sinYaw + y * cosYaw;
      return [across, z * cosPitch - along * sinPitch, along * cosPitch + z * sinPitch];
    };
    const scale = (Math.min(width, height) / 2 - 6) / reach;
    const place = ([across, up]) => [width / 2 + across * scale, height / 2 - up * scale];
    context.strokeStyle = colour("line-strong");
    context.lineWidth = 1;
    for (const [from, to] of edges(half)) {
      context.beginPath();
      context.moveTo(...place(project(from)));
      context.lineTo(...place(project(to)));
      context.stroke();
    }
    const seen = centred.map(project).sort((one, other) => other[2] - one[2]);
    const radius = Math.max(1.3, Math.min(4, 60 / Math.sqrt(seen.length)));
    for (const point of seen) {
      context.fillStyle = rampStyle(0.85 - ((point[2] / reach + 1) / 2) * 0.8);
      context.beginPath();
      context.arc(...place(point), radius, 0, 7);
      context.fill();
    }
  });

  const rotate = (yaw, pitch) => {
    turn.yaw += yaw;
    turn.pitch = Math.min(Math.max(turn.pitch + pitch, -1.57), 1.57);
    node.redraw();
  };
  node.tabIndex = 0;
  node.classList.add("turns");
  node.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15] };
    if (!steps[event.key]) return;
    event.preventDefault();
    rotate(...steps[event.key]);
  });
  node.addEventListener("pointerdown", (event) => node.setPointerCapture(event.pointerId));
  node.addEventListener("pointermove", (event) => {
    if (node.hasPointerCapture(event.pointerId)) rotate(event.movementX / 120, event.movementY / 120);
  });
  const shown = positions.length;
  return [node, shown < count ? element("p", { class: "note" }, `${grouped(shown)} of ${grouped(count)} positions are drawn.`) : null];
}

function edges([x, y, z]) {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [bits & 1 ? x : -x, bits & 2 ? y : -y, bits & 4 ? z : -z]);
  const pairs = [];
  for (let from = 0; from < 8; from += 1) {
    for (const bit of [1, 2, 4]) if (!(from & bit)) pairs.push([corners[from], corners[from | bit]]);
  }
  return pairs;
}
