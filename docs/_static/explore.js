// The page "Why a smaller step does not help": a slider for h, the path, and the error of every run against time.
addEventListener("DOMContentLoaded", () => {
  for (const root of document.querySelectorAll(".explore-h")) {
    const { runs, exact } = JSON.parse(root.querySelector("script").textContent);
    const make = (tag, props = {}) => Object.assign(document.createElement(tag), props);
    const slider = make("input", { type: "range", min: 0, max: runs.length - 1, step: 1, value: 2 });
    slider.setAttribute("aria-label", "step size h");
    const words = make("output"), row = make("label", { className: "explore-row" });
    row.append("large h", slider, "small h");
    const path = make("canvas"), errors = make("canvas"), pair = make("div", { className: "explore-pair" });
    path.setAttribute("aria-label", "path of the sleigh, exact and by GNI"); errors.setAttribute("aria-label", "error against time");
    pair.append(path, errors); root.append(row, words, pair);

    const ink = (name) => getComputedStyle(document.body).getPropertyValue(name).trim() || "#888";
    function axes(canvas) {
      const ratio = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
      canvas.width = w * ratio; canvas.height = h * ratio;
      const g = canvas.getContext("2d"); g.scale(ratio, ratio); g.font = "12px system-ui, sans-serif"; g.lineJoin = "round";
      return [g, w, h];
    }
    function line(g, xs, ys, color, width, dash = []) {
      g.beginPath(); g.strokeStyle = color; g.lineWidth = width; g.setLineDash(dash);
      xs.forEach((x, i) => (i ? g.lineTo(x, ys[i]) : g.moveTo(x, ys[i])));
      g.stroke(); g.setLineDash([]);
    }
    const short = (x) => (x >= 10 ? x.toFixed(0) : x >= 0.01 ? x.toPrecision(2) : x.toExponential(1));
    function draw() {
      const chosen = runs[slider.value], soft = ink("--color-foreground-muted"), text = ink("--color-foreground-primary"), hue = "#d55e00";
      const late = chosen.late === null ? "never more than 0.1 m off" : `0.1 m off from t = ${chosen.late.toFixed(0)} s on`;
      words.textContent = `h = ${chosen.h} s, ${Math.round(60 / chosen.h).toLocaleString("en")} steps: ${late}; at the end ${short(chosen.error.at(-1))} m off`;
      // path: one scale for both axes, that of the exact motion with room around it
      let [g, w, h] = axes(path);
      const xs = exact.x, ys = exact.y, span = 1.15 * Math.max((Math.max(...xs) - Math.min(...xs)) / w, (Math.max(...ys) - Math.min(...ys)) / h);
      const cx = (Math.max(...xs) + Math.min(...xs)) / 2, cy = (Math.max(...ys) + Math.min(...ys)) / 2;
      const X = (x) => w / 2 + (x - cx) / span, Y = (y) => h / 2 - (y - cy) / span;
      line(g, xs.map(X), ys.map(Y), soft, 4);
      line(g, chosen.x.map(X), chosen.y.map(Y), hue, 2);
      g.fillStyle = text; g.fillText("path: exact in gray, GNI in orange", 8, 16);
      const meters = 10 ** Math.floor(Math.log10(span * w / 3)); line(g, [8, 8 + meters / span], [h - 10, h - 10], text, 2); g.fillText(`${meters} m`, 8, h - 16);
      // error against time, logarithmic
      [g, w, h] = axes(errors);
      const low = -7, high = 2, left = 46, bottom = 30;
      const T = (t) => left + (w - left - 8) * t / 60, E = (e) => 8 + (h - bottom - 8) * (high - Math.min(high, Math.max(low, Math.log10(e)))) / (high - low);
      for (let k = low; k <= high; k++) { line(g, [left, w - 8], [E(10 ** k), E(10 ** k)], ink("--color-background-border"), 1); g.fillStyle = text; g.fillText(`1e${k}`, 8, E(10 ** k) + 4); }
      for (const t of [0, 20, 40, 60]) g.fillText(`${t}`, T(t) - 6, h - 14);
      g.fillText("t [s]", w / 2, h - 2);
      for (const run of runs) if (run !== chosen) line(g, run.t.map(T), run.error.map(E), soft, 1);
      line(g, chosen.t.map(T), chosen.error.map(E), hue, 2.5);
      g.textAlign = "right"; // below all curves, on a ground of its own
      const said = "distance from the exact motion [m]", wide = g.measureText(said).width, at = h - bottom - 10;
      g.fillStyle = ink("--color-background-primary"); g.fillRect(w - 18 - wide, at - 13, wide + 8, 18);
      g.fillStyle = text; g.fillText(said, w - 14, at); g.textAlign = "left";
    }
    slider.oninput = draw;
    new ResizeObserver(draw).observe(pair);
    new MutationObserver(draw).observe(document.body, { attributeFilter: ["data-theme"] });
  }
});
