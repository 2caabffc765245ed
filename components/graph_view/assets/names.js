// Names as they are written beside entities: short where that leaves nothing open.

const LEAST = 12;

/** What is left out of the names of the most frequent type, by type: the word that they all share before a number
 *  ("PEP "). */
export function prefixesOf(entities) {
  const names = new Map();
  for (const { name, type } of entities) names.set(type, [...(names.get(type) ?? []), name]);
  const [type, all] = [...names].reduce((most, one) => (one[1].length > most[1].length ? one : most), ["", []]);
  const prefix = all.length < LEAST ? undefined : /^\p{L}+ (?=\d)/u.exec(all[0])?.[0];
  const shared = prefix && all.every((name) => name.startsWith(prefix) && /^\d/.test(name.slice(prefix.length)));
  return new Map(shared ? [[type, prefix]] : []);
}

/** A name cut to the room that there is. */
export function shortened(name, longest) {
  return name.length <= longest ? name : `${name.slice(0, longest - 1)}…`;
}
