// Live views: every <div class="live" data-scene="NAME"> becomes a moving picture when it is scrolled to.
// The viewer is loaded once for a page, scenes from scenes/NAME.js; both are scripts, because a page
// opened from disk may not fetch anything else. Without a script the picture inside the div stays.
(() => {
  const base = new URL(".", document.currentScript.src).href;
  const scenes = {}, loading = {};
  window.dalembertScene = (name, scene) => { scenes[name] = scene; };
  const load = (file) => (loading[file] ??= new Promise((done, failed) => {
    document.head.append(Object.assign(document.createElement("script"), { src: base + file, onload: done, onerror: failed }));
  }));
  const dark = () => {
    const chosen = document.body.dataset.theme;
    return chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  };
  async function begin(place) {
    const name = place.dataset.scene;
    await load("viewer.js");
    await load(`scenes/${name}.js`);
    place.style.height = `${place.dataset.height ?? 420}px`;
    const view = window.dalembertMount(place, scenes[name], { play: scenes[name].play !== false, theme: dark() ? "dark" : "light" });
    new MutationObserver(() => view.theme(dark() ? "dark" : "light")).observe(document.body, { attributeFilter: ["data-theme"] });
    // A picture that nobody sees does not use the processor.
    new IntersectionObserver(([seen]) => { if (!seen.isIntersecting) view.play(false); }).observe(place);
    place.view = view;
  }
  addEventListener("DOMContentLoaded", () => {
    const watch = new IntersectionObserver((seen) => {
      for (const { target } of seen.filter((x) => x.isIntersecting)) { watch.unobserve(target); begin(target); }
    }, { rootMargin: "200px" });
    for (const place of document.querySelectorAll(".live[data-scene]")) watch.observe(place);
  });
})();
