// Keys for the pages. Everything here can also be done with links and buttons.
"use strict";
(() => {
  let selected = ""; // the data-item of the selected line, kept when the page changes
  let place = 0;     // its place, for when the line is gone

  const items = () => [...document.querySelectorAll("[data-item]")];
  const current = () => document.querySelector(".selected");
  const typing = (node) => node.closest("input, textarea, select, [contenteditable]");

  function select(item, scroll) {
    current()?.classList.remove("selected");
    if (!item) return;
    item.classList.add("selected");
    selected = item.dataset.item;
    place = items().indexOf(item);
    if (scroll) item.scrollIntoView({ block: "nearest" });
    item.focus({ preventScroll: true });
  }

  function move(by) {
    const all = items();
    if (!all.length) return;
    const at = all.indexOf(current());
    select(all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + by))], true);
  }

  // press clicks the button or link of a key: of the selected line, or else of the page.
  function press(key) {
    const find = (root) => [...(root?.querySelectorAll("[data-key]") ?? [])].find((n) => n.dataset.key === key);
    const target = find(current()) ?? [...document.querySelectorAll("[data-key]")].find((n) => n.dataset.key === key && !n.closest("[data-item]"))
      ?? (items().length === 1 ? find(items()[0]) : undefined);
    target?.click();
    return Boolean(target);
  }

  function help(open) {
    const dialog = document.getElementById("help");
    if (open) dialog.showModal();
    else dialog.close();
  }

  document.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && e.target.matches("textarea")) {
      e.target.form.querySelector("button.main").click();
      return;
    }
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Escape" && typing(e.target)) {
      e.target.blur();
      return;
    }
    if (typing(e.target) || document.querySelector("dialog[open]")) return;
    if (e.key === "Enter" && e.target.closest("a, button, summary")) return;
    if (e.key === "j" || e.key === "k") move(e.key === "j" ? 1 : -1);
    else if (e.key === "/") document.getElementById("find").select();
    else if (e.key === "?") help(true);
    else if (/^[1-6]$/.test(e.key)) document.querySelector(`[data-page="${e.key}"]`).click();
    else if (!press(e.key)) return;
    e.preventDefault();
  });

  document.addEventListener("click", (e) => {
    if (e.target.closest("#show-help")) help(true);
    const item = e.target.closest("[data-item]");
    if (item) selected = item.dataset.item, place = items().indexOf(item);
  });
  document.addEventListener("change", (e) => {
    if (e.target.id === "workspace") e.target.form.requestSubmit();
  });

  function ready() {
    document.getElementById("show-help")?.removeAttribute("hidden");
    if (!selected) return;
    const all = items();
    select(all.find((n) => n.dataset.item === selected) ?? all[Math.min(place, all.length - 1)], false);
  }
  // A form keeps the place of the page; a link begins at the top.
  let kept = null;
  document.addEventListener("htmx:beforeRequest", (e) => { kept = e.target.closest("form[method=post]") ? window.scrollY : null; });
  document.addEventListener("htmx:afterSettle", (e) => {
    if (e.target !== document.body) return;
    if (kept !== null) window.scrollTo({ top: kept, behavior: "instant" });
    else { selected = ""; window.scrollTo({ top: 0, behavior: "instant" }); }
    kept = null;
    ready();
  });
  ready();
})();
