// What a Streamlit script draws, without Streamlit's page: components mounted as that page mounts them, and plain
// elements for the few others that tests of components use. It begins and goes on with the script run by run, and ends
// and begins anew when a test is followed by the next one (leave, visit): what was fetched and compiled stays.

const app = document.querySelector("[data-testid=stApp]");
const main = document.querySelector("[data-testid=stMain]");
const drawn = new Map(); // by place: { id, kind, run, element, draw, remove }
const states = new Map(); // by widget: its state, sent with every run
const modules = new Map(); // by text: its address, as Streamlit keeps them
const darkness = matchMedia("(prefers-color-scheme: dark)");
let socket = null; // that of the Streamlit session
let run = 0;
let pageHash = "";

function rerun(...triggers) {
  const widgets = [...states.values(), ...triggers];
  const asked = { queryString: location.search.slice(1), pageScriptHash: pageHash, widgetStates: { widgets } };
  socket.send(JSON.stringify({ ...asked, contextInfo: { url: location.href } }));
}

function setState(id, value) {
  states.set(id, { id, ...value });
  rerun();
}

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function addressOf(text) {
  if (!modules.has(text)) modules.set(text, URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  return modules.get(text);
}

function createComponent(first) {
  const host = make("div", {
    "data-testid": first.isolated ? "stBidiComponentIsolated" : "stBidiComponentRegular",
    style: "width: 100%; height: 100%",
  });
  const element = make("div", { class: "stBidiComponent" }, host);
  const root = first.isolated ? host.attachShadow({ mode: "open" }) : host;
  const content = make("div", {});
  const markup = make("div", {});
  markup.append(document.createRange().createContextualFragment(first.html.trim()));
  content.append(markup, make("style", {}, first.css.trim()));
  root.append(content);
  const key = `st-bidi-component-${crypto.randomUUID()}`;
  let now = { data: null };
  let isGone = false;
  let end = null;

  const setStateValue = (name, value) => {
    if (isGone) return;
    const before = JSON.parse(states.get(first.id)?.jsonValue ?? "{}");
    setState(first.id, { jsonValue: JSON.stringify({ ...before, [name]: value }) });
  };
  const setTriggerValue = (event, value) => {
    const id = `$$STREAMLIT_INTERNAL_KEY_${first.id}__events`;
    if (!isGone) rerun({ id, jsonTriggerValue: JSON.stringify([{ event, value }]) });
  };

  async function call() {
    const called = now;
    const { default: mounted } = await import(addressOf(called.js));
    const data = called.data === "" ? null : JSON.parse(called.data);
    const done = await mounted({ name: called.name, data, key, parentElement: root, setStateValue, setTriggerValue });
    if (isGone || called !== now)
      done?.(); // a render that a faster one overtook is cleaned up as well
    else end = done;
  }
  darkness.addEventListener("change", call); // Streamlit calls a component anew for another theme
  return {
    element,
    draw(next) {
      if (next.data === now.data) return;
      now = next;
      call();
    },
    remove() {
      isGone = true;
      darkness.removeEventListener("change", call);
      element.remove();
      end?.();
    },
  };
}

const worded = (tag, testid) => () => {
  const element = make(tag, { "data-testid": testid });
  return { element, draw: ({ words }) => (element.textContent = words), remove: () => element.remove() };
};

const CREATE = {
  bidi_component: createComponent,
  text: worded("div", "stText"),
  markdown: worded("div", "stMarkdown"),
  code: worded("pre", "stCode"),
  exception: (first) => {
    reportError(new Error(first.words));
    return worded("pre", "stException")();
  },
  button({ id, label }) {
    const element = make("button", { type: "button" }, label);
    element.addEventListener("click", () => rerun({ id, triggerValue: true }));
    return { element, draw() {}, remove: () => element.remove() };
  },
  checkbox({ id, label, value }) {
    const box = make("input", { type: "checkbox" });
    box.checked = value;
    box.addEventListener("change", () => setState(id, { boolValue: box.checked }));
    const element = make("label", { style: "display: block" }, box, label);
    return { element, draw() {}, remove: () => element.remove() };
  },
  text_input({ id, label, value }) {
    const field = make("input", { type: "text", value: value ?? "" });
    field.addEventListener("change", () => setState(id, { stringValue: field.value }));
    const element = make("label", { style: "display: block" }, label, field);
    return { element, draw() {}, remove: () => element.remove() };
  },
};
const nothing = (first) => {
  const element = make("div", { "data-kind": first.kind });
  return { element, draw() {}, remove: () => element.remove() };
};

const byPlace = ([, a], [, b]) => {
  const at = a.place.findIndex((step, n) => step !== b.place[n]);
  return at === -1 ? a.place.length - b.place.length : a.place[at] - (b.place[at] ?? -1);
};

function draw(next) {
  const place = next.place.join(".");
  let found = drawn.get(place);
  if (found === undefined || found.kind !== next.kind || found.id !== next.id) {
    found?.remove();
    found = { ...(CREATE[next.kind] ?? nothing)(next), kind: next.kind, id: next.id, place: next.place };
    drawn.set(place, found);
    const order = [...drawn].sort(byPlace).map(([, one]) => one);
    main.insertBefore(found.element, order[order.indexOf(found) + 1]?.element ?? null);
  }
  found.run = run;
  found.draw(next);
}

function hear(message) {
  if (message.begins !== undefined) {
    run += 1;
    pageHash = message.begins;
  } else if (message.place !== undefined) {
    draw(message);
  } else if (message.finished) {
    for (const [place, one] of drawn) {
      if (one.run === run) continue;
      one.remove();
      drawn.delete(place);
    }
  } else if (message.running !== undefined) {
    app.dataset.testScriptState = message.running ? "running" : "notRunning";
  }
}

function connect() {
  const opened = new WebSocket(`ws://${location.host}/bare/stream`, ["streamlit"]);
  socket = opened;
  opened.addEventListener("message", ({ data }) => {
    if (opened === socket) hear(JSON.parse(data));
  });
  opened.addEventListener("open", () => rerun());
}

/** End the session: nothing is drawn or heard any more. */
window.leave = () => {
  socket.close();
  socket = null;
  for (const one of drawn.values()) one.remove();
  drawn.clear();
  states.clear();
  pageHash = "";
  app.dataset.testScriptState = "initial";
};

/** Another session at another address. */
window.visit = (address) => {
  if (socket !== null) window.leave();
  history.replaceState(null, "", address);
  connect();
};

connect();
