// One script for every door: a page with its data inside, or the studio.
import { mount } from "./view.js";
import { studio } from "./studio.js";

const state = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
window.dalembertMount = mount; // for pages that bring scenes of their own
const inside = document.getElementById("dalembert-scene");
if (inside) {
  const scene = JSON.parse(inside.textContent), root = document.getElementById("dalembert-view");
  try {
    window.dalembert = mount(root, scene, { t: state.t, speed: state.speed, theme: state.theme, film: state.film === "1",
      play: state.play === undefined ? scene.play : state.play === "1" });
  } catch (error) {
    root.textContent = error.message;
    throw error;
  }
} else studio(document.getElementById("dalembert-studio"));
