// Elements of the page. All text from a file becomes text nodes and attributes, never markup.

const namespace = "http://www.w3.org/2000/svg";

/// An element with attributes, handlers (`onclick`) and children: elements and texts.
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/// The same in a drawing.
export function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(namespace, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

/// The size of a drawing as wide as the page, in which texts can be read on a phone, too.
export function drawingSize(wide, narrow) {
  return matchMedia("(max-width: 46rem)").matches ? narrow : wide;
}

/// Puts other children into an element.
export function refill(node, ...children) {
  node.replaceChildren(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
}

/// A section of the page with a heading.
export function section(id, title, note, ...children) {
  return element(
    "section", { id, "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title), note && element("p", { class: "note" }, note), ...children);
}

/// A list of names and values.
export function facts(pairs) {
  return element(
    "dl", { class: "facts" },
    pairs.filter(([, value]) => value !== undefined && value !== "").map(([name, value]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

/// Says something to readers of the screen.
export function announce(text) {
  document.getElementById("status").textContent = text;
}

/// A button that copies a text.
export function copyButton(text, label) {
  const button = element(
    "button", {
      type: "button", class: "copy",
      onclick: async () => {
        await copy(text);
        button.classList.add("done");
        setTimeout(() => button.classList.remove("done"), 1200);
        announce("Copied");
      },
    }, label);
  return button;
}

async function copy(text) {
  // Pages from files may not have the clipboard of the first kind.
  if (navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(text);
    } catch { /* The older way may be allowed. */ }
  }
  const field = element("textarea", { class: "unseen" });
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
