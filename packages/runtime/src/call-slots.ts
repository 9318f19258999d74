import { type ClassOfMethod, eachClass, servedMax } from './call-classes'

/** Bounds the calls of one kind in flight. A call without a free slot is refused at once: it never waits. */
export interface Slots {
  /** Returns a function that frees the slot (once); undefined when all are taken. */
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

/** The bound for methods without a class: more than any caller sends at once. */
const unclassedMax = 1_024

/** Takes a slot of the method's class for each call to a server. */
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
