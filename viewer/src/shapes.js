// Pieces of bodies as meshes. A body is drawn in its own frame; the third axis is up.
import {
  BoxGeometry, BufferGeometry, CanvasTexture, CircleGeometry, ConeGeometry, CylinderGeometry,
  DoubleSide, EdgesGeometry, ExtrudeGeometry, Float32BufferAttribute, GreaterDepth, Group, LineBasicMaterial,
  LineLoop, LineSegments, Mesh, MeshBasicMaterial, MeshStandardMaterial, Quaternion, RingGeometry, Shape, SphereGeometry,
  SRGBColorSpace, TorusGeometry, Vector3,
} from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";

const COLORS = { light: "#e4e8ed", dark: "#2d323a", metal: "#939ca8", accent: "#d43f52" };
const Y = new Vector3(0, 1, 0);

// Segments of something round: fewer for what is small beside the largest body, and where a scene has too many.
let detail = 1, largest = 1;
export function setDetail(share, size) { detail = share; largest = size; }
function round(most, radius) {
  const share = Math.min(1, Math.max(0.35, Math.sqrt(radius / largest)));
  return Math.max(10, 2 * Math.round(0.5 * most * detail * share));
}

export function pieceMesh(piece, hue, ghost) {
  const color = piece.color === "run" ? hue : COLORS[piece.color] ?? piece.color;
  const object = BUILD[piece.kind]?.(piece.size, paint(color, ghost), ghost, color);
  if (!object) throw new Error(`a shape of kind "${piece.kind}" is not known to this viewer`);
  object.position.fromArray(piece.at);
  if (piece.turn) object.quaternion.copy(new Quaternion().fromArray(piece.turn));
  object.traverse((m) => { if (m.isMesh && !ghost && !m.material.transparent) { m.castShadow = true; m.receiveShadow = true; } });
  return object;
}

function paint(color, ghost, more = {}) {
  const look = ghost ? { transparent: true, opacity: 0.1, depthWrite: false } : {};
  return new MeshStandardMaterial({ color, roughness: 0.55, metalness: 0.05, ...look, ...more });
}

// A ghost is its edges, with a trace of color between them: it may lie in the solid body and both are seen.
export function outline(object, color) {
  const ink = new LineBasicMaterial({ color, transparent: true, opacity: 0.85 }), meshes = [];
  object.traverse((m) => { if (m.isMesh) meshes.push(m); });
  for (const m of meshes) {
    m.add(new LineSegments(new EdgesGeometry(m.geometry, 28), ink));
    if (m.geometry.type !== "SphereGeometry") continue; // round everywhere: three great circles
    m.geometry.computeBoundingBox();
    const half = m.geometry.boundingBox.max, [a, b, c] = half.toArray();
    for (const at of [(p) => p.set(p.x * a, p.y * b, 0), (p) => p.set(p.x * a, 0, p.y * c), (p) => p.set(0, p.x * b, p.y * c)]) m.add(circle(1, ink, at));
  }
  return object;
}

const sphereOf = (radius, most) => new SphereGeometry(radius, round(most, radius), Math.round(0.66 * round(most, radius)));

