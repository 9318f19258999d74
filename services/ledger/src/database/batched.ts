import type { Log } from '@malipo/runtime/log'
import type { Pool } from 'pg'
import { retryLostRaces, Stale } from './transaction'
import type { Decided, Writes } from '../evidence/rules/state'

/** The most items of a batch. A statement about so many items takes some tens of milliseconds. */
const batchMax = 64

/** Up to this many items at once run singly, because so few gain nothing by sharing a statement. */
const singleMax = 2

/** Items beyond this many do not wait in memory. They wait for a connection, where waiting has a deadline. */
const waitingMax = 1_000

export interface BatchWork<Item, Answer> {
  /** Returns an answer for each item, in order; undefined for one that has to run singly. A rejection fails every item. */
  batch(items: readonly Item[]): Promise<readonly (Answer | undefined)[]>
  single(item: Item): Promise<Answer>
}

interface Waiting<Item, Answer> {
  readonly item: Item
  readonly answer: (answer: Answer | Promise<Answer>) => void
}

/**
 * Batches items that come at the same moment: while one batch runs the next fills, so no item waits for a timer, and
 * the cost of an item falls as the load grows. Each item gets its own answer.
 */
export function openBatcher<Item, Answer>(
  work: BatchWork<Item, Answer>,
): (item: Item) => Promise<Answer> {
  const waiting: Waiting<Item, Answer>[] = []
  let singles = 0
  let isRunning = false

  async function runSingle(item: Item): Promise<Answer> {
    singles += 1
    return work.single(item).finally(() => {
      singles -= 1
    })
  }

  async function runBatches(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax)
      const answersOfBatch = work.batch(batch.map(({ item }) => item))
      await Promise.allSettled([answersOfBatch])
      for (const [place, { item, answer }] of batch.entries()) {
        answer(answersOfBatch.then((answers) => answers[place] ?? work.single(item)))
      }
    }
    isRunning = false
  }

  return async (item) => {
    const isCalm = !isRunning && singles < singleMax
    if (isCalm || waiting.length >= waitingMax) return runSingle(item)
    return new Promise<Answer>((answer) => {
      waiting.push({ item, answer })
      if (!isRunning) void runBatches()
    })
  }
}

export interface Batching {
  readonly pool: Pool
  readonly log: Log
}

/**
 * Turns a function that carries out a batch of commands into an operation for one command. Commands that come at the
 * same moment are one batch, which waits for no lock (`isWaiting` is false). A command that the batch leaves out
 * (undefined at its index), and each command of a batch that fails, runs again singly: it waits for locks, and is
 * repeated when another transaction was first.
 */
export function batched<Command, Answer extends object>(
  { pool, log }: Batching,
  carryOut: (
    pool: Pool,
    commands: readonly Command[],
    isWaiting: boolean,
  ) => Promise<readonly (Answer | undefined)[]>,
): (command: Command) => Promise<Answer> {
  return openBatcher<Command, Answer>({
    batch: async (commands) =>
      carryOut(pool, commands, false).catch((error: unknown) => {
        // Each command has waited for a connection for as long as it may. To wait again, one by one, would double that.
        if (hasNoConnection(error)) throw error
        // Nothing was written. Run alone, the command that caused the error fails, and the others are carried out.
        log.warn({ err: error, commands: commands.length }, 'batch failed; carried out one by one')
        return []
      }),
    single: async (command) =>
      retryLostRaces(async () => {
        const [answer] = await carryOut(pool, [command], true)
        if (answer === undefined) throw new Stale('another transaction was first')
        return answer
      }),
  })
}

function hasNoConnection(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

/** What one command of a batch would do, and the rows that it is about, by their ids. */
export interface Proposal<Decided> {
  readonly about: readonly string[]
  readonly isWriting: boolean
  readonly decided: Decided
}

/**
 * Takes the decisions of a batch in their order. Each was made from what was loaded before the batch, so a writing
 * command about a row that an earlier one of the batch writes is left out: it has to load the row again after that
 * one.
 */
export function firstOfEach<Decided>(
  proposed: readonly (Proposal<Decided> | undefined)[],
): (Decided | undefined)[] {
  const written = new Set<string>()
  return proposed.map((one) => {
    if (one === undefined || !one.isWriting) return one?.decided
    if (one.about.some((id) => written.has(id))) return undefined
    for (const id of one.about) written.add(id)
    return one.decided
  })
}

/** What a batch has to know of a decision: the message and the transfers that it writes. */
export interface Batched {
  readonly writes?: Partial<Pick<Writes, 'message'>> & Pick<Writes, 'transfers'>
}

/** A command of a batch, and what it would write. */
export interface Proposed<One extends Batched = Decided> {
  /** The rows that the decision is about, such as its intent and its checkout, by their ids. */
  readonly about: readonly (string | null)[]
  readonly decided: One
}

/**
 * Takes the decisions of a batch as `firstOfEach` does. A writing command is also left out when an earlier one of the
 * batch writes its message or its receipt.
 */
export function inOrder<One extends Batched>(
  proposed: readonly (Proposed<One> | undefined)[],
): (One | undefined)[] {
  return firstOfEach(
    proposed.map(
      (one) =>
        one && {
          about: [...one.about.flatMap((id) => id ?? []), ...keysOf(one.decided.writes)],
          isWriting: one.decided.writes !== undefined,
          decided: one.decided,
        },
    ),
  )
}

function keysOf(writes: Batched['writes']): string[] {
  if (writes === undefined) return []
  const { message, transfers } = writes
  return [
    ...(message === undefined ? [] : [message.id]),
    ...transfers.map(({ eventKey }) => eventKey),
  ]
}
