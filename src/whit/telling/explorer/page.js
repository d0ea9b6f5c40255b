/* The form, the sentences, the pictures and the tables. The address after # holds the question, so that it can be shared. */
"use strict";

(() => {
  const form = document.getElementById("asked");
  const at = (id) => document.getElementById(id);
  const LINEAR = ["prior"];
  const PARAMETERS = { pure: ["epsilon"], approximate: ["epsilon", "delta"], zcdp: ["rho"], gdp: ["mu"], gaussian: ["sigma"] };
  const PRIORS = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9];

  /* A box and its slider: most parameters by their logarithm. */
  const ends = (box) => [Number(box.min), Number(box.max)];
  function ofSlider(box, share) {
    const [low, high] = ends(box);
    const value = LINEAR.includes(box.id) ? low + (high - low) * share : low * (high / low) ** share;
    return Math.min(Math.max(Number(value.toPrecision(3)), low), high);
  }
  function toSlider(box, value) {
    const [low, high] = ends(box);
    return LINEAR.includes(box.id) ? (value - low) / (high - low) : Math.log(value / low) / Math.log(high / low);
  }

  /* What is wrong with a number, in a sentence; nothing if it is fine. */
  function wrong(box) {
    const [low, high] = ends(box);
    const value = box.value.trim() === "" ? NaN : Number(box.value);
    if (value >= low && value <= high) return "";
    const got = box.value.trim() === "" ? "no number" : box.value;
    return `${box.id} must be between ${low} and ${high}; got ${got}. Use ${box.defaultValue}.`;
  }

  const applies = (element, kind) => !element.dataset.for || element.dataset.for.split(" ").includes(kind);

  /* The question as the form has it, or nothing where a number is wrong. */
  function asked() {
    const kind = at("kind").value;
    let fine = true;
    for (const box of form.querySelectorAll("input[type=number]")) {
      const said = applies(box.parentElement, kind) ? wrong(box) : "";
      at(`${box.id}-wrong`).textContent = said;
      box.setAttribute("aria-invalid", said ? "true" : "false");
      fine = fine && !said;
    }
    if (!fine) return null;
    const found = { kind, knows: at("knows").value, when: at("when").value };
    for (const name of PARAMETERS[kind]) found[name] = Number(at(name).value);
    found.failure = kind === "pure" ? 0 : Number(at("failure").value);
    found.level = Number(at("level").value);
    found.prior = Number(at("prior").value) / 100;
    return found;
  }

  /* A share as a percentage of three digits that is rounded up; what somebody chose is not moved by the last bit of a product. */
  function percent(share, slack = 1e-9) {
    if (share === 0) return "0 %";
    const digits = Math.max(2 - Math.floor(Math.log10(share * 100)), 0);
    const scale = 10 ** digits;
    return `${Number((Math.ceil(share * 100 * scale - slack) / scale).toFixed(digits))} %`;
  }
  const atMost = (share) => percent(share, 0);
  const bound = (share) => (share === 1 ? "100 %: nothing is ruled out" : share > 0.999 ? "may exceed 99.9 %" : atMost(share));

  function sentence(share, prior, failure) {
    const except = failure ? `, except with probability ${percent(failure)}` : "";
    if (share === 1) return `The adversary's belief in the truth may rise from ${percent(prior)} to 100 %: nothing is ruled out.`;
    if (share > 0.999) return `The adversary's belief in the truth starts at ${percent(prior)} and may exceed 99.9 %.`;
    return `The adversary's belief in the truth goes from ${percent(prior)} to at most ${atMost(share)}${except}.`;
  }

  function powerSentence(share, level) {
    const people = Math.ceil(share * 100);
    return `The best test finds at most ${people} of 100 people in the data, with ${percent(level)} false alarms.`;
  }

  const SVG = "http://www.w3.org/2000/svg";
  function draw(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  /* Wide enough for "100 %" in the letters of a narrow window, to the left of the axis and half of it beyond its end. */
  const across = (share) => 64 + share * 344;

  function axes(picture, height, x, y) {
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      picture.append(draw("line", { class: "grid", x1: x(0), x2: x(1), y1: y(share), y2: y(share) }));
      picture.append(draw("text", { x: x(0) - 6, y: y(share) + 4, "text-anchor": "end" }, `${share * 100} %`));
    }
    picture.append(draw("line", { class: "axis", x1: x(0), x2: x(1), y1: y(0), y2: y(0) }));
  }

  function drawPosterior(question) {
    const picture = at("posterior-picture"), x = across, y = (share) => 268 - share * 250;
    picture.replaceChildren();
    axes(picture, 320, x, y);
    for (const share of [0, 0.25, 0.5, 0.75, 1])
      picture.append(draw("text", { x: x(share), y: 286, "text-anchor": "middle" }, `${share * 100} %`));
    picture.append(draw("text", { x: x(0.5), y: 308, "text-anchor": "middle" }, "prior"));
    const points = Array.from({ length: 201 }, (_, k) => k / 200);
    const line = points.map((prior) => `${x(prior).toFixed(1)},${y(WHIT.posterior(question, prior)).toFixed(1)}`);
    picture.append(draw("line", { class: "same", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }));
    picture.append(draw("polyline", { class: "curve", points: line.join(" ") }));
    const highest = WHIT.posterior(question, question.prior);
    picture.append(draw("circle", { class: "dot", cx: x(question.prior), cy: y(highest), r: 6 }));
  }

  function drawPower(question) {
    const picture = at("power-picture"), x = across, y = (share) => 178 - share * 160;
    picture.replaceChildren();
    axes(picture, 230, x, y);
    WHIT.levels.forEach((level, k) => {
      const middle = (k + 0.5) / WHIT.levels.length, power = WHIT.power(question, level);
      picture.append(draw("rect", { class: "bar", x: x(middle) - 20, y: y(power), width: 40, height: y(0) - y(power) }));
      picture.append(draw("line", { class: "mark", x1: x(middle) - 26, x2: x(middle) + 26, y1: y(level), y2: y(level) }));
      picture.append(draw("text", { x: x(middle), y: 196, "text-anchor": "middle" }, percent(level)));
    });
    picture.append(draw("text", { x: x(0.5), y: 218, "text-anchor": "middle" }, "level"));
  }

  function rows(id, lines, chosen) {
    at(id).replaceChildren(...lines.map((cells, k) => {
      const row = document.createElement("tr");
      if (k === chosen) row.className = "chosen";
      cells.forEach((text, place) => {
        const cell = document.createElement(place ? "td" : "th");
        if (!place) cell.scope = "row";
        cell.textContent = text;
        row.append(cell);
      });
      return row;
    }));
  }

  function tabulate(question) {
    const priors = [...new Set([...PRIORS, question.prior])].sort((a, b) => a - b);
    const line = (prior) => {
      const found = WHIT.posterior(question, prior);
      const points = Math.ceil((found - prior) * 1000) / 10;
      return [percent(prior), bound(found), `${Number(points.toFixed(1))} points`];
    };
    rows("posterior-rows", priors.map(line), priors.indexOf(question.prior));
    rows("power-rows", WHIT.levels.map((level) => [percent(level), bound(WHIT.power(question, level))]), WHIT.levels.indexOf(question.level));
  }

  function command(question) {
    const option = (name) => `--${name === "sigma" ? "gaussian" : name} ${question[name]}`;
    const parts = PARAMETERS[question.kind].map(option);
    if (question.kind === "gaussian") parts.push(`--knows ${question.knows}`);
    if (question.when === "ever") parts.push("--when ever");
    if (question.failure) parts.push(`--failure ${question.failure}`);
    return `whit assess ${parts.join(" ")} --prior ${Number(question.prior.toPrecision(12))} --level ${question.level} --why`;
  }

  function show() {
    const kind = at("kind").value;
    for (const element of form.querySelectorAll("[data-for]")) element.hidden = !applies(element, kind);
    const question = asked();
    at("answers").hidden = question === null;
    if (question === null) return;
    for (const slider of form.querySelectorAll("input[type=range]")) {
      const box = at(slider.dataset.of);
      if (slider !== document.activeElement) slider.value = Math.round(1000 * toSlider(box, Number(box.value)));
      slider.setAttribute("aria-valuetext", box.value);
    }
    at("posterior-sentence").textContent = sentence(WHIT.posterior(question, question.prior), question.prior, question.failure);
    at("power-sentence").textContent = powerSentence(WHIT.power(question, question.level), question.level);
    at("command").textContent = command(question);
    drawPosterior(question);
    drawPower(question);
    tabulate(question);
    keep();
  }

  function keep() {
    const kept = new URLSearchParams();
    for (const field of form.querySelectorAll("select, input[type=number]"))
      if (applies(field.parentElement, at("kind").value)) kept.set(field.name, field.value);
    history.replaceState(null, "", `#${kept}`);
  }

  function restore() {
    for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
      const field = form.elements.namedItem(name);
      if (!field) continue;
      const before = field.value;
      field.value = value;
      if (field.value === "") field.value = before;
    }
  }

  form.addEventListener("input", (event) => {
    const box = event.target.dataset.of && at(event.target.dataset.of);
    if (box) box.value = ofSlider(box, Number(event.target.value) / 1000);
    show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => { restore(); show(); });
  at("failure").value = "0.01";
  at("level").value = "0.05";
  restore();
  show();
})();