const BUILD = {
  sphere: ({ radius }, material) => new Mesh(sphereOf(radius, 32), material),
  ball: ({ radius }, material, ghost, color) => {
    const skin = ghost ? material : paint("#ffffff", false, { map: globe(color) });
    return new Mesh(sphereOf(radius, 56).rotateX(Math.PI / 2), skin);
  },
  ellipsoid: ({ x, y, z }, material, ghost, color) => {
    const skin = ghost ? material : paint("#ffffff", false, { map: globe(color) });
    const n = round(56, Math.max(x, y, z));
    return new Mesh(new SphereGeometry(1, n, Math.round(0.66 * n)).rotateX(Math.PI / 2).scale(x, y, z), skin);
  },
  shell: ({ radius }, material, ghost, color) => {
    const group = new Group();
    const glass = new MeshStandardMaterial({ color, transparent: true, opacity: 0.12, depthWrite: false, roughness: 0.3 });
    const grid = new LineBasicMaterial({ color: "#8a93a0", transparent: true, opacity: 0.3 });
    group.add(new Mesh(sphereOf(radius, 40), glass));
    for (let i = 0; i < 6; i++) {
      group.add(circle(radius, grid, (p) => p.set(p.x * Math.cos(i * Math.PI / 6), p.x * Math.sin(i * Math.PI / 6), p.y)));
      const z = radius * Math.cos((i + 0.5) * Math.PI / 6), r = Math.sqrt(radius * radius - z * z);
      group.add(circle(r, grid, (p) => p.set(p.x, p.y, z)));
    }
    return group;
  },
  cylinder: ({ radius, height }, material) => new Mesh(new CylinderGeometry(radius, radius, height, round(40, radius)).rotateX(Math.PI / 2), material),
  tube: ({ radius, height }, material, ghost, color) => {
    const group = new Group();
    const glass = new MeshStandardMaterial({ color, transparent: true, opacity: 0.14, depthWrite: false, roughness: 0.3, side: DoubleSide });
    const grid = new LineBasicMaterial({ color: "#8a93a0", transparent: true, opacity: 0.4 }), lines = [];
    group.add(new Mesh(new CylinderGeometry(radius, radius, height, round(48, radius), 1, true).rotateX(Math.PI / 2), glass));
    for (let i = 0; i <= 6; i++) group.add(circle(radius, grid, (p) => p.set(p.x, p.y, height * (i / 6 - 0.5))));
    for (let i = 0; i < 12; i++) for (const z of [-0.5, 0.5]) lines.push(new Vector3(radius * Math.cos(i * Math.PI / 6), radius * Math.sin(i * Math.PI / 6), z * height));
    group.add(new LineSegments(new BufferGeometry().setFromPoints(lines), grid));
    return group;
  },
  hills: ({ x, y, z }, material, ghost, color) => { // heights over a grid of n by n points
    const n = Math.round(Math.sqrt(z.length)), group = new Group(), points = [], faces = [], lines = [];
    const at = (i, j) => [x[0] + (x[1] - x[0]) * i / (n - 1), y[0] + (y[1] - y[0]) * j / (n - 1), z[i * n + j]];
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) {
      points.push(...at(i, j));
      if (i + 1 < n && j + 1 < n) { const k = i * n + j; faces.push(k, k + n, k + 1, k + 1, k + n, k + n + 1); }
      if (i % 3 === 0 && j + 1 < n) lines.push(...at(i, j), ...at(i, j + 1));
      if (j % 3 === 0 && i + 1 < n) lines.push(...at(i, j), ...at(i + 1, j));
    }
    const surface = new BufferGeometry(), grid = new BufferGeometry();
    surface.setAttribute("position", new Float32BufferAttribute(points, 3)); surface.setIndex(faces); surface.computeVertexNormals();
    grid.setAttribute("position", new Float32BufferAttribute(lines, 3));
    group.add(new Mesh(surface, new MeshStandardMaterial({ color, transparent: true, opacity: 0.55, depthWrite: false, roughness: 0.9, side: DoubleSide })));
    group.add(new LineSegments(grid, new LineBasicMaterial({ color: "#8a93a0", transparent: true, opacity: 0.5 })));
    return group;
  },
  box: ({ x, y, z }, material) => new Mesh(new BoxGeometry(x, y, z), material),
  plate: ({ x, y, z }, material) => extruded([[x / 2, 0], [x / 4, y / 2], [-x / 2, y / 2], [-x / 2.4, 0], [-x / 2, -y / 2], [x / 4, -y / 2]], z, material),
  board: ({ x, y, z }, material) => {
    const r = Math.min(x, y) / 2, points = [];
    for (let i = 0; i <= 16; i++) points.push([x / 2 - r + r * Math.sin(Math.PI * i / 16), -r * Math.cos(Math.PI * i / 16) * y / (2 * r)]);
    for (let i = 0; i <= 16; i++) points.push([-x / 2 + r - r * Math.sin(Math.PI * i / 16), r * Math.cos(Math.PI * i / 16) * y / (2 * r)]);
    return extruded(points, z, material);
  },
  wheel: ({ radius, width }, material, ghost) => {
    const group = new Group(), tire = paint(ghost ? material.color : "#2d323a", ghost);
    const tube = Math.min(0.5 * width, 0.18 * radius);
    const n = round(56, radius);
    const rim = new CylinderGeometry(radius, radius, width, n, 1, true);
    const inner = new CylinderGeometry(radius - tube, radius - tube, width, n, 1, true);
    inner.scale(-1, 1, 1); // seen from inside
    group.add(new Mesh(rim, tire), new Mesh(inner, tire));
    for (const side of [1, -1]) {
      const wall = new Mesh(new RingGeometry(radius - tube, radius, n, 1), tire);
      wall.position.y = side * width / 2; wall.rotation.x = -side * Math.PI / 2; group.add(wall);
    }
    group.add(new Mesh(new TorusGeometry(radius - tube, 0.035 * radius, 5, n).rotateX(Math.PI / 2), material));
    group.add(new Mesh(new CylinderGeometry(0.14 * radius, 0.14 * radius, 1.1 * width, round(24, 0.3 * radius)), material));
    const mark = ghost ? material : paint(COLORS.accent, false);
    for (let i = 0; i < 8; i++) { // one spoke is red: whole turns can be counted
      const spoke = new Mesh(new BoxGeometry(0.05 * radius, 0.4 * width, radius - tube), i ? material : mark);
      spoke.position.set((radius - tube) / 2 * Math.sin(i * Math.PI / 4), 0, (radius - tube) / 2 * Math.cos(i * Math.PI / 4));
      spoke.rotation.y = i * Math.PI / 4; group.add(spoke);
    }
    return group;
  },
  // A mecanum wheel: rollers on its rim, whose axes are at the angle to the axle.
  rollers: ({ radius, width, angle }, material, ghost) => {
    const group = new Group(), rubber = paint(ghost ? material.color : "#2d323a", ghost), count = 9;
    const across = 0.16 * radius, at = radius - across, long = Math.min(width / Math.cos(angle), 2 * Math.PI * at / count * 1.25);
    const hub = new CylinderGeometry(0.72 * radius, 0.72 * radius, 0.5 * width, round(32, radius));
    group.add(new Mesh(hub, material));
    for (let i = 0; i < count; i++) {
      const turn = 2 * Math.PI * i / count, roller = new Mesh(new SphereGeometry(1, 10, 8).scale(across, 0.5 * long, across), i ? rubber : ghost ? material : paint(COLORS.accent, false));
      roller.position.set(at * Math.sin(turn), 0, at * Math.cos(turn));
      // in the plane of the axle and the rim's direction
      roller.quaternion.setFromAxisAngle(Y, turn).multiply(new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), angle));
      group.add(roller);
    }
    return group;
  },
  disk: ({ radius, width }, material, ghost, color) => {
    const geometry = new CylinderGeometry(radius, radius, width, round(64, radius));
    if (ghost) return new Mesh(geometry, material);
    const face = paint("#ffffff", false, { map: sectors(color, 8, "#f2f3f5", true) });
    return new Mesh(geometry, [material, face, face]);
  },
  blade: ({ x, z }, material) => {
    const points = [];
    for (let i = 0; i <= 12; i++) { const s = i / 6 - 1; points.push([0.5 * x * s, 0.06 * z * s ** 4]); }
    points.push([0.36 * x, z], [-0.36 * x, z]);
    const mesh = extruded(points, 0.07 * x, material);
    mesh.geometry.rotateX(Math.PI / 2); // the profile stands on its edge
    return mesh;
  },
  tile: ({ radius }, material, ghost, color) => {
    const group = new Group();
    group.add(new Mesh(new CircleGeometry(radius, round(48, radius)), new MeshBasicMaterial({ color, transparent: true, opacity: ghost ? 0.12 : 0.28, side: DoubleSide, depthWrite: false })));
    group.add(circle(radius, new LineBasicMaterial({ color }), (p) => p));
    return group;
  },
  table: ({ radius, height }) => {
    const geometry = new CylinderGeometry(radius, radius, height, 96).rotateX(Math.PI / 2).translate(0, 0, -height / 2);
    const top = paint("#ffffff", false, { map: sectors("#cfd6de", 12, "#e2e7ec", false), roughness: 0.9 });
    top.userData.paper = true;
    return new Mesh(geometry, [paint("#aeb7c2", false), top, top]);
  },
  axes: ({ length }) => {
    const group = new Group();
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((axis, i) => {
      const arrow = arrowMesh(["#d43f3a", "#3a9d4a", "#3a6fd4"][i], false);
      pointArrow(arrow, new Vector3(), new Vector3(...axis).multiplyScalar(length), 0.025 * length);
      group.add(arrow);
    });
    return group;
  },
  mesh: ({ vertices, faces }, material) => {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(vertices.flat(), 3));
    geometry.setIndex(faces.flat()); geometry.computeVertexNormals();
    material.side = DoubleSide;
    return new Mesh(geometry, material);
  },
};

