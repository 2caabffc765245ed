// Instants are milliseconds since 1970 in UTC; a date is the start of its day.

export const DAY = 86_400_000;
export const UNITS = ["day", "week", "month", "year"];

/** An instant as people write it: the date alone when it is the start of its day. */
export function written(ms) {
  const iso = new Date(ms).toISOString();
  return ms % DAY === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}Z`;
}

/** A span as people write it: `2015-05-22 → now`. */
export function writtenSpan(start, end) {
  return `${start === null ? "undated" : written(start)} → ${end === null ? "now" : written(end)}`;
}

/** The start of the day, week (Monday), month or year that `ms` falls in. */
export function startOf(ms, unit) {
  const date = new Date(ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (unit === "year") return Date.UTC(year, 0, 1);
  if (unit === "month") return Date.UTC(year, month, 1);
  const day = Date.UTC(year, month, date.getUTCDate());
  return unit === "week" ? day - ((date.getUTCDay() + 6) % 7) * DAY : day;
}

/** `ms` moved by whole units of the calendar; the last day of a month stays within the next one. */
export function shifted(ms, unit, count) {
  if (unit === "day") return ms + count * DAY;
  if (unit === "week") return ms + 7 * count * DAY;
  const date = new Date(ms);
  const months = unit === "year" ? 12 * count : count;
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return first.getTime() + (Math.min(date.getUTCDate(), last) - 1) * DAY + (ms - startOf(ms, "day"));
}
