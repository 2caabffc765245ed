// What is offered while one writes: tables, columns, macros, relations within quotation marks, and words that read.
import {
  completeFromList, PostgreSQL, schemaCompletionSource, SQLDialect, SQLite, syntaxTree,
} from "./codemirror.js";

const words = (text) => text.trim().split(/\s+/);
const READING = `all and any as asc asof between by case cross desc describe distinct else end except exclude exists false
filter first following from full group having ilike in inner intersect interval is join last lateral left like limit
natural not null nulls offset on or order outer over partition pivot positional preceding qualify range recursive right rows select
summarize then true unbounded union unnest unpivot using values when where window with`;
const FUNCTIONS = `avg cast coalesce count date_diff date_trunc extract first lag last lead list lower max median min
quantile_cont rank round row_number string_agg strftime sum upper year`;

const WRITING = `alter attach begin call checkpoint commit copy create delete drop execute export grant import insert install
into load pragma replace returning reset revoke rollback set table truncate update use vacuum view`;

const dialect = (spec) => SQLDialect.define({ ...spec, keywords: words(`${READING} ${WRITING}`).join(" "), builtin: "", types: "" });
export const dialects = { duckdb: dialect(PostgreSQL.spec), postgres: dialect(PostgreSQL.spec), sqlite: dialect(SQLite.spec) };

const reading = completeFromList([
  ...words(READING).map((word) => ({ label: word.toUpperCase(), type: "keyword", boost: -20 })),
  ...words(FUNCTIONS).map((word) => ({ label: word, apply: `${word}(`, type: "function", boost: -10 })),
]);

// a list is completed behind a letter, or where it is asked for
const behind = (list) => (context) => (context.explicit || context.matchBefore(/\w+/) ? list(context) : null);
const outside = (source) => (context) => (isWithin(context, /String|Comment/) ? null : source(context));
const isWithin = (context, kind) => kind.test(syntaxTree(context.state).resolveInner(context.pos, -1).name);

export function sources({ tables, macros, relations }, dialect) {
  const schema = {};
  for (const { name, detail, columns } of tables) {
    place(schema, name.split("."), detail, columns.map(([label, type]) => ({ label, detail: type, type: "property" })));
  }
  const called = macros.map(({ name, call, detail }) => ({ label: name, apply: call, detail, type: "function", boost: 10 }));
  const everywhere = completeFromList(called);
  return [
    inText(relations),
    outside(schemaCompletionSource({ dialect, schema })),
    outside(behind(everywhere)),
    outside(behind(columnsOf(tables))),
    outside(behind(reading)),
  ];
}


function place(schema, path, detail, columns) {
  const [first, ...rest] = path;
  if (!rest.length) schema[first] = { self: { label: first, detail, type: "type", boost: 20 }, children: columns };
  else place((schema[first] ??= {}), rest, detail, columns);
}

// columns of the tables that the text names, without the table before them
const columnsOf = (tables) => (context) => {
  const text = context.state.doc.toString().toLowerCase();
  const seen = new Map();
  for (const { name, columns } of tables) {
    const bare = name.split(".").at(-1).toLowerCase();
    if (!new RegExp(`\\b${bare.replace(/\W/g, "\\$&")}`).test(text)) continue;
    for (const [label, type] of columns) if (!seen.has(label)) seen.set(label, { label, detail: `${bare} · ${type}`, type: "property", boost: 5 });
  }
  const word = context.matchBefore(/[\w.]+/);
  if (word?.text.includes(".")) return null;
  return seen.size ? completeFromList([...seen.values()])(context) : null;
};

// within quotation marks: the names of relations
const inText = (relations) => {
  const options = relations.map(([label, detail, count], place) => ({ label, detail, count, type: "text", boost: 50 - Math.min(place, 99) }));
  return (context) => {
    if (!options.length || !isWithin(context, /String/)) return null;
    const typed = context.matchBefore(/[\w ]*/);
    return typed && (context.explicit || typed.to > typed.from) ? { from: typed.from, options, validFor: /^[\w ]*$/ } : null;
  };
};