function extruded(points, depth, material) {
  const shape = new Shape();
  points.forEach(([x, y], i) => (i ? shape.lineTo(x, y) : shape.moveTo(x, y)));
  const geometry = new ExtrudeGeometry(shape, { depth, bevelEnabled: false }).translate(0, 0, -depth / 2);
  const mesh = new Mesh(geometry, material);
  if (!material.transparent) mesh.add(new LineSegments(new EdgesGeometry(geometry, 30), new LineBasicMaterial({ color: "#1b1e24", transparent: true, opacity: 0.35 })));
  return mesh;
}

function circle(radius, material, place) {
  const points = [];
  for (let i = 0; i < 72; i++) points.push(place(new Vector3(radius * Math.cos(i * Math.PI / 36), radius * Math.sin(i * Math.PI / 36), 0)));
  return new LineLoop(new BufferGeometry().setFromPoints(points), material);
}

// -- what moves and changes its length ------------------------------------------------------------

export function arrowMesh(color, ghost) {
  const group = new Group(), solid = paint(color, false, { transparent: ghost, opacity: ghost ? 0.45 : 1 });
  // what a body hides of it is drawn, too, paler and without light
  const hidden = new MeshBasicMaterial({ color, transparent: true, opacity: 0.65, depthFunc: GreaterDepth, depthWrite: false });
  for (const geometry of [new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), new ConeGeometry(1, 1, 14).translate(0, 0.5, 0)]) {
    const mesh = new Mesh(geometry, solid), through = new Mesh(geometry, hidden);
    through.renderOrder = 5; mesh.add(through); group.add(mesh);
  }
  return group;
}

