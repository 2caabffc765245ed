// What a fact is at an instant. `start` and `end` are as known at the view's record instant, null where unknown;
// a comparison of two record instants adds `before`: the same, as the first one knew it (null: not recorded then).

export const HOLDS = "holds";
export const ENDED = "ended";
export const UNDATED = "undated";
export const NOT_YET = "not yet";
export const ADDED = "added";
export const SAME = "no change";
export const CORRECTED = "corrected";
export const RE_DATED = "re-dated";

/** The time rule, for one record instant: half-open [start, end). */
export function statusAt(fact, at) {
  if (fact.end !== null && fact.end <= at) return ENDED;
  if (fact.start === null) return UNDATED;
  return fact.start <= at ? HOLDS : NOT_YET;
}

/** What the year or month that a fact began or ended in leaves open at an instant; "" where nothing is. */
export function doubtAt({ start, end, began, ended }, at) {
  if (ended && end <= at) return at < ended.by ? ended.words : "";
  return began && start <= at && at < began.by ? `holds, ${began.words}` : "";
}

function lives(times, at) {
  if (times === null) return false;
  const status = statusAt(times, at);
  return status === HOLDS || status === UNDATED;
}

/** What became of a fact between two instants; NOT_YET where it lived at neither. */
export function changeBetween(fact, first, second) {
  const before = lives(fact.before === undefined ? fact : fact.before, first);
  const after = fact.gone ? false : lives(fact, second);
  if (before && after) return SAME;
  if (after) return ADDED;
  return before ? ENDED : NOT_YET;
}
