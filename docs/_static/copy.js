// A button on every block of code, not of output, that copies it. Of console sessions it copies the commands only, without "$ ".
addEventListener("DOMContentLoaded", () => {
  for (const block of document.querySelectorAll("div.highlight")) {
    if (block.closest(".cell_output")) continue;
    const button = Object.assign(document.createElement("button"), { className: "copy", type: "button", textContent: "copy" });
    button.setAttribute("aria-label", "copy this code");
    button.onclick = async () => {
      let text = block.querySelector("pre").innerText;
      const commands = text.split("\n").filter((line) => line.startsWith("$ "));
      if (commands.length) text = commands.map((line) => line.slice(2)).join("\n");
      await navigator.clipboard.writeText(text.trimEnd() + "\n");
      button.textContent = "copied";
      setTimeout(() => { button.textContent = "copy"; }, 1500);
    };
    block.append(button);
  }
});