export function pointArrow(arrow, at, vector, thickness) {
  const length = vector.length(), [shaft, head] = arrow.children;
  arrow.visible = Number.isFinite(length) && length > thickness;
  if (!arrow.visible) return;
  const tip = Math.min(0.4 * length, 5 * thickness);
  shaft.scale.set(thickness, length - tip, thickness);
  head.scale.set(2.5 * thickness, tip, 2.5 * thickness);
  head.position.y = length - tip;
  arrow.position.copy(at);
  arrow.quaternion.setFromUnitVectors(Y, vector.clone().divideScalar(length));
}

export function linkMesh(look, ghost) {
  if (look === "rod") return new Mesh(new CylinderGeometry(0.35, 0.35, 1, 12).translate(0, 0.5, 0), paint("#5b6470", ghost, { metalness: 0.3 }));
  const points = [0, 0, 0], turns = 12; // a line: a wire would become thick where it is stretched
  for (let i = 0; i <= turns * 16; i++) {
    const angle = i * Math.PI / 8;
    points.push(Math.cos(angle), 0.06 + 0.88 * i / (turns * 16), Math.sin(angle));
  }
  const coil = new LineGeometry().setPositions([...points, 0, 1, 0]);
  return new Line2(coil, new LineMaterial({ color: "#7d8794", linewidth: 2, transparent: ghost, opacity: ghost ? 0.4 : 1 }));
}

export function stretchLink(mesh, from, to, thickness) {
  const along = to.clone().sub(from), length = along.length();
  mesh.visible = Number.isFinite(length) && length > 1e-9;
  if (!mesh.visible) return;
  mesh.position.copy(from);
  mesh.scale.set(thickness, length, thickness);
  mesh.quaternion.setFromUnitVectors(Y, along.divideScalar(length));
}

// -- patterns that make a rotation visible --------------------------------------------------------

function drawn(width, height, draw) {
  const canvas = document.createElement("canvas");
  canvas.width = width; canvas.height = height;
  draw(canvas.getContext("2d"));
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace; texture.anisotropy = 8;
  return texture;
}

function globe(color) {
  return drawn(512, 256, (g) => {
    g.fillStyle = "#f2f3f5"; g.fillRect(0, 0, 512, 256);
    g.fillStyle = color;
    for (let i = 0; i < 8; i++) for (let j = 0; j < 4; j++) if ((i + j) % 2) g.fillRect(64 * i, 64 * j, 64, 64);
    g.fillStyle = "#2d323a"; g.fillRect(0, 123, 512, 10);
    g.fillStyle = COLORS.accent; g.fillRect(251, 0, 10, 256); // one meridian
  });
}

function sectors(color, count, other, marked) {
  return drawn(1024, 1024, (g) => {
    for (let i = 0; i < count; i++) {
      g.fillStyle = i % 2 ? color : other;
      g.beginPath(); g.moveTo(512, 512); g.arc(512, 512, 512, 2 * Math.PI * i / count, 2 * Math.PI * (i + 1) / count); g.fill();
    }
    g.strokeStyle = "#00000030"; g.lineWidth = 3;
    for (const r of [171, 341, 510]) { g.beginPath(); g.arc(512, 512, r, 0, 7); g.stroke(); }
    if (marked) { g.fillStyle = COLORS.accent; g.beginPath(); g.arc(900, 512, 46, 0, 7); g.fill(); }
  });
}
