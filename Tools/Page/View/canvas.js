// Canvases in the sharpness and colours of the screen.
import { element } from "./element.js";

/// Colours of the style sheet by name.
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/// A canvas that is drawn when it is seen, when its size changes, and when the colours do.
///
/// `draw` gets the context, scaled to CSS pixels, and the size.
export function canvas(label, height, draw) {
  const node = element("canvas", { class: "chart", role: "img", "aria-label": label });
  node.style.height = `${height}px`;
  const redraw = () => {
    const width = node.clientWidth;
    if (width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    node.width = Math.round(width * ratio);
    node.height = Math.round(height * ratio);
    const context = node.getContext("2d");
    context.scale(ratio, ratio);
    context.font = "11px system-ui, sans-serif";
    draw(context, width, height);
  };
  new ResizeObserver(redraw).observe(node);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  matchMedia("print").addEventListener("change", redraw);
  node.redraw = redraw;
  return node;
}

const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

/// A colour for a share from 0 to 1, that also those see as ascending who do not see colours, as [red, green, blue].
export function ramp(share) {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const before = Math.min(Math.floor(place), stops.length - 2);
  return stops[before].map((part, index) => Math.round(part + (stops[before + 1][index] - part) * (place - before)));
}

/// The same for a style.
export function rampStyle(share) {
  return `rgb(${ramp(share).join(" ")})`;
}

/// Round numbers in a range, for the marks of an axis: at most so many, with steps of at least `least`.
export function marks(low, high, most = 5, least = 0) {
  const length = high - low;
  if (length === Infinity) return [low, 0, high];
  if (!(length > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(Math.max(length / most, Number.MIN_VALUE)));
  const places = (step) => [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
  for (const step of [power / 2, power, 2 * power, 5 * power, 10 * power].filter((step) => step > 0 && step >= least)) {
    const [first, last] = places(step);
    if (last - first < most && first <= last) return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
  }
  return [low, high];
}
