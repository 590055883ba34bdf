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
  const parameters = el("fieldset"), speeds = el("fieldset"), methods = el("fieldset", { className: "ds-methods" });
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
  const form = el("form", { className: "ds-form" }, el("h1", { textContent: "dalembert studio" }), pick, about, parameters, speeds, methods);
  let knobs = { parameters: [], speeds: [] }, shown = null, timer = 0, count = 0, described = null;
  const step = knob({ name: "h", value: 0.02, unit: "s", about: "step size", sign: "positive" });
  const tolerance = knob({ name: "tol", value: 1e-6, unit: "", about: "error of q and v at the end, in their sizes; the step follows from it", sign: "log" }, "tolerance");
  const by = el("select", { "aria-label": "step size or tolerance", onchange: () => { chosenBy(); changed(); } },
    el("option", { value: "h", textContent: "with the step size" }), el("option", { value: "tol", textContent: "to a tolerance" }));
  const chosenBy = () => { step.row.hidden = by.value !== "h"; tolerance.row.hidden = by.value === "h"; };
  const end = knob({ name: "t", value: 10, unit: "s", about: "length of the run", sign: "positive" });
  form.append(el("fieldset", {}, el("legend", { textContent: "run" }), by, step.row, tolerance.row, end.row), el("div", { className: "ds-row" }, run, cancel), said, files);
  root.append(form, view);
  cancel.disabled = true; chosenBy();

  function knob({ name, value, unit, about: title, sign, whole }, label = name) {
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
    const row = el("label", { className: "ds-knob", title: title ?? "" }, el("span", { textContent: unit ? `${label} [${unit}]` : label }), range, box);
    return { name, row, get: () => Number(box.value), set: (v) => { box.value = tidy(v); range.value = place(v); } };
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
    speeds: Object.fromEntries(knobs.speeds.map((k) => [k.name, k.get()])),
    methods: [...methods.querySelectorAll("input:checked")].map((x) => x.value),
    ...(by.value === "h" ? { h: step.get() } : { tol: tolerance.get() }), t: end.get(),
  });
  const fill = (fieldset, title, rows) => { fieldset.replaceChildren(el("legend", { textContent: title }), ...rows); fieldset.hidden = !rows.length; };

  async function choose(name, given = {}) {
    described = await ask("describe", { system: name });
    pick.value = described.system; about.textContent = described.about;
    knobs = { parameters: described.parameters.map(knobsOf), speeds: described.speeds.map((s) => knob(s)) };
    for (const k of knobs.parameters) if (given.parameters?.[k.name] !== undefined) k.set(given.parameters[k.name]);
    for (const k of knobs.speeds) if (given.speeds?.[k.name] !== undefined) k.set(given.speeds[k.name]);
    fill(parameters, "parameters", knobs.parameters.flatMap((k) => k.rows));
    const rest = described.bound.length ? `; the constraint gives ${described.bound.join(", ")}` : "";
    fill(speeds, `speeds at the start${rest}`, knobs.speeds.map((k) => k.row));
  }

  function changed() {
    history.replaceState(null, "", `${location.pathname}${location.search}#${encodeURIComponent(JSON.stringify(wish()))}`);
    clearTimeout(timer); timer = setTimeout(compute, 200);
  }

  async function compute() {
    const mine = ++count;
    run.disabled = true; cancel.disabled = false;
    said.className = "ds-said"; said.textContent = "computing; the first run of a system and method compiles";
    try {
      const scene = await ask("run", wish());
      if (mine !== count) return;
      const was = shown?.state();
      shown?.destroy();
      shown = mount(view, scene, { play: was ? was.playing : true, t: was?.now, theme: root.dataset.theme, speed: was?.speed });
      const rest = described.bound.map((name) => `${name} = ${tidy(scene.studio.v0[name])}`).join(", ");
      said.textContent = `${scene.studio.seconds.toFixed(2)} s${rest ? `; at the start ${rest}` : ""}`;
    } catch (error) {
      if (mine !== count) return;
      said.className = "ds-said ds-wrong"; said.textContent = error.message;
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
  function complain(error) { said.className = "ds-said ds-wrong"; said.textContent = error.message; }

  // -- start ------------------------------------------------------------------------------------
  form.onsubmit = (e) => { e.preventDefault(); clearTimeout(timer); compute(); };
  pick.onchange = () => choose(pick.value).then(changed, complain);
  try {
    const known = await ask("systems", {});
    pick.append(...known.systems.map((name) => el("option", { value: name, textContent: name.replaceAll("-", " ") })));
    let given = {};
    try { given = JSON.parse(decodeURIComponent(location.hash.slice(1))) ?? {}; } catch { /* no setting in the address */ }
    const usual = known.systems.includes("rolling-disk") && !known.own ? "rolling-disk" : known.systems[0];
    const chosen = new Set(Array.isArray(given.methods) ? given.methods : [known.default]);
    const boxes = known.methods.map(({ name, order }) => el("label", { title: `order ${order}` },
      el("input", { type: "checkbox", value: name, checked: chosen.has(name), onchange: changed }), name));
    methods.append(el("legend", { textContent: "methods: the first is solid, the others are ghosts" }), el("div", {}, ...boxes));
    if (Number.isFinite(given.h)) step.set(given.h);
    else if (Number.isFinite(given.tol)) { tolerance.set(given.tol); by.value = "tol"; chosenBy(); }
    if (Number.isFinite(given.t)) end.set(given.t);
    await choose(known.systems.includes(given.system) ? given.system : usual, given);
    await compute();
  } catch (error) { complain(error); }
}

function tidy(x, digits = 6) { return Number(Number(x).toPrecision(digits)); }
