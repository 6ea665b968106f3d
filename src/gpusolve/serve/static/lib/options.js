// The options of a command as a form, made from the command's description: an option of the command cannot be missing here.

import { names, read } from "./api.js";
import { byId, el, fill } from "./dom.js";

const OFFERED = "offered-lists"; // the names of lists and files that a field for words suggests
const described = new Map();
let known; // what the server offers

/** Return the fields of a command's request: name -> JSON schema. */
export async function fieldsOf(path) {
  if (!described.has(path)) described.set(path, read(`/fields/${path}.json`));
  return described.get(path);
}

/** Return the options in an address: every parameter that is not one of the board's `own`. */
export const optionsIn = (given, own) => Object.fromEntries([...given].filter(([name]) => !own.includes(name)));

/** Return those of the options, which are texts, that a command has, with the types of its fields. */
export async function typed(path, options) {
  const fields = await fieldsOf(path);
  const value = (text, { type }) => (type === "boolean" ? text === "yes" : type === "integer" || type === "number" ? Number(text) : text);
  const known = Object.entries(options).filter(([name, text]) => name in fields && text !== "");
  return Object.fromEntries(known.map(([name, text]) => [name, value(text, fields[name])]));
}

/**
 * Put a form for the options of some commands into the board's settings: first what the board has in `controls` of its own,
 * then the fields in `first`, and folded all other fields. `own` are the fields that the form does not have; `change(options)`
 * gets the options after each change.
 */
export async function showOptions({ paths, own, first = [], options, change }, ...controls) {
  const fields = {};
  for (const described of await Promise.all(paths.map(fieldsOf)))
    for (const [name, schema] of Object.entries(described)) fields[name] = widest(fields[name] ?? schema, schema);
  const set = (name, text) => change(Object.fromEntries(Object.entries({ ...options, [name]: text }).filter(([, each]) => each !== "")));
  const made = (names) => names.map((name) => control(name, fields[name], options[name] ?? "", (text) => set(name, text)));
  const others = Object.keys(fields).filter((name) => !own.includes(name) && !first.includes(name));
  const { wordlists, own: kept, files } = await (known ??= names());
  const offered = el("datalist", { id: OFFERED }, [...wordlists, ...kept, ...files].map((value) => el("option", { value })));
  const given = (names) => names.some((name) => name in options);
  const wasOpen = document.querySelector(".all-options")?.open;
  byId("options-button").classList.toggle("given", given([...first, ...others]));
  fill(
    byId("settings"),
    el("div", { class: "options" }, ...controls, made(first)),
    el("details", { class: "all-options", open: given(others) || wasOpen }, el("summary", {}, "more options"), el("div", { class: "options" }, made(others))),
    offered,
  );
}

/** Return the description of a field that takes what either of two commands takes. */
function widest(one, other) {
  const found = { ...other };
  if (other.enum) found.enum = [...new Set([...one.enum, ...other.enum])];
  if (other.minimum !== undefined) Object.assign(found, { minimum: Math.min(one.minimum, other.minimum), maximum: Math.max(one.maximum, other.maximum) });
  return found;
}

function control(name, schema, text, change, label = name.replaceAll("_", " ")) {
  const about = { title: schema.description, onchange: (event) => change(event.target.value) };
  const field = (element) => el("div", { class: "field" }, el("label", {}, label, element), el("p", { class: "about note" }, schema.description));
  const choices = schema.enum ?? (schema.type === "boolean" && ["yes"]);
  const absent = schema.default === undefined || schema.default === false ? "" : String(schema.default);
  if (choices) {
    const rest = choices.filter((each) => each !== absent);
    const named = [["", absent || (schema.enum ? "by itself" : "no")], ...rest.map((each) => [each, each])];
    return field(el("select", about, named.map(([value, shown]) => el("option", { value, selected: value === text }, shown))));
  }
  const isNumber = schema.type === "integer" || schema.type === "number";
  const takesWords = schema.anyOf?.some((each) => each.type === "array" && each.description); // other lists of texts have no description
  const limits = isNumber ? { type: "number", min: schema.minimum, max: schema.maximum, step: schema.type === "integer" ? 1 : "any" } : { type: "text", list: takesWords ? OFFERED : undefined };
  return field(el("input", { ...about, ...limits, value: text, placeholder: absent }));
}
