// The player: steps through a trace that the page brings with it. Arrow keys, Home and End, buttons, a slider.
(function () {
  "use strict";
  for (const player of document.querySelectorAll(".player")) {
    const steps = JSON.parse(player.querySelector("script").textContent);
    const screen = player.querySelector(".screen");
    const said = player.querySelector(".said");
    const totals = [];
    steps.reduce((sum, step, i) => (totals[i] = sum + step.cost), 0);

    const controls = document.createElement("div");
    controls.className = "controls";
    const buttons = [["|◀", "First step", () => 0], ["◀", "Step back", () => at - 1], ["▶", "Step on", () => at + 1],
      ["▶|", "Last step", () => steps.length - 1]].map(([sign, name, to]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.title = name;
      button.setAttribute("aria-label", name);
      button.addEventListener("click", () => show(to()));
      return button;
    });
    const slider = document.createElement("input");
    Object.assign(slider, { type: "range", min: 0, max: steps.length - 1, step: 1 });
    slider.setAttribute("aria-label", "Step");
    slider.addEventListener("input", () => show(Number(slider.value)));
    const count = document.createElement("span");
    count.className = "count";
    controls.append(...buttons, slider, count);
    const keys = document.createElement("p");
    keys.className = "keys";
    keys.textContent = "Keys: ← and → step, Home and End jump. A thick border marks what the step changed.";
    player.insertBefore(controls, screen);
    player.append(keys);

    let at = 0;
    function show(to) {
      at = Math.min(Math.max(to, 0), steps.length - 1);
      const step = steps[at];
      screen.innerHTML = step.html;
      const done = document.createElement("span");
      done.className = "done";
      done.textContent = step.done;
      said.replaceChildren(done, ". " + step.said);
      count.textContent = "step " + at + " of " + (steps.length - 1) + ", " + step.cost +
        (step.cost === 1 ? " operation, " : " operations, ") + totals[at] + " so far";
      slider.value = at;
      buttons[0].disabled = buttons[1].disabled = at === 0;
      buttons[2].disabled = buttons[3].disabled = at === steps.length - 1;
      player.dataset.step = at;
    }
    player.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length - 1 }[event.key];
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation(); // the theme's search has keys of its own
      show(to);
    });
    show(0);
  }
})();
