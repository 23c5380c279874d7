const boxes = [...document.querySelectorAll("input[name=block]")];
const count = document.getElementById("count");
let last = null;
const tell = () => { count.textContent = `${boxes.filter((box) => box.checked).length} of ${boxes.length} blocks ticked`; };
const tick = (on) => { boxes.forEach((box) => { box.checked = on; }); tell(); };
boxes.forEach((box, at) => box.addEventListener("click", (event) => {
  if (event.shiftKey && last !== null) {
    const [first, end] = [Math.min(last, at), Math.max(last, at)];
    for (let each = first; each <= end; each += 1) boxes[each].checked = box.checked;
  }
  last = at;
  tell();
}));
document.getElementById("none").addEventListener("click", () => tick(false));
document.getElementById("all").addEventListener("click", () => tick(true));
tell();
