import https from 'node:https'
import { connect, type Socket } from 'node:net'
import { z } from 'zod'

class CarryingAgent extends https.Agent {
  readonly #port: number

  constructor(port: number) {
    super()
    this.#port = port
  }

  override createConnection(): Socket {
    return connect(this.#port, '127.0.0.1')
  }
}

/**
 * Sends every HTTPS request of the process to this simulator, for a client whose host is fixed in its code. The
 * returned function restores the previous agent.
 */
export function carryHttpsTo(url: string): () => void {
  const before = https.globalAgent
  const agent = new CarryingAgent(z.coerce.number().parse(new URL(url).port))
  https.globalAgent = agent
  return () => {
    https.globalAgent = before
    agent.destroy()
  }
}
