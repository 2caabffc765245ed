// What a link to the picture is, and how a text gets to the clipboard.

/** The address of the page with these parameters alone: what other pages keep in it stays out. `changes` are set. */
export function addressWith(parameters, changes = {}) {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) value === null ? address.searchParams.delete(name) : address.searchParams.set(name, value);
  for (const name of [...address.searchParams.keys()]) if (!parameters.includes(name)) address.searchParams.delete(name);
  return address.href;
}

/** Put a text on the clipboard, also where the page is not served securely. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
