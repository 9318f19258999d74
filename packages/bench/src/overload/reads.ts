import { setTimeout as wait } from 'node:timers/promises'
import { AnswerCount, type Answers, kindOf } from './answers'
import { addressOf, Connection, requestOf } from '../connection'

/** The number of client addresses, large enough that none meets its rate limit: the bench measures load shedding. */
const addresses = 1 << 14
const tickMs = 4
/** How long a run waits for its last answers: longer than any deadline of the gateway. */
const drainMs = 15_000

export interface Offer {
  readonly connections: number
  /** Requests due a second, whether earlier ones are answered or not. At Infinity a connection asks without pause. */
  readonly perSecond: number
  readonly seconds: number
}

/** Clients that read checkouts. A request that finds all connections busy waits for one. */
export interface Reads {
  run(offer: Offer): Promise<Answers & { readonly sent: number }>
  close(): void
}

export function openReads(port: number, checkoutIds: readonly string[]): Reads {
  const requests = Array.from({ length: addresses }, (_, index) => {
    const id = checkoutIds[index % checkoutIds.length] ?? ''
    const path = `/v1/payments/public/checkouts/${id}`
    return requestOf({ method: 'GET', path, from: addressOf(index) })
  })
  const all: Connection[] = []
  let turn = 0
  const next = () => requests[turn++ % addresses] ?? Buffer.alloc(0)
  return {
    async run({ connections, perSecond, seconds }) {
      // Connections open one by one before the load: the bench measures requests, and no burst of connections.
      while (all.length < connections) all.push(new Connection(port))
      const used = all.slice(0, connections)
      for (const connection of used) await connection.open()
      const free = [...used]
      const count = new AnswerCount()
      const beganAt = performance.now()
      let [sent, isOver] = [0, false]
      const send = () => {
        const due = isOver ? 0 : (perSecond * (performance.now() - beganAt)) / 1_000
        while (sent < due) {
          const connection = free.shift()
          if (connection === undefined) return
          sent += 1
          const askedAt = performance.now()
          connection.ask(next(), (answer) => {
            count.add(kindOf(answer), performance.now() - askedAt)
            free.push(connection)
            send()
          })
        }
      }
      const tick = setInterval(send, tickMs)
      await wait(seconds * 1_000)
      clearInterval(tick)
      isOver = true
      const answers = count.take()
      const deadline = performance.now() + drainMs
      while (free.length < connections && performance.now() < deadline) await wait(10)
      for (const connection of used) if (!free.includes(connection)) connection.close()
      const late = count.take()
      // A good answer after the end does not count, but a late failure or refusal does.
      const failed = answers.failed + late.failed
      return { ...answers, sent, failed, refused: answers.refused + late.refused }
    },
    close() {
      for (const connection of all) connection.close()
    },
  }
}
