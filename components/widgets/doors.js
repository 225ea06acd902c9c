// One link or one POST form. Streamlit's own links open a new tab, and its buttons cannot end a session: that takes
// a real form with the session's token. All text arrives as data and is set as text.
export default function ({ parentElement, data }) {
  const root = parentElement.querySelector("[data-doors]");
  const made = JSON.stringify(data);
  if (root.dataset.made === made) return;
  root.dataset.made = made;
  root.replaceChildren(data.fields ? makeForm(data) : makeLink(data));
}

// The menu entry of the open screen leads to its list: Streamlit's own does nothing where the path stays the same. This
// component stands below the menu on every screen.
if (!window.edgewiseMenu) {
  window.edgewiseMenu = true;
  document.addEventListener("click", toList, true);
}

function toList(event) {
  const link = event.target.closest?.("[data-testid=stSidebarNavLink]");
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (new URL(link.href).pathname !== location.pathname || location.search === "") return;
  event.preventDefault();
  event.stopPropagation();
  history.pushState(null, "", location.pathname);
  dispatchEvent(new PopStateEvent("popstate")); // as the Back button: the page is drawn again, by its new address
}

function makeLink({ href, text }) {
  const link = document.createElement("a");
  link.href = href;
  link.target = "_self";
  link.textContent = text;
  return link;
}

function makeForm({ href, text, fields }) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = href;
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    field.value = value;
    form.append(field);
  }
  const button = document.createElement("button");
  button.textContent = text;
  form.append(button);
  return form;
}
