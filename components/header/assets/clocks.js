// Enter in a date of the time bar sets it and closes its box; one that cannot be read stays open with the reason.
const CLOCKS = ":is(.st-key-as_of_text, .st-key-to_text, .st-key-known_at_text, .st-key-to_known_text) input";
const OPENED = '.st-key-asofbar [data-testid="stPopoverButton"][aria-expanded="true"]';
const LONGEST_UNTIL_RERUN = 1500; // milliseconds

let stopWatching = () => {};

const closeOnEnter = () => addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || !field.matches?.(CLOCKS)) return;
  stopWatching();
  const box = field.closest('[data-testid="stPopoverBody"]');
  const app = document.querySelector('[data-testid="stApp"]');
  let ran = false;
  const look = () => {
    const running = app.getAttribute("data-test-script-state") !== "notRunning";
    ran ||= running;
    if (!ran || running) return;
    stopWatching();
    const opener = document.querySelector(OPENED);
    if (!box?.isConnected || box.querySelector(".a-unread") || !opener) return;
    opener.click();
    opener.focus();
  };
  const watch = new MutationObserver(look);
  watch.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
  // Enter on an unchanged date causes no rerun; a later one has another cause, and leaves the box open.
  const giveUp = () => ran || stopWatching();
  const timer = setTimeout(giveUp, LONGEST_UNTIL_RERUN);
  field.addEventListener("blur", giveUp, { once: true });
  stopWatching = () => {
    watch.disconnect();
    clearTimeout(timer);
    field.removeEventListener("blur", giveUp);
  };
});
