/** The largest message between processes, in both directions. Our largest payload is a provider's body of 8 KB. */
export const messageBytesMax = 65_536

/** The most bytes that an item of a message takes beside its payload. */
export const envelopeBytes = 512

/** Gathers the items of one turn of the event loop, and writes them in messages of at most `messageBytesMax`. */
export function openBatch<Item>(sizeOf: (item: Item) => number, write: (items: Item[]) => void) {
  let items: Item[] = []
  let bytes = 0
  let planned: NodeJS.Immediate | undefined
  const flush = () => {
    clearImmediate(planned)
    planned = undefined
    const batch = items
    items = []
    bytes = 0
    write(batch)
  }
  return {
    add(item: Item) {
      const size = sizeOf(item)
      if (items.length > 0 && bytes + size > messageBytesMax) flush()
      items.push(item)
      bytes += size
      planned ??= setImmediate(flush)
    },
    flush,
  }
}
