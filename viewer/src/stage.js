// The three-dimensional picture: everything that a scene has, placed at a time.
import {
  Box3, BufferGeometry, CircleGeometry, Color, DirectionalLight, DoubleSide, Float32BufferAttribute, Group, HemisphereLight, Line, LineBasicMaterial,
  LineSegments, Mesh, MeshBasicMaterial, PerspectiveCamera, PCFShadowMap, PlaneGeometry, Quaternion, Scene, ShadowMaterial, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { between, locate, modeAt } from "./data.js";
import { arrowMesh, linkMesh, outline, pieceMesh, pointArrow, setDetail, stretchLink } from "./shapes.js";

// Okabe and Ito's, darker on white and lighter on black: at least 3 to 1 against the paper, as lines must have.
export const HUES = ["#0072b2", "#d55e00", "#00845f", "#b85a8e", "#9a7400", "#2f87bd"];
export const DARK_HUES = ["#56b4e9", "#e69f00", "#2fbf93", "#e08fbc", "#f0e442", "#f0743a"];
export const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3], [5, 2], [1, 2]]; // runs differ without colors, too
// A contact that holds has no color of its own, one that slides and one that is open have.
export const STATES = [null, { color: "#d9480f", says: "slides" }, { color: "#2f87bd", says: "is open" }];
const MOST_TRIANGLES = 15000, SLOW = 50; // ms of a frame
const SKY = { light: "#fbfcfd", dark: "#14171c" };
const PAPER = { light: "#ffffff", dark: "#7d8794" }; // of tables
const GRID = { light: "#d5dae1", dark: "#323944" };

export function arrowColor(unit) { return unit === "N" ? "#c2185b" : "#467313"; }

// Whether the processor draws, as in a virtual machine: every point costs then. Asked once, of a context that is given back.
let software = null;
function isSoftware() {
  if (software !== null) return software;
  const gl = document.createElement("canvas").getContext("webgl2"), more = gl?.getExtension("WEBGL_debug_renderer_info");
  software = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(gl?.getParameter(more ? more.UNMASKED_RENDERER_WEBGL : gl.RENDERER) ?? "");
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return software;
}

