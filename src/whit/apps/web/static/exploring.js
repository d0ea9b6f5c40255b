// A picture that somebody explores, drawn in the browser: the number under the pointer in words, and a part of it enlarged.
// The words come from the server, which rounds them to the safe side. No code is made from text: the library interprets
// its expressions (ast), so that the page needs no exception from its rules.
const HINT = "Point at the line, or move the slider. Drag to move, scroll to enlarge, double-click to go back.";
let library = null;

const loaded = (address) => {
  library ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("load", done);
    script.addEventListener("error", failed);
    document.head.append(script);
  });
  return library;
};

const made = (name, values) => Object.assign(document.createElement(name), values);

// The rows of the first line, one for each step of the slider.
const rowsOf = (drawing) => Object.values(drawing.datasets).find((rows) => rows.some((row) => row.said)) ?? [];

const sliderOf = (figure, rows, said) => {
  const label = made("label", { textContent: "A point of the line", htmlFor: `${figure.id}-point` });
  const slider = made("input", { type: "range", id: `${figure.id}-point`, min: 0, max: rows.length - 1, value: 0 });
  slider.addEventListener("input", (event) => {
    event.stopPropagation();
    said.textContent = rows[slider.value].said;
    slider.setAttribute("aria-valuetext", rows[slider.value].said);
  });
  slider.setAttribute("aria-valuetext", rows[0].said);
  return [label, slider];
};

// In a narrow window, the one whose letters are as large as in a wide one.
const drawingOf = (figure) => window.matchMedia("(max-width: 36rem)").matches ? figure.dataset.narrow : figure.dataset.drawing;

const describe = (place, title) => {
  const drawn = place.querySelector("svg");
  drawn.setAttribute("aria-hidden", "true");
  drawn.parentElement.setAttribute("role", "img");
  drawn.parentElement.setAttribute("aria-label", title);
  drawn.parentElement.removeAttribute("aria-roledescription");
};

// Draws the picture in place of the still one, and returns what undoes it; nothing where it cannot be drawn.
export const explore = async (figure) => {
  const still = figure.querySelector("picture");
  const box = made("div", { className: "exploring" });
  try {
    const [answer] = await Promise.all([fetch(drawingOf(figure)), loaded(figure.dataset.library)]);
    const drawing = await answer.json();
    const place = made("div");
    const room = made("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: figure.dataset.title });
    room.append(place);
    const said = made("output", { textContent: HINT });
    box.append(room, said, ...sliderOf(figure, rowsOf(drawing).filter((row) => row.said), said));
    still.before(box);
    const options = { ast: true, renderer: "svg", actions: false, defaultStyle: false, tooltip: () => {} };
    const drawn = await window.vegaEmbed(place, drawing, options);
    drawn.view.addEventListener("pointermove", (event, item) => {
      // The nearest point is found by a cell around it, whose row is one step further in.
      const row = item?.datum?.datum ?? item?.datum;
      if (row?.said) said.textContent = row.said;
    });
    describe(place, `${figure.dataset.title}, to explore`);
    still.hidden = true;
    return () => {
      drawn.finalize();
      box.remove();
      still.hidden = false;
    };
  } catch (error) {
    box.replaceChildren(made("p", { textContent: "This picture cannot be explored now. Its numbers are behind the link." }));
    still.before(box);
    console.error(error);
    return () => box.remove();
  }
};
