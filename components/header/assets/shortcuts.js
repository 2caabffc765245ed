const KEYS = [
  ["On every page", [["/", "Go to an entity or a page"], ["g, then a letter", "Go to a page; the menus show the letters"], ["?", "Show these shortcuts"], ["Esc", "Close the open panel"]]],
  ["Time bar", [["Enter or Tab", "Set the typed date"], ["Esc", "Keep the old date"]]],
  ["Lists and menus", [["↑ ↓", "Move through a list"], ["Enter", "Open the selected item"]]],
  ["Ask", [["Delete", "Remove the focused part of the question"]]],
  ["Explore", [["← ↑ → ↓", "Move between entities"], ["Enter", "Select"], ["e  c", "Expand, collapse"], ["h  p", "Hide, pin"], ["f", "Fit the graph to the window"], ["Ctrl+Z", "Undo a step; with Shift, redo"], ["Shift+drag", "Select a rectangle"], ["Alt+click", "Show only this type"]]],
  ["SQL", [["Ctrl+Enter", "Run the query"], ["Esc, then Tab", "Leave the editor"]]],
];
