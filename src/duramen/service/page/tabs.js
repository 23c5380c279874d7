// Tabs as ARIA practice has them: one stop for Tab, arrows move and choose, Home and End jump.

export function startTabs(list, choose) {
  const tabs = [...list.querySelectorAll("[role=tab]")];

  function select(view, focus = false) {
    for (const tab of tabs) {
      const chosen = tab.dataset.view === view;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
      if (!chosen) continue;
      if (focus) tab.focus();
      // Only sideways: the page itself must not jump.
      const [left, right] = [tab.offsetLeft - 24, tab.offsetLeft + tab.offsetWidth + 24];
      if (left < list.scrollLeft) list.scrollLeft = left;
      else if (right > list.scrollLeft + list.clientWidth) list.scrollLeft = right - list.clientWidth;
    }
    choose(view);
  }

  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) select(tab.dataset.view);
  });
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    select(tabs[(to + tabs.length) % tabs.length].dataset.view, true);
  });
  return { select, has: (view) => tabs.some((tab) => tab.dataset.view === view) };
}
