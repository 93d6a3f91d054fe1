// The reader of files, which works beside the page, in a worker of the script that the page has as a text.

let worker = null;
const waiting = new Map();
let count = 0;

function start() {
  const script = new Blob([document.getElementById("reader").textContent], { type: "text/javascript" });
  const address = URL.createObjectURL(script);
  worker = new Worker(address);
  worker.onmessage = ({ data: { id, result, error } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error));
  };
  worker.onerror = (event) => {
    for (const { reject } of waiting.values()) reject(new Error(event.message || "The browser cannot run the reader."));
    waiting.clear();
  };
}

/// Asks the reader; questions are answered one after the other.
function ask(call, ...values) {
  if (worker === null) start();
  count += 1;
  const id = count;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, call, arguments: values });
  });
}

/// Opens a file with a call of the reader: its report, with `ask` for what comes later.
async function openWith(call, file) {
  const { place, report } = await ask(call, file);
  return { ...report, ask: (name, ...values) => ask(name, place, ...values) };
}

/// Opens a file that somebody has chosen: its name, and its bytes as a `File`.
export function openChosen(file) {
  return openWith("open", file);
}

/// Opens a file that a server has: its name, address and bytes.
export function openServed(file) {
  return openWith("openServed", { ...file, address: new URL(file.address, location.href).href });
}
