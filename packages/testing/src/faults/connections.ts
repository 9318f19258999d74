import { Client } from 'pg'

const connectionsMax = 200

export interface TakenConnections {
  /** False where the server had more connections left than were opened. */
  readonly isFull: boolean
  end(): Promise<unknown>
}

/** Opens connections until the server has only `spared` left, and keeps them open. */
export async function takeConnections(url: string, spared = 0): Promise<TakenConnections> {
  const taken: Client[] = []
  const open = async () => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 20_000 })
    client.on('error', () => undefined)
    await client.connect()
    taken.push(client)
  }
  const opened = Array.from({ length: connectionsMax }, open)
  const results = await Promise.allSettled(opened)
  const end = (clients: readonly Client[]) =>
    Promise.allSettled(clients.map((client) => client.end()))
  await end(taken.splice(0, spared))
  return {
    isFull: results.some(({ status }) => status === 'rejected'),
    end: () => end(taken),
  }
}
