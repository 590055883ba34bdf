// The studio: a form beside the view. Its state is in the address after "#", so that a link is the setting.
import { el, mount } from "./view.js";

export async function studio(root) {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  root.className = "ds";

  async function ask(action, body, kind = "json") {
    const answer = await fetch(`/api/${action}`, { method: "POST", body: JSON.stringify(body),
      headers: { "X-Dalembert-Token": token, "Content-Type": "application/json" } });
    if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).error ?? `the studio answered ${answer.status}`);
    return answer[kind]();
  }

  // -- the form -------------------------------------------------------------------------------
  const pick = el("select", { id: "ds-system", "aria-label": "system" }), about = el("p", { className: "ds-about" });
  const parameters = el("fieldset"), places = el("fieldset"), speeds = el("fieldset"), methods = el("fieldset", { className: "ds-methods" });
  const said = el("div", { className: "ds-said", role: "status" });
  const button = (text, title, act, type = "button") => el("button", { type, textContent: text, title, onclick: act });
  const cancel = button("Cancel", "end the run that is under way", () => ask("cancel", {}).catch(() => {}));
  const run = button("Run", "compute it again", null, "submit");
  const view = el("div", { className: "ds-view" });
  const files = el("div", { className: "ds-row" },
    button("Page", "save a page that moves, for anybody", () => save("page")),
    button("Data", "save the trajectories", () => save("data")),
    button("Script", "save the Python script that does the same", () => save("script")),
    button("Link", "copy the address of this setting; what is after # works in another studio too", () => share()),
    button("Analysis", "constraint, symmetries, conserved quantities", () => analysis()));
  const preset = el("select", { "aria-label": "start", onchange: () => begin(preset.selectedIndex) });
  const reset = button("Reset", "all numbers as at the beginning", () => choose(pick.value).then(changed, complain));
  const form = el("form", { className: "ds-form", id: "ds-form" }, el("h1", { textContent: "dalembert studio" }), pick, about,
    el("div", { className: "ds-row" }, preset, reset), places, speeds, parameters, methods);
  let knobs = { parameters: [], places: [], speeds: [] }, picked = new Set(), shown = null, timer = 0, count = 0, described = null;
  const step = knob({ name: "h", value: 0.02, unit: "s", about: "step size", sign: "positive" });
  const tolerance = knob({ name: "tol", value: 1e-6, unit: "", about: "error of q and v at the end, in their sizes; the step follows from it", sign: "log" }, "tolerance");
  const by = el("select", { "aria-label": "step size or tolerance", onchange: () => { chosenBy(); changed(); } },
    el("option", { value: "h", textContent: "with the step size" }), el("option", { value: "tol", textContent: "to a tolerance" }));
  const controlled = el("select", { "aria-label": "controller", onchange: () => changed() });
  const chosenBy = () => { step.row.hidden = by.value !== "h"; tolerance.row.hidden = by.value === "h"; };
  const end = knob({ name: "t", value: 10, unit: "s", about: "length of the run", sign: "positive" });
  form.append(el("fieldset", {}, el("legend", { textContent: "run" }), by, step.row, tolerance.row, end.row, controlled));
  run.setAttribute("form", "ds-form");
  const top = el("div", { className: "ds-top" }, run, cancel, said, files); // over the picture: never out of sight
  root.append(form, el("div", { className: "ds-side" }, top, view));
  cancel.disabled = true; chosenBy();

  function knob({ name, value, unit, about: title, sign, whole, label: written }, label = name) {
    const box = el("input", { type: "number", step: whole ? 1 : "any", value: tidy(value), "aria-label": label });
    const range = el("input", { type: "range", step: "any", "aria-label": label });
    const span = Math.abs(value) || 1, log = sign === "log";
    const place = (v) => (log ? Math.log10(v) : v), there = () => (log ? 10 ** Number(range.value) : Number(range.value));
    range.min = log ? -12 : whole ? Math.max(2, value - 2) : sign === "positive" ? 0.1 * value : value - 2 * span;
    range.max = log ? -2 : whole ? value + 2 : sign === "positive" ? 3 * value : value + 2 * span;
    if (whole) range.step = 1;
    range.value = place(value);
    range.oninput = () => { box.value = tidy(there(), log ? 2 : 6); changed(); };
    box.onchange = () => { range.value = place(box.value); changed(); };
    const row = el("label", { className: "ds-knob", title: title ?? "" }, el("span", { textContent: (label === name && written || label) + (unit && unit !== "1" ? ` [${unit}]` : "") }), range, box);
    row.dataset.name = name;
    return { name, row, first: value, get: () => (box.value.trim() === "" ? null : Number(box.value)), set: (v) => { box.value = tidy(v); range.value = place(v); } };
  }

  // A parameter may be a number, a vector or a matrix: a slider for each entry.
  function knobsOf(p) {
    const list = [];
    const build = (value, label) => (Array.isArray(value) ? value.map((v, i) => build(v, `${label}${i + 1}`)) : list[list.push(knob({ ...p, value }, label)) - 1]);
    const tree = build(p.value, p.name);
    const read = (x) => (Array.isArray(x) ? x.map(read) : x.get());
    const write = (x, v) => (Array.isArray(x) ? x.forEach((y, i) => write(y, v?.[i])) : v !== undefined && x.set(v));
    return { name: p.name, rows: list.map((k) => k.row), get: () => read(tree), set: (v) => write(tree, v) };
  }

  const wish = () => ({
    system: pick.value,
    parameters: Object.fromEntries(knobs.parameters.map((k) => [k.name, k.get()])),
    // what was not changed follows the constraint and the parameters
    places: Object.fromEntries(knobs.places.filter((k) => k.get() !== tidy(k.first)).map((k) => [k.name, k.get()])),
    speeds: Object.fromEntries(knobs.speeds.map((k) => [k.name, k.get()])),
    methods: [...picked],
    ...(controlled.value ? { control: controlled.value } : {}),
    ...(by.value === "h" ? { h: step.get() } : { tol: tolerance.get() }), t: end.get(),
  });
  const fill = (fieldset, title, rows) => { fieldset.replaceChildren(el("legend", { textContent: title }), ...rows); fieldset.hidden = !rows.length; };

  async function choose(name, given = {}) {
    described = await ask("describe", { system: name });
    pick.value = described.system; about.textContent = described.about;
    knobs = { parameters: described.parameters.map(knobsOf), places: described.places.map((s) => knob(s)), speeds: described.speeds.map((s) => knob(s)) };
    for (const k of knobs.places) if (given.places?.[k.name] !== undefined) k.set(given.places[k.name]);
    preset.replaceChildren(...["start: as given", ...described.presets.map((p) => `start: ${p.name}`)].map((text) => el("option", { textContent: text })));
    preset.hidden = !described.presets.length;
    controlled.replaceChildren(el("option", { value: "", textContent: "no controller" }), ...described.controllers.map((text) => el("option", { value: text, textContent: text })));
    controlled.hidden = !described.controllers.length;
    if (described.controllers.includes(given.control)) controlled.value = given.control;
    fill(places, "position at the start", knobs.places.map((k) => k.row));
    for (const k of knobs.parameters) if (given.parameters?.[k.name] !== undefined) k.set(given.parameters[k.name]);
    for (const k of knobs.speeds) if (given.speeds?.[k.name] !== undefined) k.set(given.speeds[k.name]);
    fill(parameters, "parameters", knobs.parameters.flatMap((k) => k.rows));
    const rest = described.bound.length ? `; the constraint gives ${described.bound.map((x) => x.label).join(", ")}` : "";
    fill(speeds, `speeds at the start${rest}`, knobs.speeds.map((k) => k.row));
  }

  function begin(index) { // a named start, from the system's own
    const chosen = described.presets[index - 1] ?? { places: {}, speeds: {} };
    for (const kind of ["places", "speeds"]) for (const k of knobs[kind]) k.set(chosen[kind][k.name] ?? k.first);
    changed();
  }

  // The field that a message names, or none.
  function mark(message = "") {
    for (const row of form.querySelectorAll(".ds-knob")) {
      const named = new RegExp(`(parameter '|^)${row.dataset.name}('|\\b)`).test(message);
      row.classList.toggle("ds-bad", named);
      for (const input of row.querySelectorAll("input")) if (named) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
    }
    view.classList.toggle("ds-old", Boolean(message)); // the picture is that of an earlier setting
  }

  function changed() {
    history.replaceState(null, "", `${location.pathname}${location.search}#${encodeURIComponent(JSON.stringify(wish()))}`);
    clearTimeout(timer); timer = setTimeout(compute, 200);
  }

  async function compute() {
    const mine = ++count;
    run.disabled = true; cancel.disabled = false;
    mark(); said.className = "ds-said ds-busy"; said.textContent = "computing; the first run of a system and method compiles";
    try {
      const scene = await ask("run", wish());
      if (mine !== count) return;
      const was = shown?.state();
      shown?.destroy();
      shown = mount(view, scene, { play: was ? was.playing : true, t: was?.now, theme: root.dataset.theme, speed: was?.speed });
      const rest = described.bound.map((x) => `${x.label} = ${Number(scene.studio.v0[x.name].toPrecision(4))}`).join(", ");
      said.className = "ds-said";
      said.textContent = `${scene.studio.seconds.toFixed(2)} s${rest ? `; at the start ${rest}` : ""}`;
    } catch (error) {
      if (mine !== count) return;
      complain(error);
    }
    run.disabled = false; cancel.disabled = true;
    window.studio = { view: shown, runs: mine, said: said.textContent, wrong: said.classList.contains("ds-wrong") };
  }

  // -- what leaves the studio -------------------------------------------------------------------
  async function save(kind) {
    try {
      const blob = await ask("export", { ...wish(), kind }, "blob"), url = URL.createObjectURL(blob);
      const ending = { page: "html", data: "zip", script: "py" }[kind];
      el("a", { href: url, download: `${pick.value}.${ending}` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    } catch (error) { complain(error); }
  }
  async function share() {
    changed();
    try { await navigator.clipboard.writeText(location.href); said.textContent = "the link is in the clipboard"; }
    catch { said.textContent = "the link is the address above"; }
  }
  async function analysis() {
    said.textContent = "analyzing, some seconds";
    try {
      const text = await ask("analyze", { system: pick.value, parameters: wish().parameters }, "text");
      const frame = el("iframe", { srcdoc: text, title: "analysis" });
      frame.setAttribute("sandbox", "");
      const dialog = el("dialog", { className: "ds-dialog" }, frame, button("Close", "back to the motion", () => dialog.close()));
      dialog.addEventListener("close", () => dialog.remove());
      root.append(dialog); dialog.showModal(); said.textContent = "";
    } catch (error) { complain(error); }
  }
  function complain(error) { said.className = "ds-said ds-wrong"; said.textContent = error.message; mark(error.message); }

  // -- start ------------------------------------------------------------------------------------
  form.onsubmit = (e) => { e.preventDefault(); clearTimeout(timer); compute(); };
  pick.onchange = () => choose(pick.value).then(changed, complain);
  try {
    const known = await ask("systems", {});
    pick.append(...known.systems.map((name) => el("option", { value: name, textContent: name.replaceAll("-", " ") })));
    let given = {};
    try { given = JSON.parse(decodeURIComponent(location.hash.slice(1))) ?? {}; } catch { /* no setting in the address */ }
    const usual = known.systems.includes("rolling-disk") && !known.own ? "rolling-disk" : known.systems[0];
    for (const name of Array.isArray(given.methods) ? given.methods : [known.default]) picked.add(name);
    const list = () => { // those that were chosen on top, in their order
      const by = Object.fromEntries(known.methods.map((m) => [m.name, m])), rest = known.methods.filter((m) => !picked.has(m.name));
      const row = ({ name, about }) => el("label", { title: about }, el("input", { type: "checkbox", value: name, checked: picked.has(name),
        onchange: (e) => { if (e.target.checked) picked.add(name); else picked.delete(name); list(); changed(); } }), name, el("small", { textContent: about }));
      methods.replaceChildren(el("legend", { textContent: "methods: the first is solid, the others are outlines" }),
        el("div", {}, ...[...picked].filter((x) => by[x]).map((x) => row(by[x]))),
        el("details", {}, el("summary", { textContent: `${rest.length} more methods` }), el("div", {}, ...rest.map(row))));
    };
    list();
    if (Number.isFinite(given.h)) step.set(given.h);
    else if (Number.isFinite(given.tol)) { tolerance.set(given.tol); by.value = "tol"; chosenBy(); }
    if (Number.isFinite(given.t)) end.set(given.t);
    const here = given.system === undefined || known.systems.includes(given.system);
    await choose(here ? given.system ?? usual : usual, here ? given : {});
    if (!here) about.prepend(el("strong", { className: "ds-wrong", textContent: `The address asks for "${given.system}", which this studio does not have. ` }));
    await compute();
  } catch (error) { complain(error); }
}

function tidy(x, digits = 6) { return Number(Number(x).toPrecision(digits)); }
