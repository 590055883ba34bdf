// Curves against time, in step with the picture: a click or a drag goes to that time.
import { locate, modeAt } from "./data.js";
import { DARK_HUES, DASHES, HUES } from "./stage.js";

const FLAT = 1e-6; // of the size of the values: less is round-off of the 32 bits of a curve, drawn as a flat line
const FLOOR = 1e-17, LEFT = 58, RIGHT = 10, TOP = 22, BOTTOM = 18;
const INK = { light: ["#1a1a1a", "#5c5c5c", "#e1e5ea"], dark: ["#ececec", "#a3a9b3", "#2c323b"] };

// A box with a picture, a line at the present time and a title.
function box(kind, says) {
  const root = document.createElement("div"), canvas = document.createElement("canvas");
  const cursor = document.createElement("div"), title = document.createElement("div");
  root.className = kind; cursor.className = "dv-cursor"; title.className = "dv-title";
  canvas.setAttribute("role", "img"); canvas.setAttribute("aria-label", says);
  root.append(canvas, cursor, title);
  return { root, canvas, cursor, title };
}

// Modes are distinguished by their color, which repeats from the seventh mode on.
const modeColor = (i, theme) => (theme === "dark" ? DARK_HUES : HUES)[(i + 1) % HUES.length];

function shade(g, modes, [begin, end], theme, x, top, height, opacity) {
  g.globalAlpha = opacity;
  modes.t.forEach((t, k) => {
    const from = Math.max(begin, t), to = Math.min(end, modes.t[k + 1] ?? end);
    g.fillStyle = modeColor(modes.which[k], theme); g.fillRect(x(from), top, Math.max(x(to) - x(from), 0.5), height);
  });
  g.globalAlpha = 1;
}

// The modes of a hybrid run as a band; its title is the mode at the present time.
export function createBand(modes, range, seek) {
  const { root, canvas, cursor, title } = box("dv-panel dv-band", "modes against time; click to go there");
  const [begin, end] = range, span = end - begin || 1;
  let width = 0;
  const x = (t) => LEFT + (t - begin) / span * (width - LEFT - RIGHT);
  function draw(theme) {
    width = root.clientWidth; const height = root.clientHeight;
    if (!width || !height) return;
    const scale = Math.min(window.devicePixelRatio, 2);
    canvas.width = width * scale; canvas.height = height * scale;
    const g = canvas.getContext("2d"); g.scale(scale, scale);
    shade(g, modes, range, theme, x, height - 16, 12, 0.8);
  }
  function move(now) {
    cursor.style.transform = `translateX(${x(now)}px)`;
    title.textContent = title.title = `mode: ${modes.names[modeAt(modes, now)]}`;
  }
  seekOn(canvas, (px) => begin + (px - LEFT) / (width - LEFT - RIGHT) * span, seek);
  return { root, draw, move };
}

function seekOn(canvas, timeAt, seek) {
  const at = (e) => seek(timeAt(e.clientX - canvas.getBoundingClientRect().left));
  canvas.addEventListener("pointerdown", (e) => { canvas.setPointerCapture(e.pointerId); at(e); });
  canvas.addEventListener("pointermove", (e) => { if (e.buttons) at(e); });
}

