// Enter in a date of the time bar sets it and closes its box; one that cannot be read stays open with the reason.
const CLOCKS = ":is(.st-key-as_of_text, .st-key-to_text, .st-key-known_at_text, .st-key-to_known_text) input";
const OPENED = '.st-key-asofbar [data-testid="stPopoverButton"][aria-expanded="true"]';

const closeOnEnter = () => addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || !field.matches?.(CLOCKS)) return;
  const box = field.closest('[data-testid="stPopoverBody"]');
  const app = document.querySelector('[data-testid="stApp"]');
  let ran = false;
  const look = () => {
    const running = app.getAttribute("data-test-script-state") !== "notRunning";
    ran ||= running;
    if (!ran || running) return;
    watch.disconnect();
    const opener = document.querySelector(OPENED);
    if (!box?.isConnected || box.querySelector(".a-unread") || !opener) return;
    opener.click();
    opener.focus();
  };
  const watch = new MutationObserver(look);
  watch.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
});
