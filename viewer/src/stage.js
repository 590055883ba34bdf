// The three-dimensional picture: everything that a scene has, placed at a time.
import {
  BufferGeometry, Color, DirectionalLight, Float32BufferAttribute, Group, HemisphereLight, LineBasicMaterial,
  LineSegments, Mesh, PerspectiveCamera, PCFShadowMap, PlaneGeometry, Quaternion, Scene, ShadowMaterial, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { between, locate } from "./data.js";
import { arrowMesh, linkMesh, pieceMesh, pointArrow, stretchLink } from "./shapes.js";

export const HUES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9"];
const SKY = { light: "#fbfcfd", dark: "#14171c" };
const PAPER = { light: "#ffffff", dark: "#7d8794" }; // of tables
const GRID = { light: "#d5dae1", dark: "#323944" };

export function arrowColor(unit) { return unit === "N" ? "#c2185b" : "#5a8f1a"; }

// Null where the browser has no WebGL.
export function createStage(canvas, data) {
  const context = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: false });
  if (!context) return null;
  const renderer = new WebGLRenderer({ canvas, context, antialias: true });
  renderer.shadowMap.enabled = true; renderer.shadowMap.type = PCFShadowMap;
  const scene = new Scene();

  const low = new Vector3(...data.box[0]), high = new Vector3(...data.box[1]);
  const middle = low.clone().add(high).multiplyScalar(0.5);
  const radius = Math.max(low.distanceTo(high) / 2, 1e-6), size = data.size;

  const camera = new PerspectiveCamera(38, 1, radius / 200, radius * 60);
  const up = new Vector3(...(data.up ?? [0, 0, 1])), upright = turnFromZ(up);
  camera.up.copy(up); // before the controls, which read it once
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = false;
  controls.maxDistance = radius * 25; controls.minDistance = radius / 60;

  const sun = new DirectionalLight("#ffffff", 2.1), reach = Math.min(radius, 9 * size);
  sun.castShadow = true; sun.shadow.mapSize.set(1024, 1024); sun.shadow.bias = -0.0008;
  Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.01 * reach, far: 8 * reach });
  const sky = new HemisphereLight("#ffffff", "#9aa3b0", 1.7);
  sky.position.applyQuaternion(upright);
  scene.add(sun, sun.target, sky);

  let grid = null, cellSize = 0;
  if (data.ground) {
    const turn = new Quaternion().fromArray(data.ground);
    const center = middle.clone().applyQuaternion(turn.clone().invert());
    const cell = cellSize = niceCell(radius / 4), half = Math.ceil(2.4 * radius / cell);
    grid = gridLines(cell, half, Math.round(center.x / cell), Math.round(center.y / cell));
    grid.position.z = -0.0015 * radius;
    const floor = new Mesh(new PlaneGeometry(6 * radius, 6 * radius), new ShadowMaterial({ opacity: 0.2 }));
    floor.position.set(center.x, center.y, -0.001 * radius); floor.receiveShadow = true;
    const ground = new Group(); ground.quaternion.copy(turn); ground.add(grid, floor); scene.add(ground);
  }

  const longest = Math.max(1.6 * size, Math.min(0.25 * radius, 2.2 * size)), thickness = 0.025 * longest;
  const scales = arrowScales(data.runs, longest);
  const parts = data.runs.map((run) => buildRun(run));

  function buildRun(run) {
    const ghost = run.index > 0, hue = HUES[run.index % HUES.length];
    const whole = new Group(), lines = new Group(), vectors = new Group();
    whole.add(lines, vectors); scene.add(whole);
    const bodies = run.bodies.map((body) => {
      const group = new Group();
      for (const piece of body.pieces) group.add(pieceMesh(piece, hue, ghost));
      whole.add(group);
      return { ...body, group };
    });
    const links = run.links.map((link) => {
      const mesh = linkMesh(link.look, ghost); whole.add(mesh);
      return { ...link, mesh };
    });
    const traces = run.traces.map((trace) => {
      const lift = up.clone().multiplyScalar(0.0012 * radius * (1 + run.index)).toArray();
      const raised = Float32Array.from(trace.points.values, (x, i) => x + lift[i % 3]);
      const past = tracedLine(raised, hue, 2.4, ghost ? 0.7 : 1), all = tracedLine(raised, hue, 1.2, 0.28);
      lines.add(all, past);
      return { past, count: trace.points.rows - 1 };
    });
    const arrows = run.arrows.map((arrow) => {
      const mesh = arrowMesh(arrowColor(arrow.unit), ghost); vectors.add(mesh);
      return { ...arrow, mesh };
    });
    return { run, whole, lines, vectors, bodies, links, traces, arrows };
  }

  const focus = parts[0]?.bodies.find((b) => b.name === data.runs[0].focus) ?? parts[0]?.bodies[0];
  const from = new Vector3(), to = new Vector3(), turnA = new Quaternion(), turnB = new Quaternion(), last = new Vector3();
  let following = false, framed = false, held = false; // framed: the camera is where reset() left it

  function place(now) {
    const sizes = {};
    for (const part of parts) {
      const [row, share] = locate(part.run.t, now);
      for (const body of part.bodies) {
        between(body.position, row, share, body.group.position);
        if (body.quaternion) {
          const { values, rows } = body.quaternion, a = rows === 1 ? 0 : row, b = rows === 1 ? 0 : Math.min(row + 1, rows - 1);
          body.group.quaternion.copy(turnA.fromArray(values, 4 * a).slerp(turnB.fromArray(values, 4 * b), share).normalize());
        }
      }
      for (const link of part.links) {
        stretchLink(link.mesh, between(link.start, row, share, from), between(link.end, row, share, to), thickness * (link.look === "rod" ? 1.6 : 1.8));
      }
      for (const trace of part.traces) trace.past.geometry.instanceCount = Math.max(0, Math.min(trace.count, row + Math.round(share)));
      for (const arrow of part.arrows) {
        between(arrow.vector, row, share, to);
        if (!part.run.index) sizes[arrow.name] = to.length();
        pointArrow(arrow.mesh, between(arrow.at, row, share, from), to.multiplyScalar(scales[arrow.unit]), thickness);
      }
    }
    if (focus) {
      const at = focus.group.position;
      sun.target.position.copy(radius > 9 * size ? at : middle);
      sun.position.copy(sun.target.position).add(from.set(-0.9, -0.7, 2.2).applyQuaternion(upright).multiplyScalar(1.6 * reach));
      if (following) { camera.position.add(from.copy(at).sub(last)); controls.target.add(from); controls.update(); }
      last.copy(at);
    }
    return sizes;
  }

  // As near as the whole box can be seen from.
  function reset() {
    const away = new Vector3(-0.75, -1.45, 0.95).normalize().applyQuaternion(upright), corner = new Vector3();
    const right = new Vector3().crossVectors(up, away).normalize(), top = new Vector3().crossVectors(away, right);
    const tall = Math.tan((camera.fov / 2) * Math.PI / 180), wide = tall * camera.aspect;
    let distance = 0;
    for (let i = 0; i < 8; i++) {
      corner.set(i & 1 ? low.x : high.x, i & 2 ? low.y : high.y, i & 4 ? low.z : high.z).sub(middle);
      const needed = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(top)) / tall);
      distance = Math.max(distance, 1.04 * needed + corner.dot(away));
    }
    controls.target.copy(middle);
    camera.position.copy(middle).addScaledVector(away, distance);
    controls.update();
    framed = true;
  }

  function follow(on) {
    following = on && Boolean(focus);
    if (!following) return;
    framed = false;
    const at = focus.group.position, away = camera.position.clone().sub(controls.target).normalize();
    controls.target.copy(at);
    camera.position.copy(at).addScaledVector(away, Math.min(9 * size, 3 * radius));
    controls.update();
  }

  // A drag, the wheel or two fingers: from then on a new size leaves the camera where the person put it.
  controls.addEventListener("start", () => { held = true; });
  controls.addEventListener("change", () => { if (held) framed = false; });
  controls.addEventListener("end", () => { held = false; });

  return {
    place, reset, follow, cell: cellSize,
    // A body that is a dot on its path; one without a size of its own is always as large as can be seen.
    isFar: data.sized !== false && Boolean(data.ground) && radius > 10 * size,
    draw() { renderer.render(scene, camera); },
    onChange(f) { controls.addEventListener("change", f); },
    theme(name) {
      scene.background = new Color(SKY[name]);
      if (grid) grid.material.color.set(GRID[name]);
      scene.traverse((m) => { for (const x of m.isMesh ? [m.material].flat() : []) if (x.userData.paper) x.color.set(PAPER[name]); });
    },
    resize(width, height) {
      renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
      renderer.setSize(width, height, false);
      camera.aspect = width / height; camera.updateProjectionMatrix();
      if (framed) reset(); // the distance depends on the aspect, which is unknown until a frame is laid out
    },
    show(what, on) {
      for (const part of parts) {
        if (what === "traces") part.lines.visible = on;
        if (what === "arrows") part.vectors.visible = on;
        if (what === "ghosts" && part.run.index) part.whole.visible = on;
      }
    },
    camera: () => camera.position.toArray(),
    triangles: () => renderer.info.render.triangles,
    bodyAt: (run, name) => parts[run].bodies.find((b) => b.name === name).group.position.toArray(),
    dispose() { controls.dispose(); renderer.dispose(); renderer.forceContextLoss(); }, // browsers have few contexts
  };
}

