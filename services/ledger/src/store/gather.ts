/** By one statement at most so many, which then takes the database some tens of milliseconds. */
const togetherMax = 64

/** So few at once gain nothing by waiting for one another. */
const aloneMax = 2

/** Items beyond this do not wait in memory but for a connection, where waiting has a deadline. */
const waitingMax = 1_000

export interface Ways<Item, Answer> {
  /** Answers each in its place, and nothing for those who are to be carried out alone. Where it fails, each fails with it. */
  together(items: readonly Item[]): Promise<readonly (Answer | undefined)[]>
  alone(item: Item): Promise<Answer>
}

interface Waiting<Item, Answer> {
  readonly item: Item
  readonly answer: (answer: Answer | Promise<Answer>) => void
}

/**
 * Batches items that come at the same moment: while one batch runs the next fills, so no item waits for a timer, and
 * the cost of an item falls as the load grows. Each item gets its own answer.
 */
export function gather<Item, Answer>(ways: Ways<Item, Answer>): (item: Item) => Promise<Answer> {
  const waiting: Waiting<Item, Answer>[] = []
  let alone = 0
  let isUnderway = false

  async function goAlone(item: Item): Promise<Answer> {
    alone += 1
    return ways.alone(item).finally(() => {
      alone -= 1
    })
  }

  async function carryOut(): Promise<void> {
    isUnderway = true
    while (waiting.length > 0) {
      const lot = waiting.splice(0, togetherMax)
      const together = ways.together(lot.map(({ item }) => item))
      await Promise.allSettled([together])
      for (const [place, { item, answer }] of lot.entries()) {
        answer(together.then((answers) => answers[place] ?? ways.alone(item)))
      }
    }
    isUnderway = false
  }

  return async (item) => {
    const isCalm = !isUnderway && alone < aloneMax
    if (isCalm || waiting.length >= waitingMax) return goAlone(item)
    return new Promise<Answer>((answer) => {
      waiting.push({ item, answer })
      if (!isUnderway) void carryOut()
    })
  }
}
