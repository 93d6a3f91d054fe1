// Files that are dropped on the page, or chosen.
import { element } from "./element.js";

/// A button that lets a file be chosen, and calls `open` with it.
export function openButton(label, open) {
  const field = element("input", { type: "file", hidden: true, multiple: true, "aria-label": label });
  field.addEventListener("change", () => {
    open([...field.files]);
    field.value = "";
  });
  return [element("button", { type: "button", class: "plain open", onclick: () => field.click() }, label), field];
}

/// Calls `open` with files that are dropped anywhere on the page.
export function acceptDrops(open) {
  const mark = (isOver) => document.documentElement.classList.toggle("dropping", isOver);
  let depth = 0;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    depth += 1;
    mark(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (!hasFiles(event)) return;
    depth = Math.max(depth - 1, 0);
    mark(depth > 0);
  });
  document.addEventListener("dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    mark(false);
    open([...event.dataTransfer.files]);
  });
}