// Null where the browser has no WebGL.
export function createStage(canvas, data, film = false) {
  const quick = !film && isSoftware(); // then a moving picture has fewer points and no shadows, and one that stands has all
  const context = canvas.getContext("webgl2", { antialias: !quick, preserveDrawingBuffer: false });
  if (!context) return null;
  const renderer = new WebGLRenderer({ canvas, context, antialias: !quick });
  renderer.shadowMap.enabled = true; renderer.shadowMap.type = PCFShadowMap;
  renderer.shadowMap.autoUpdate = false; // again when something has moved, not when the camera has
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

  let grid = null, cellSize = 0, floor = null;
  if (data.ground) {
    const turn = new Quaternion().fromArray(data.ground);
    const center = middle.clone().applyQuaternion(turn.clone().invert());
    const cell = cellSize = niceCell(radius / 4), half = Math.ceil(2.4 * radius / cell);
    grid = gridLines(cell, half, Math.round(center.x / cell), Math.round(center.y / cell));
    grid.position.z = -0.0015 * radius;
    floor = new Mesh(new PlaneGeometry(6 * radius, 6 * radius), new ShadowMaterial({ opacity: 0.2 }));
    floor.position.set(center.x, center.y, -0.001 * radius); floor.receiveShadow = true;
    const ground = new Group(); ground.quaternion.copy(turn); ground.add(grid, floor); scene.add(ground);
  }

  const longest = Math.max(1.2 * size, Math.min(0.25 * radius, 1.6 * size)), thickness = 0.03 * longest; // size: half of the largest body
  const scales = arrowScales(data.runs, longest);
  let parts = [];
  for (const detail of [1, 0.7, 0.5, 0.35, 0.25]) { // fewer segments until the scene is light enough
    setDetail(detail, size);
    for (const part of parts) scene.remove(part.whole);
    parts = data.runs.map((run) => buildRun(run));
    if (countTriangles(scene) <= MOST_TRIANGLES) break;
  }

  function buildRun(run) {
    const ghost = run.index > 0, hue = HUES[run.index % HUES.length];
    const whole = new Group(), lines = new Group(), vectors = new Group();
    whole.add(lines, vectors); scene.add(whole);
    const bodies = run.bodies.map((body) => {
      const group = new Group();
      for (const piece of body.pieces) {
        const mesh = pieceMesh(piece, hue, ghost);
        group.add(ghost ? outline(mesh, hue) : mesh);
      }
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
      const past = tracedLine(raised, hue, 2.4, ghost ? 0.7 : 1);
      const points = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(raised, 3));
      lines.add(new Line(points, new LineBasicMaterial({ color: hue, transparent: true, opacity: 0.35 })), past);
      return { past, count: trace.points.rows - 1 };
    });
    const arrows = run.arrows.map((arrow) => {
      const mesh = arrowMesh(arrowColor(arrow.unit), ghost); vectors.add(mesh);
      return { ...arrow, mesh };
    });
    const contacts = (ghost ? [] : run.contacts).map((contact) => {
      const mark = new Mesh(new CircleGeometry(contact.radius || 0.1 * size, 24), new MeshBasicMaterial({ transparent: true, opacity: 0.75, side: DoubleSide, depthWrite: false }));
      mark.quaternion.copy(upright); mark.visible = false; whole.add(mark);
      const paints = [];
      bodies.find((b) => b.name === contact.body)?.group.traverse((m) => {
        for (const x of m.isMesh ? [m.material].flat() : []) paints.push({ x, own: x.color.clone() });
      });
      return { ...contact, mark, paints, state: 0 };
    });
    return { run, whole, lines, vectors, bodies, links, traces, arrows, contacts };
  }
  // The mark and the body of a contact get the color of its state.
  function color(contact, state) {
    if (contact.state === state) return;
    contact.state = state; contact.mark.visible = Boolean(STATES[state]);
    const hue = new Color(STATES[state]?.color);
    contact.mark.material.color.copy(hue);
    for (const { x, own } of contact.paints) x.color.copy(own).lerp(hue, STATES[state] ? 0.6 : 0);
  }

  const focus = parts[0]?.bodies.find((b) => b.name === data.runs[0].focus) ?? parts[0]?.bodies[0];
  const from = new Vector3(), to = new Vector3(), turnA = new Quaternion(), turnB = new Quaternion(), last = new Vector3();
  let sized = false, slow = 0, motion = null;
  let following = false, framed = false, held = false; // framed: the camera is where the page put it

  function place(now) {
    const sizes = {};
    renderer.shadowMap.needsUpdate = renderer.shadowMap.enabled;
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
      for (const contact of part.contacts) {
        color(contact, contact.states[modeAt(data.modes, now)]);
        between(contact.at, row, share, contact.mark.position).addScaledVector(up, 0.002 * radius);
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

  // As near as the whole box can be seen from, or the body that is followed.
  function frame() {
    if (following) nearby(); else whole();
    framed = true;
  }
  function reset() { following = false; frame(); }

  function whole() {
    const away = new Vector3(-0.75, -1.45, 0.95).normalize().applyQuaternion(upright);
    lookAt(motion ??= motionPoints(), away, 0.9); // the same points at whatever time it is asked for
  }
  function nearby() { // the bodies, which fill more than half of the stage
    const away = camera.position.clone().sub(controls.target).normalize(), points = thingPoints();
    lookAt(points.length ? points : [[focus.group.position, 2 * size]], away, 0.6);
  }
  // As near as balls [center, radius] fill this part of the stage, in the direction in which they fill more. A ball is
  // between two opposite sides of the picture where |p.r - c.r| + radius |n| <= wide (c.a - p.a), c being the camera.
  function lookAt(balls, away, fill) {
    const right = new Vector3().crossVectors(up, away).normalize(), top = new Vector3().crossVectors(away, right);
    const tall = fill * Math.tan((camera.fov / 2) * Math.PI / 180);
    const sides = [[right, tall * camera.aspect], [top, tall]].map(([axis, slope]) => {
      let more = -Infinity, less = -Infinity;
      for (const [p, r] of balls) {
        const depth = slope * p.dot(away) + r * Math.hypot(1, slope), at = p.dot(axis);
        more = Math.max(more, depth + at); less = Math.max(less, depth - at);
      }
      return { middle: (more - less) / 2, back: (more + less) / 2 / slope };
    });
    let near = -Infinity, far = Infinity;
    for (const [p] of balls) { const x = p.dot(away); near = Math.max(near, x); far = Math.min(far, x); }
    const depth = (near + far) / 2, distance = Math.max(sides[0].back, sides[1].back) - depth;
    controls.target.copy(right).multiplyScalar(sides[0].middle).addScaledVector(top, sides[1].middle).addScaledVector(away, depth);
    camera.position.copy(controls.target).addScaledVector(away, Math.min(distance, 24 * radius));
    controls.update();
  }
  // All that moves in any run, and the stage.
  function motionPoints() {
    const balls = [];
    for (const { run, bodies } of parts) {
      for (const body of bodies) {
        const points = meshPoints(body.group);
        if (body.stage) { balls.push(...points); continue; }
        const reach = Math.max(0, ...points.map(([p]) => p.distanceTo(body.group.position)));
        const corners = body.quaternion ? cornersOf(body.group, points) : [];
        const round = !corners.length || corners[0].length() > 1.3 * reach; // then a ball about it is nearer to it than a box
        eachPoint(body.position, (p, i) => {
          if (round) return balls.push([p, reach]);
          if (body.quaternion.rows > 1 || !i) turnA.fromArray(body.quaternion.values, body.quaternion.rows > 1 ? 4 * i : 0).normalize();
          for (const corner of corners) balls.push([corner.clone().applyQuaternion(turnA).add(p), 0]);
        });
      }
      for (const trace of run.traces) eachPoint(trace.points, (p) => balls.push([p, 0]));
      for (const link of run.links) for (const end of [link.start, link.end]) eachPoint(end, (p) => balls.push([p, 0]));
    }
    return balls.length ? balls : [[middle, radius]];
  }

  function follow(on) {
    following = on && Boolean(focus);
    if (following) frame();
  }

  // What moves of the first run, at the present time: in space, and as a part of the picture.
  function thingPoints() {
    const { bodies, links } = parts[0] ?? { bodies: [], links: [] };
    const ends = links.filter((x) => x.mesh.visible).flatMap(({ mesh }) => [mesh.localToWorld(new Vector3()), mesh.localToWorld(new Vector3(0, 1, 0))]);
    return [...bodies.filter((b) => !b.stage).flatMap((b) => meshPoints(b.group)), ...ends.map((p) => [p, 0])];
  }
  function partOfPicture(points) {
    const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
    camera.updateMatrixWorld();
    for (const p of points) {
      p.project(camera);
      [p.x, p.y].forEach((x, i) => { low[i] = Math.min(low[i], x); high[i] = Math.max(high[i], x); });
    }
    return { width: (high[0] - low[0]) / 2, height: (high[1] - low[1]) / 2, inside: Math.min(...low) >= -1.02 && Math.max(...high) <= 1.02 };
  }
  function extent() { // of the bodies, and of all that moves in the whole run
    const things = thingPoints().map(([p]) => p), all = things.map((p) => p.clone());
    for (const body of parts[0]?.bodies ?? []) if (body.stage) all.push(...meshPoints(body.group).map(([p]) => p));
    for (const run of data.runs) for (const trace of run.traces) eachPoint(trace.points, (p) => all.push(p));
    const foot = controls.target.clone().project(camera), head = controls.target.clone().addScaledVector(up, 0.1 * size).project(camera);
    return { thing: partOfPicture(things), motion: partOfPicture(all), upright: head.y > foot.y, following };
  }

  // A drag, the wheel or two fingers: from then on a new size leaves the camera where the person put it.
  controls.addEventListener("start", () => { held = true; apply(true); });
  controls.addEventListener("change", () => { if (held) framed = false; });
  controls.addEventListener("end", () => { held = false; apply(moving); });

  let moving = false;
  function shadows(on) {
    renderer.shadowMap.enabled = sun.castShadow = renderer.shadowMap.needsUpdate = on;
    if (floor) floor.visible = on; // all that it shows; it costs as much as everything else
  }
  function apply(fast) {
    if (!quick) return;
    renderer.setPixelRatio(fast ? 0.6 : 1.5); shadows(!fast); // 1.5 in the place of antialiasing
  }

  return {
    place, reset, follow, cell: cellSize,
    // A body that is a dot on its path; one without a size of its own is always as large as can be seen.
    // Beside a pipe, a bowl or a table it is not followed from nearby, where these cannot be recognized.
    isFar: data.sized !== false && radius > (data.ground && !parts[0]?.bodies.some((b) => b.stage) ? 5 : Infinity) * size,
    draw() { renderer.render(scene, camera); },
    // Where software draws, five slow frames in a row: shadows go first, then some of the points.
    pace(milliseconds) {
      slow = milliseconds > SLOW && milliseconds < 2000 ? slow + 1 : 0;
      if (slow < 5) return;
      slow = 0;
      if (renderer.shadowMap.enabled) shadows(false);
      else if (renderer.getPixelRatio() > 0.6) renderer.setPixelRatio(Math.max(0.6, 0.75 * renderer.getPixelRatio()));
    },
    effort(on) { moving = on; apply(on); },
    extent,
    onChange(f) { controls.addEventListener("change", f); },
    theme(name) {
      scene.background = new Color(SKY[name]);
      for (const part of parts) part.lines.traverse((m) => m.material?.color.set((name === "dark" ? DARK_HUES : HUES)[part.run.index % HUES.length]));
      if (grid) grid.material.color.set(GRID[name]);
      scene.traverse((m) => { for (const x of m.isMesh ? [m.material].flat() : []) if (x.userData.paper) x.color.set(PAPER[name]); });
    },
    resize(width, height) {
      if (!sized && !quick) renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2)); // once: a slow machine lowers it
      sized = true;
      renderer.setSize(width, height, false); canvas.dataset.width = width; // in points of the page, whatever the picture has
      camera.aspect = width / height; camera.updateProjectionMatrix();
      if (framed) frame(); // the distance depends on the aspect, which is unknown until a frame is laid out
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
    contactStates: () => parts[0]?.contacts.map((c) => ({ body: c.body, state: c.state, colors: c.paints.map(({ x }) => `#${x.color.getHexString()}`) })) ?? [],
    bodyAt: (run, name) => parts[run].bodies.find((b) => b.name === name).group.position.toArray(),
    dispose() { controls.dispose(); renderer.dispose(); renderer.forceContextLoss(); }, // browsers have few contexts
  };
}

