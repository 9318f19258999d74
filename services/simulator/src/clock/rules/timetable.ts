/** Timers by due time in a binary heap, so that sixty thousand open prompts cost sixteen steps instead of a scan. */
export interface Timetable {
  add(dueMs: number, run: () => void, what?: string): Entry
  /** Removes and returns the earliest due entry, skipping cancelled ones. */
  takeDue(nowMs: number): Entry | undefined
  /** The earliest entry that is not cancelled. */
  next(): Entry | undefined
  /** Entries waiting, cancelled ones included until their time comes. */
  size(): number
}

export interface Entry {
  readonly dueMs: number
  /** Order of arrival: entries due together run in the order they were added. */
  readonly order: number
  readonly run: () => void
  readonly what: string
  readonly cancelled: boolean
  /** Keeps the entry from running. The entry stays in the heap until its time, without references. */
  cancel(): void
}

const nothing = () => undefined

export function openTimetable(): Timetable {
  const heap: Entry[] = []
  let added = 0

  const takeFirst = (): Entry | undefined => {
    const first = heap[0]
    const last = heap.pop()
    if (last !== undefined && last !== first) {
      heap[0] = last
      sink(heap)
    }
    return first
  }

  const dropCancelled = () => {
    while (heap[0]?.cancelled === true) takeFirst()
  }

  return {
    add(dueMs, run, what = 'something') {
      const entry = {
        ...{ dueMs, order: added, run, what, cancelled: false },
        cancel() {
          Object.assign(entry, { cancelled: true, run: nothing, what: '' })
        },
      }
      added += 1
      heap.push(entry)
      rise(heap)
      return entry
    },
    takeDue(nowMs) {
      dropCancelled()
      const first = heap[0]
      return first !== undefined && first.dueMs <= nowMs ? takeFirst() : undefined
    },
    next() {
      dropCancelled()
      return heap[0]
    },
    size: () => heap.length,
  }
}

function isEarlier(one: Entry, other: Entry): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.order < other.order)
}

/** Restores the heap upwards from the last entry. */
function rise(heap: Entry[]): void {
  let index = heap.length - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (!swapIfEarlier(heap, index, parent)) return
    index = parent
  }
}

/** Restores the heap downwards from the first entry. */
function sink(heap: Entry[]): void {
  let index = 0
  for (;;) {
    const left = 2 * index + 1
    const child = earlierOf(heap, left, left + 1)
    if (child === undefined || !swapIfEarlier(heap, child, index)) return
    index = child
  }
}

function earlierOf(heap: readonly Entry[], left: number, right: number): number | undefined {
  const one = heap[left]
  const other = heap[right]
  if (one === undefined) return undefined
  return other !== undefined && isEarlier(other, one) ? right : left
}

function swapIfEarlier(heap: Entry[], below: number, above: number): boolean {
  const one = heap[below]
  const other = heap[above]
  if (one === undefined || other === undefined || !isEarlier(one, other)) return false
  heap[below] = other
  heap[above] = one
  return true
}
