// What a page shows is in its address, so that a link leads to it and a reload
// keeps it.

/** What the address asks for. */
export const asked = new URLSearchParams(location.search);

/** Writes what is shown into the address; empty values are left out. */
export function remember(values) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "" && value !== false) query.set(name, value);
  }
  const text = query.toString();
  history.replaceState(null, "", text ? `?${text}` : location.pathname);
}

/** The number in "12" or "#12"; null where there is none. */
export function numberIn(text) {
  const found = /^#?(\d{1,15})$/.exec(text.trim());
  return found ? Number(found[1]) : null;
}
