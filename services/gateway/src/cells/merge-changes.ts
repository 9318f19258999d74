import type { Changes } from '@malipo/runtime/changes'

/** The announcements of all cells, as if they were one's. */
export function mergeChanges(cells: readonly Changes[]): Changes {
  return {
    watch(id, onChange) {
      const ends = cells.map(({ watch }) => watch(id, onChange))
      return () => {
        for (const end of ends) end()
      }
    },
    collect() {
      const collected = cells.map(({ collect }) => collect())
      return {
        has: (id) => collected.some(({ has }) => has(id)),
        end() {
          for (const { end } of collected) end()
        },
      }
    },
    close() {
      for (const { close } of cells) close()
    },
  }
}
