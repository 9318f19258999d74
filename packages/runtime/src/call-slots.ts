import { type ClassOfMethod, eachClass, servedMax } from './call-classes'

/** How many calls of one kind may be under way at once. A call that finds no slot is refused at once: it never waits. */
export interface Slots {
  /** Gives the slot back when it is called, once or more; undefined when all are taken. */
  take(): (() => void) | undefined
  isFull(): boolean
}

export function openSlots(max: number): Slots {
  let taken = 0
  return {
    take() {
      if (taken >= max) return undefined
      taken += 1
      let isTaken = true
      return () => {
        if (isTaken) taken -= 1
        isTaken = false
      }
    },
    isFull: () => taken >= max,
  }
}

/** The bound of methods that have no class: more than any of their callers sends at once. */
const unclassedMax = 1_024

/** Takes a slot for each call that a server begins, of the class of its method. */
export function openAdmission(
  classOfMethod: ClassOfMethod = {},
): (method: string) => ReturnType<Slots['take']> {
  const byClass = eachClass((callClass) => openSlots(servedMax[callClass]))
  const unclassed = openSlots(unclassedMax)
  return (method) => {
    const callClass = classOfMethod[method]
    return (callClass === undefined ? unclassed : byClass[callClass]).take()
  }
}
