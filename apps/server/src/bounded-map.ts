/** For what a process remembers to save work: beyond its limit it forgets what it was told first. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: Key, value: Value): this {
    // Told again is told last.
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#limit) {
      const [first] = this.keys();
      this.delete(first as Key);
    }
    return this;
  }
}
