// The format "dalembert-scene-1": arrays by number, packed as base64; times are in seconds.

export function decode(data) {
  if (data?.format !== "dalembert-scene-1") {
    throw new Error(`This viewer reads dalembert-scene-1, not ${data?.format ?? "this"}: `
      + "write the page again with the dalembert that shows it.");
  }
  const arrays = data.arrays.map(unpack);
  const take = (k) => (k === null || k === undefined ? null : arrays[k]);
  const runs = data.runs.map((run, index) => ({
    ...run,
    index,
    t: take(run.t).values,
    bodies: run.bodies.map((b) => ({ ...b, position: take(b.position), quaternion: take(b.quaternion) })),
    links: run.links.map((l) => ({ ...l, start: take(l.start), end: take(l.end) })),
    traces: run.traces.map((x) => ({ ...x, points: take(x.points) })),
    arrows: run.arrows.map((a) => ({ ...a, at: take(a.at), vector: take(a.vector) })),
    contacts: (run.contacts ?? []).map((c) => ({ ...c, at: take(c.at) })),
  }));
  const panels = data.panels.map((p) => ({
    ...p,
    curves: p.curves.map((c) => ({ run: c.run, t: runs[c.run].t, values: take(c.values).values })),
  }));
  const begin = Math.min(...runs.map((r) => r.t[0]));
  const end = Math.max(...runs.map((r) => r.t[r.t.length - 1]));
  return { ...data, runs, panels, begin, end };
}

function unpack({ shape, kind, data }) {
  const text = atob(data), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  let values;
  if (kind === "i2") { // unit quaternions: parts of 32767
    values = Float32Array.from(new Int16Array(bytes.buffer), (x) => x / 32767);
  } else if (kind === "f8") values = new Float64Array(bytes.buffer);
  else values = new Float32Array(bytes.buffer);
  return { values, width: shape[1] ?? 1, rows: shape[0] };
}

// The row before a time and how far it is towards the next one, from 0 to 1.
export function locate(t, now) {
  let low = 0, high = t.length - 1;
  if (high < 1 || now <= t[0]) return [0, 0];
  if (now >= t[high]) return [high - 1, 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] <= now) low = middle; else high = middle;
  }
  return [low, (now - t[low]) / (t[high] - t[low])];
}

// The mode at a time, as an index of `modes.names`: the last one that began before.
export function modeAt(modes, now) {
  let k = 0;
  while (k + 1 < modes.t.length && modes.t[k + 1] <= now) k++;
  return modes.which[k];
}

// A vector between two rows; an array of one row does not change.
export function between(array, row, part, out) {
  const { values, width, rows } = array;
  const a = rows === 1 ? 0 : width * row, b = rows === 1 ? 0 : width * Math.min(row + 1, rows - 1);
  return out.set(values[a] + part * (values[b] - values[a]),
    values[a + 1] + part * (values[b + 1] - values[a + 1]),
    values[a + 2] + part * (values[b + 2] - values[a + 2]));
}
