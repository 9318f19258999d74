import { openDocumented } from '@malipo/interface/openapi/documented.harness'
import { type Reply, send, type Sent } from './send.harness'

/** Sends a request and checks every answer against the host's own OpenAPI document. */
export async function openDocumentedAsk(
  url: string,
): Promise<(path: string, sent?: Sent) => Promise<Reply>> {
  const deviationsOf = openDocumented((await send(`${url}/docs/openapi.json`)).body)
  return async (target, sent = {}) => {
    const reply = await send(url + target, sent)
    const method = sent.method ?? (sent.body === undefined ? 'GET' : 'POST')
    const [path = ''] = target.split('?')
    const deviations = deviationsOf({ ...reply, method, path })
    if (deviations.length === 0) return reply
    throw new Error(`${method} ${path}: ${deviations.join(', ')}: ${reply.text}`)
  }
}
