/** A cache with a size limit: the oldest entry is evicted first. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: Key, value: Value): this {
    // Setting a key again makes it the newest entry.
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#limit) {
      const [first] = this.keys();
      this.delete(first as Key);
    }
    return this;
  }
}
