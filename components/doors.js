// One link or one POST form. Streamlit's own links open a new tab, and its buttons cannot end a session: that takes
// a real form with the session's token. All text arrives as data and is set as text.
export default function ({ parentElement, data }) {
  const root = parentElement.querySelector("[data-doors]");
  const made = JSON.stringify(data);
  if (root.dataset.made === made) return;
  root.dataset.made = made;
  root.replaceChildren(data.fields ? makeForm(data) : makeLink(data));
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
