// Takes the code out of the address, where no server and no history should keep it, and signs in with it.
const form = document.querySelector("form[data-sign-in]");
const code = location.hash.slice(1);
if (form && code) {
  history.replaceState(null, "", location.pathname + location.search);
  form.elements.proof.value = code;
  form.requestSubmit();
}