export function createPanel(panel, range, seek, modes = null) {
  const { root, canvas, cursor, title } = box("dv-panel", `${panel.name} against time; click to go there`);
  const [begin, end] = range, span = end - begin || 1, unit = panel.unit ? ` [${panel.unit}]` : "";
  const level = (v) => (panel.log ? Math.log10(Math.max(Math.abs(v), FLOOR)) : v);
  const [low, high] = limits();
  let width = 0, height = 0;

  function limits() {
    let a = Infinity, b = -Infinity;
    for (const c of panel.curves) for (const v of c.values) {
      if (!Number.isFinite(v) || (panel.log && v === 0)) continue;
      const y = level(v); if (y < a) a = y; if (y > b) b = y;
    }
    if (!(a <= b)) return panel.log ? [-17, -15] : [-1, 1];
    if (panel.log) { a = Math.floor(a); b = Math.ceil(b); }
    const most = Math.max(Math.abs(a), Math.abs(b)), nothing = !panel.log && most <= (panel.floor ?? 0);
    const flat = nothing || (panel.log ? b === a : b - a <= FLAT * most);
    const room = !flat ? 0.04 * (b - a) : panel.log || nothing || a === 0 ? 1 : Math.abs(a) * 1e-3;
    return panel.log && !flat ? [a, b] : [a - room, b + room];
  }
  const x = (t) => LEFT + (t - begin) / span * (width - LEFT - RIGHT);
  const y = (v) => height - BOTTOM - (level(v) - low) / (high - low) * (height - TOP - BOTTOM);

  function draw(theme) {
    width = root.clientWidth; height = root.clientHeight;
    if (!width || !height) return;
    const [, muted, line] = INK[theme], scale = Math.min(window.devicePixelRatio, 2);
    canvas.width = width * scale; canvas.height = height * scale;
    const g = canvas.getContext("2d");
    g.scale(scale, scale);
    if (modes) shade(g, modes, range, theme, x, TOP, height - TOP - BOTTOM, 0.12);
    g.font = "10px system-ui, sans-serif"; g.fillStyle = muted;
    for (const tick of ticks(low, high, panel.log)) {
      const at = height - BOTTOM - (tick - low) / (high - low) * (height - TOP - BOTTOM);
      g.strokeStyle = line; g.beginPath(); g.moveTo(LEFT, at); g.lineTo(width - RIGHT, at); g.stroke();
      g.textAlign = "right"; g.fillText(panel.log ? `1e${tick}` : short(tick, high - low), LEFT - 5, at + 3);
    }
    const times = ticks(begin, end, false).filter((t) => x(t) < width - RIGHT - 30);
    g.textAlign = "center";
    for (const t of times) { g.fillText(short(t, span), x(t), height - 5); g.fillRect(x(t), height - BOTTOM, 0.5, 3); }
    g.textAlign = "right"; g.fillText(`${short(end, span)} s`, width - RIGHT, height - 5);
    for (const c of [...panel.curves].reverse()) { // the first run on top
      g.strokeStyle = (theme === "dark" ? DARK_HUES : HUES)[c.run % HUES.length]; g.lineWidth = c.run ? 1.2 : 1.5;
      g.setLineDash(DASHES[c.run % DASHES.length]); g.beginPath();
      let pen = false;
      for (let i = 0; i < c.values.length; i++) {
        const v = c.values[i];
        if (!Number.isFinite(v) || (panel.log && v === 0)) { pen = false; continue; }
        if (pen) g.lineTo(x(c.t[i]), y(v)); else g.moveTo(x(c.t[i]), y(v));
        pen = true;
      }
      g.stroke();
    }
  }

  function move(now) {
    cursor.style.transform = `translateX(${x(now)}px)`;
    const first = panel.curves[0], [row, share] = locate(first.t, now);
    const v = first.values[Math.min(row + Math.round(share), first.values.length - 1)];
    const seen = !panel.log && Math.abs(v) <= (panel.floor ?? 0) ? 0 : v;
    title.textContent = `${panel.name}${unit}: ${Number.isFinite(v) ? value(seen) : Number.isNaN(v) ? "none" : "not finite"}${panel.note ? ` (${panel.note})` : ""}`;
  }

  seekOn(canvas, (px) => begin + (px - LEFT) / (width - LEFT - RIGHT) * span, seek);
  return { root, draw, move };
}

export function value(v) {
  if (v === 0) return "0";
  return Math.abs(v) >= 0.01 && Math.abs(v) < 1e4 ? v.toPrecision(4) : v.toExponential(2);
}

function short(v, span) {
  if (v === 0 || Math.abs(v) < 1e-9 * span) return "0";
  const size = Math.max(Math.abs(v), span);
  if (size >= 1e4 || size < 0.01) return v.toExponential(1);
  return v.toFixed(Math.max(0, Math.min(6, Math.ceil(1 - Math.log10(span)))));
}

function ticks(low, high, log) {
  if (log) {
    const step = Math.max(1, Math.ceil((high - low) / 4)), out = [];
    for (let k = Math.ceil(low); k <= high; k += step) out.push(k);
    return out;
  }
  const raw = (high - low) / 3, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * (raw / power >= 5 ? 5 : raw / power >= 2 ? 2 : 1), out = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) out.push(k * step);
  return out;
}
