// Communities: entities that Graphiti found to belong together, told apart by colour while the switch is on.

export class Communities {
  constructor() {
    Object.assign(this, { list: [], on: false, of: new Map() });
  }

  /** Of an entity's communities the first counts: they come with the largest first. */
  load(list) {
    this.list = list;
    this.of = new Map([...list].reverse().flatMap((community) => community.members.map((id) => [id, community])));
  }

  /** The colour of an entity's community in a theme; grey for those of none. */
  colour(id, theme, grey) {
    return this.of.get(id)?.[theme] ?? grey;
  }
}
