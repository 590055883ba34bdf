// The view: a stage, curves and a bar of controls, from a scene and nothing else.
import { createBand, createPanel, value } from "./curves.js";
import { decode } from "./data.js";
import { arrowColor, createStage, DARK_HUES, DASHES, HUES, STATES } from "./stage.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];
const KEYS = "space plays, arrows step, shift 10 steps, Home and End, F follows, R resets the camera, + and - change the speed";

export function el(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  for (const [k, v] of Object.entries(properties)) if (k.startsWith("aria-")) node.setAttribute(k, v);
  node.append(...children);
  return node;
}

export function mount(root, scene, options = {}) {
  const data = decode(scene), { begin, end, runs } = data;
  const row = (end - begin) / Math.max(1, ...runs.map((r) => r.t.length - 1)) || 1;
  root.replaceChildren(); root.classList.add("dv");
  root.classList.toggle("dv-film", Boolean(options.film));

  // -- parts ----------------------------------------------------------------------------------
  const canvas = el("canvas", { className: "dv-gl", tabIndex: 0, "aria-label": `moving picture; ${KEYS}` });
  const legend = el("div", { className: "dv-legend" }), readings = el("div", { className: "dv-readings" });
  const stageRoot = el("div", { className: "dv-stage" }, canvas, legend, readings);
  const plots = el("div", { className: "dv-plots" });
  const button = (text, title, act) => el("button", { type: "button", textContent: text, title, "aria-label": title, onclick: act });
  const check = (text, title, on, act) => {
    const box = el("input", { type: "checkbox", checked: on, onchange: () => act(box.checked) });
    return Object.assign(el("label", { title }, box, text), { box });
  };
  const playButton = button("", "play or pause (space)", () => play());
  const scrub = el("input", { type: "range", className: "dv-scrub", min: 0, max: 1, step: "any", value: 0, "aria-label": "time",
    oninput: () => seek(begin + Number(scrub.value) * (end - begin)) });
  const clock = el("output", { className: "dv-time" });
  const lasts = end - begin, usual = SPEEDS.find((s) => s >= 1 && lasts / s <= 40) ?? SPEEDS.at(-1);
  const speed = el("select", { className: "dv-speed", "aria-label": "speed", title: "speed" },
    ...SPEEDS.map((s) => el("option", { value: s, textContent: `${s}×`, selected: s === (Number(options.speed) || usual) })));
  const units = new Set(runs.flatMap((r) => r.arrows.map((a) => a.unit)));
  const arrows = check(units.size && !units.has("N") ? "arrows" : "forces", "show arrows, all of one unit to one scale", true, (on) => toggle("arrows", on));
  const traces = check("traces", "show the lines that points leave", true, (on) => toggle("traces", on));
  const ghosts = check("compared", "show the other runs", true, (on) => toggle("ghosts", on));
  const follow = check("follow", "the camera goes with the body (F)", false, (on) => { stage?.follow(on); redraw(); });
  const bar = el("div", { className: "dv-bar" }, playButton,
    button("‹", "one row back (left arrow)", () => step(-1)), button("›", "one row on (right arrow)", () => step(1)),
    scrub, clock, speed);
  const more = el("div", { className: "dv-more" });
  if (units.size) more.append(arrows);
  if (runs.some((r) => r.traces.length)) more.append(traces);
  if (runs.length > 1) more.append(ghosts);
  more.append(follow, button("reset", "the camera shows the whole motion (R)", () => resetCamera()),
    button("◐", "light or dark", () => theme(root.dataset.theme === "dark" ? "light" : "dark")),
    button("PNG", "save a picture", () => save()));
  const record = button("record", "record the whole run as WebM", () => film());
  if (window.MediaRecorder && canvas.captureStream) more.append(record);
  bar.append(more);
  root.append(stageRoot, plots, bar);

  // -- what is said ---------------------------------------------------------------------------
  legend.append(el("strong", { textContent: data.title }));
  const marks = [];
  for (const run of runs) {
    const mark = el("canvas", { className: "dv-dash", width: 48, height: 12 }); marks.push([mark, run.index]);
    legend.append(el("div", {}, mark, run.label));
  }
  const colored = STATES.filter((x, i) => x && runs[0].contacts.some((c) => c.states.includes(i)));
  if (colored.length) legend.append(el("div", { className: "dv-states" }, ...colored.map(({ color, says }) => {
    const mark = el("i", {}); mark.style.background = color;
    return el("span", {}, mark, `contact ${says}`);
  })));
  if (data.note) legend.append(el("div", { className: "dv-note", textContent: data.note }));
  const chips = el("div", { className: "dv-chips" }); legend.append(chips);
  const kept = (data.badges ?? []).map((text) => el("span", { className: "dv-badge", textContent: `✓ ${text}` }));
  if (kept.length) plots.append(el("div", { className: "dv-chips dv-kept" }, ...kept)); // in the place of their curves
  if (data.warnings.length) { // folded: the picture comes first
    const count = data.warnings.length, head = count > 1 ? `${count} warnings` : "1 warning";
    chips.append(el("details", { className: "dv-warning", role: "status" }, el("summary", { textContent: `⚠ ${head}`, title: data.warnings.join("\n") }),
      ...data.warnings.map((text) => el("p", { textContent: text }))));
  }

  let stage = null, now = begin, playing = false, before = 0;
  stage = createStage(canvas, data, Boolean(options.film));
  if (!stage) {
    root.classList.add("dv-flat");
    canvas.replaceWith(el("p", { className: "dv-sorry", textContent: "This browser has no WebGL, so the moving picture is left out; the curves are all here." }));
    more.replaceChildren();
  }
  const panels = data.panels.map((panel) => createPanel(panel, [begin, end], (t) => seek(t), data.modes?.t.length > 1 ? data.modes : null));
  const list = data.panels.map((panel, i) => {
    const open = panel.open !== false, { root: place } = panels[i];
    place.hidden = !open;
    return check(panel.name + (panel.unit ? ` [${panel.unit}]` : ""), "show or hide this curve", open, (on) => { place.hidden = !on; resize(); });
  });
  const hidden = data.panels.filter((p) => p.open === false).length;
  const chooser = el("details", { className: "dv-choose" }, el("summary", { textContent: hidden ? `curves (${hidden} more)` : "curves" }), el("div", {}, ...list));
  const several = data.modes && new Set(data.modes.which).size > 1;
  if (several) panels.push(createBand(data.modes, [begin, end], (t) => seek(t)));
  plots.append(...(several ? [panels.at(-1).root] : []), ...(list.length > 1 ? [chooser] : []), ...panels.slice(0, list.length).map((p) => p.root));

  // -- time -----------------------------------------------------------------------------------
  let waiting = false; // many changes, one picture
  function draw() { waiting = false; stage?.draw(); }
  function redraw() {
    if (!waiting) { waiting = true; requestAnimationFrame(() => { if (waiting) draw(); }); }
  }
  function picture() { draw(); return canvas.toDataURL("image/png"); } // in one go: the buffer is not kept

  function seek(t) {
    now = Math.min(end, Math.max(begin, t));
    scrub.value = (now - begin) / (end - begin || 1);
    clock.textContent = `t = ${now.toFixed(Math.max(0, Math.min(5, 2 - Math.floor(Math.log10(row)) - 1)))} s`;
    const sizes = stage?.place(now) ?? {};
    readings.replaceChildren(...(arrows.box.checked ? runs[0].arrows : []).map((a) => {
      const line = el("div", { textContent: `${a.name} ${value(sizes[a.name] > 1e-15 ? sizes[a.name] : 0)} ${a.unit}` });
      line.style.color = arrowColor(a.unit); return line;
    }), ...(stage?.cell ? [el("div", { className: "dv-note", textContent: `grid ${Number(stage.cell.toPrecision(1))} m` })] : []));
    redraw();
    for (const p of panels) p.move(now);
  }

  function step(count) { play(false); seek(now + count * row); }

  function play(on = !playing) {
    if (on && !playing) requestAnimationFrame((stamp) => { before = stamp; frame(stamp); });
    if (on !== playing || !on) { stage?.effort(on); redraw(); }
    playing = on; playButton.textContent = on ? "❙❙" : "▶";
  }

  function frame(stamp) {
    if (!playing || !root.isConnected) return;
    stage?.pace(stamp - before);
    const passed = Math.min((stamp - before) / 1000, 0.25) * Number(speed.value);
    before = stamp;
    seek(now >= end ? begin : now + passed);
    requestAnimationFrame(frame);
  }

  // -- switches -------------------------------------------------------------------------------
  function toggle(what, on) { stage?.show(what, on); seek(now); }
  function resetCamera() { follow.box.checked = false; stage?.reset(); redraw(); }
  function theme(name) {
    root.dataset.theme = name;
    stage?.theme(name);
    for (const [mark, index] of marks) {
      const g = mark.getContext("2d");
      g.clearRect(0, 0, 48, 12); g.lineWidth = 4; g.strokeStyle = (name === "dark" ? DARK_HUES : HUES)[index % HUES.length];
      g.setLineDash(DASHES[index % DASHES.length].map((x) => 2 * x)); g.beginPath(); g.moveTo(0, 6); g.lineTo(48, 6); g.stroke();
    }
    for (const p of panels) { p.draw(name); p.move(now); }
    redraw();
  }
  function save() {
    el("a", { href: picture(), download: `${data.name}-${now.toFixed(3)}.png` }).click();
  }
  function film() {
    const kept = [], stream = canvas.captureStream(30), recorder = new MediaRecorder(stream, { mimeType: "video/webm" });
    recorder.ondataavailable = (e) => kept.push(e.data);
    recorder.onstop = () => {
      record.disabled = false;
      const url = URL.createObjectURL(new Blob(kept, { type: "video/webm" }));
      el("a", { href: url, download: `${data.name}.webm` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    };
    record.disabled = true; play(false); seek(begin); recorder.start(); play(true);
    const watch = setInterval(() => { if (now >= end || !playing) { clearInterval(watch); play(false); recorder.stop(); } }, 20);
  }

  // Whether what has the focus needs a key itself. The list of speeds keeps all but space.
  function needs(node, key) {
    const tag = node.tagName;
    if (node === scrub) return false;
    if (node === speed || node.type === "range") return key !== " ";
    if (tag === "BUTTON" || tag === "SUMMARY" || node.type === "checkbox") return key === " ";
    return ["SELECT", "INPUT", "TEXTAREA"].includes(tag) || node.isContentEditable;
  }
  function onKey(e) { // on the document: a page with one view needs no click before
    const alone = document.querySelectorAll(".dv-stage").length === 1;
    if (!root.contains(e.target) && !alone) return;
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || needs(e.target, e.key)) return; // those are the browser's
    const jump = e.shiftKey ? 10 : 1, pace = speed.selectedIndex;
    const act = { " ": () => play(), ArrowRight: () => step(jump), ArrowLeft: () => step(-jump), Home: () => seek(begin), End: () => seek(end),
      f: () => follow.box.click(), r: () => resetCamera(),
      "+": () => { speed.selectedIndex = Math.min(pace + 1, SPEEDS.length - 1); }, "-": () => { speed.selectedIndex = Math.max(pace - 1, 0); } }[e.key];
    if (act) { e.preventDefault(); act(); }
  }
  document.addEventListener("keydown", onKey);

  function resize() {
    const { clientWidth: w, clientHeight: h } = stageRoot;
    if (stage && w && h) stage.resize(w, h);
    for (const p of panels) p.draw(root.dataset.theme);
    seek(now);
  }
  const watcher = new ResizeObserver(resize);
  const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
  const asSystem = () => { if (!options.theme) theme(systemDark.matches ? "dark" : "light"); };
  stage?.onChange(redraw);
  stage?.resize(stageRoot.clientWidth || 1, stageRoot.clientHeight || 1);
  if (stage) {
    stage.place(begin); stage.reset();
    if (stage.isFar) { follow.box.checked = true; stage.follow(true); }
  }
  theme(options.theme ?? (systemDark.matches ? "dark" : "light"));
  systemDark.addEventListener("change", asSystem);
  play(false); watcher.observe(root); // which calls resize
  if (options.t !== undefined) seek(Number(options.t));
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (options.play && !calm && lasts > 0) play(true);

  return {
    seek, play, theme, picture,
    state: () => (waiting && draw(), { now, playing, begin, end, row, runs: runs.length, rows: runs[0].t.length, webgl: Boolean(stage), theme: root.dataset.theme,
      triangles: stage?.triangles() ?? 0, camera: stage?.camera() ?? null, panels: panels.length, speed: Number(speed.value) }),
    bodyAt: (name, run = 0) => stage?.bodyAt(run, name),
    extent: () => stage?.extent() ?? null,
    contacts: () => stage?.contactStates() ?? [],
    destroy() { play(false); watcher.disconnect(); document.removeEventListener("keydown", onKey); systemDark.removeEventListener("change", asSystem); stage?.dispose(); root.replaceChildren(); },
  };
}
