// Moves conditions by keys. Without it, the buttons do the same.

document.addEventListener("keydown", (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const way = { ArrowUp: "up", ArrowDown: "down" }[event.key];
  const button = way && event.target.closest?.("tr")?.querySelector(`button[value=${way}]:enabled`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
