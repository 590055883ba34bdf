// Draw every formula that Sphinx left as \(...\) or \[...\].
document.addEventListener("DOMContentLoaded", () => {
  if (!window.katex) return; // a page without formulas
  for (const place of document.querySelectorAll(".math")) {
    renderMathInElement(place, {
      delimiters: [
        { left: "\\(", right: "\\)", display: false },
        { left: "\\[", right: "\\]", display: true },
      ],
      throwOnError: false,
    });
  }
});
