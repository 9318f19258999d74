import type { StackFile } from '../stack-file'

/** Nearly as many connections as a gateway takes, and more than it answers within two seconds. */
const requestsAtOnce = 1_800
const deadlineMs = 10_000

/** Clients that ask again as soon as they are answered, each from its own address, so that no limit stops them. */
export function overload({ stack }: { readonly stack: StackFile }): Promise<() => unknown> {
  const url = `${stack.hosts.ke.base_url}/v1/payments/public/checkouts/cs_ke_${'0'.repeat(24)}`
  let isOver = false
  const ask = async (client: number) => {
    while (!isOver) {
      const address = `10.${String(77 + (client % 100))}.${String(Math.floor(client / 100))}.1`
      const signal = AbortSignal.timeout(deadlineMs)
      await fetch(url, { headers: { 'x-forwarded-for': address }, signal })
        .then((answer) => answer.arrayBuffer())
        .catch(() => undefined)
    }
  }
  const asking = Promise.all(Array.from({ length: requestsAtOnce }, (_, client) => ask(client)))
  return Promise.resolve(async () => {
    isOver = true
    await asking
  })
}