function eachPoint({ values, rows }, f) {
  for (let i = 0; i < rows; i++) f(new Vector3().fromArray(values, 3 * i), i);
}

// The vertices of everything in a group, where it is now, as balls without a size.
function meshPoints(group) {
  const points = [];
  group.updateWorldMatrix(true, true);
  group.traverse((m) => {
    const at = m.isMesh && !m.isLineSegments2 && m.geometry.attributes.position;
    for (let i = 0; at && i < at.count; i++) points.push([m.localToWorld(new Vector3().fromBufferAttribute(at, i)), 0]);
  });
  return points;
}

// The corners of the box about points, along the axes of the group.
function cornersOf(group, points) {
  const box = new Box3().setFromPoints(points.map(([p]) => group.worldToLocal(p.clone()))), { min, max } = box;
  return box.isEmpty() ? [] : [0, 1, 2, 3, 4, 5, 6, 7].map((i) => new Vector3(i & 1 ? min.x : max.x, i & 2 ? min.y : max.y, i & 4 ? min.z : max.z));
}

// The rotation from z up to another direction up; z down is half a turn about x, so that ahead stays ahead.
function turnFromZ(up) {
  return up.z < -0.999999 ? new Quaternion(1, 0, 0, 0) : new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up);
}

function tracedLine(points, color, width, opacity) {
  const line = new Line2(new LineGeometry(), new LineMaterial({ color, linewidth: width, transparent: opacity < 1, opacity }));
  line.geometry.setPositions(points.length > 3 ? points : [...points, ...points]);
  line.geometry.setIndex([2, 4, 3, 4, 5, 3]); // without round ends: two triangles for a segment, not six
  return line;
}

function countTriangles(root) {
  let count = 0;
  root.traverse((m) => {
    const g = m.geometry;
    if (g && !m.isLine && !m.isLineSegments || m.isLineSegments2) count += (g.index ? g.index.count : g.attributes.position.count) / 3 * (g.isInstancedBufferGeometry ? g.attributes.instanceStart.count : 1);
  });
  return count;
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