// The rotation from z up to another direction up; z down is half a turn about x, so that ahead stays ahead.
function turnFromZ(up) {
  return up.z < -0.999999 ? new Quaternion(1, 0, 0, 0) : new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up);
}

function tracedLine(points, color, width, opacity) {
  const line = new Line2(new LineGeometry(), new LineMaterial({ color, linewidth: width, transparent: opacity < 1, opacity }));
  line.geometry.setPositions(points.length > 3 ? points : [...points, ...points]);
  return line;
}

// One scale for each unit: the largest vector, but for a few outliers, gets this length.
function arrowScales(runs, length) {
  const sizes = {};
  for (const run of runs) for (const arrow of run.arrows) {
    const list = (sizes[arrow.unit] ??= []), { values } = arrow.vector;
    for (let i = 0; i < values.length; i += 3) list.push(Math.hypot(values[i], values[i + 1], values[i + 2]));
  }
  return Object.fromEntries(Object.entries(sizes).map(([unit, list]) => {
    list.sort((a, b) => a - b);
    const large = list[Math.floor(0.98 * (list.length - 1))] || list[list.length - 1];
    return [unit, large > 0 ? length / large : 0];
  }));
}

function niceCell(length) {
  const power = 10 ** Math.floor(Math.log10(length)), digit = length / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

function gridLines(cell, half, x, y) {
  const points = []; // a piece for each cell: a line that begins behind the camera is lost in some browsers
  for (let i = -half; i <= half; i++) for (let j = -half; j < half; j++) {
    points.push((x + i) * cell, (y + j) * cell, 0, (x + i) * cell, (y + j + 1) * cell, 0);
    points.push((x + j) * cell, (y + i) * cell, 0, (x + j + 1) * cell, (y + i) * cell, 0);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
  return new LineSegments(geometry, new LineBasicMaterial());
}
