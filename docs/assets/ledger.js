// The filter of the ledger: by verdict, kind and technique or topic, within the page.
// A claim is a table row, or a heading with all that follows it up to the next heading.
(function () {
  "use strict";
  const claims = Array.from(document.querySelectorAll(".claim[data-verdict]"));
  if (!claims.length) return;

  function body(claim) {
    const found = [claim];
    if (claim.tagName === "TR") return found;
    for (let next = claim.nextElementSibling; next && !/^H[1-3]$/.test(next.tagName); next = next.nextElementSibling) {
      found.push(next);
    }
    return found;
  }

  const asked = new URLSearchParams(location.search);
  const filter = document.createElement("form");
  filter.className = "filter";
  filter.setAttribute("role", "search");
  filter.setAttribute("aria-label", "Filter the claims");
  const choices = {};
  for (const [key, label] of [["verdict", "Verdict"], ["kind", "Kind"], ["topic", "Technique or topic"]]) {
    const words = new Set(claims.flatMap((claim) => claim.dataset[key].split(" ")));
    const select = document.createElement("select");
    select.name = key;
    select.append(new Option("all", ""), ...Array.from(words).sort().map((word) => new Option(word, word)));
    if (words.has(asked.get(key))) select.value = asked.get(key);
    const holder = document.createElement("label");
    holder.append(label, select);
    filter.append(holder);
    choices[key] = select;
  }
  const count = document.createElement("span");
  count.className = "count";
  count.setAttribute("aria-live", "polite");
  filter.append(count);

  function apply() {
    let shown = 0;
    for (const claim of claims) {
      const fits = Object.keys(choices).every(
        (key) => !choices[key].value || claim.dataset[key].split(" ").includes(choices[key].value)
      );
      shown += fits;
      for (const element of body(claim)) element.hidden = !fits;
    }
    for (const section of document.querySelectorAll("article h2")) {
      let any = false, has = false;
      for (let next = section.nextElementSibling; next && next.tagName !== "H2"; next = next.nextElementSibling) {
        if (next.matches(".claim")) { has = true; any = any || !next.hidden; }
      }
      if (has) section.hidden = !any;
    }
    count.textContent = shown + " of " + claims.length + " claims";
  }

  // A link to a claim that the filter hides shows it again.
  function reveal() {
    const claim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (claim && claim.hidden) {
      for (const key of Object.keys(choices)) choices[key].value = "";
      apply();
      claim.scrollIntoView();
    }
  }

  filter.addEventListener("change", apply);
  filter.addEventListener("submit", (event) => event.preventDefault());
  const first = claims[0].tagName === "TR" ? claims[0].closest(".claims") : document.querySelector("article h2");
  first.parentNode.insertBefore(filter, first);
  window.addEventListener("hashchange", reveal);
  apply();
  reveal();
})();
