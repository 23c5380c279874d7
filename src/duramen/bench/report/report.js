for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      const value = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim();
      const order = (one, other) => {
        const [a, b] = [value(one), value(other)];
        const [x, y] = [Number.parseFloat(a), Number.parseFloat(b)];
        if (Number.isNaN(x) || Number.isNaN(y)) {
          if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
          return down ? a.localeCompare(b) : b.localeCompare(a);
        }
        return down ? y - x : x - y;
      };
      body.append(...[...body.rows].sort(order));
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    });
  });
}
