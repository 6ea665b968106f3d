// The page that documents the HTTP interface, made from its OpenAPI document. Every operation can be tried.

import { call } from "/static/lib/api.js";
import { byId, el, fill, table } from "/static/lib/dom.js";

const described = await (await fetch("/openapi.json")).json();
const games = new Map();
for (const [path, { post }] of Object.entries(described.paths)) {
  const [game] = post.tags;
  games.set(game, [...(games.get(game) ?? []), operation(path, post)]);
}
fill(byId("operations"), [...games].flatMap(([game, operations]) => [el("h2", {}, game), ...operations]));

function operation(path, { description, requestBody }) {
  const { schema, example } = requestBody.content["application/json"];
  const rows = Object.entries(schema.properties).map(([name, field]) => [
    el("code", {}, name),
    kind(field),
    schema.required.includes(name) ? "required" : field.default === undefined ? "" : JSON.stringify(field.default),
    field.description,
  ]);
  const columns = [{ name: "field" }, { name: "type" }, { name: "default" }, { name: "meaning" }];
  const body = el("textarea", { rows: 4, spellcheck: false, "aria-label": `body of ${path}`, value: JSON.stringify(example, null, 1) });
  const answer = el("pre", { tabIndex: 0, "aria-label": `answer of ${path}` });
  const send = el("button", { type: "button", onclick: async () => {
    fill(answer, "...");
    try {
      fill(answer, JSON.stringify(await call(path.replace("/api/", ""), JSON.parse(body.value)), null, 1));
    } catch (error) {
      fill(answer, error.message);
    }
  } }, "send");
  return el("details", {}, el("summary", {}, el("code", {}, `POST ${path}`)), el("p", {}, description), table("fields of the body", columns, rows), body, el("div", { class: "buttons" }, send), answer);
}

function kind(field) {
  if (field.enum) return field.enum.join(", ");
  if (field.anyOf) return "file";
  return field.type === "array" ? `list of ${kind(field.items)}` : field.type;
}
