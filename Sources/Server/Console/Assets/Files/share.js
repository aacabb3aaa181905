// A slider beside a field of per cent. Each follows the other.
for (const box of document.querySelectorAll("[data-slider]")) {
  const field = document.getElementById(box.dataset.slider);
  const slider = box.querySelector("input");
  if (!field || !slider) continue;
  box.hidden = false;
  slider.value = field.value;
  slider.addEventListener("input", () => { field.value = slider.value; });
  field.addEventListener("input", () => { slider.value = field.value; });
}
