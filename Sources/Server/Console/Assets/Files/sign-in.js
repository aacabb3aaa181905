// Takes the code out of the address, where no server and no history should keep it, and signs in with it.
const form = document.querySelector("form[data-sign-in]");

function signIn() {
  const code = location.hash.slice(1);
  if (!form || !code) return;
  history.replaceState(null, "", location.pathname + location.search);
  form.elements.proof.value = code;
  form.requestSubmit();
}

signIn();
// A link that is opened in a tab with this page changes only the part behind '#'.
addEventListener("hashchange", signIn);
