import type { Page } from 'playwright-core'

/** Counts in the page its polls of the intent, its other requests (`looks`), and all requests that are in flight. */
export const countRequests = `
  globalThis.requests = { polls: 0, looks: 0, open: 0 }
  const { fetch } = globalThis
  globalThis.fetch = async (path, options) => {
    requests[/^.v1.payments.public.intents.pi_/.test(path) ? 'polls' : 'looks'] += 1
    requests.open += 1
    try {
      const answer = await fetch(path, options)
      await answer.clone().arrayBuffer()
      return answer
    } finally {
      requests.open -= 1
    }
  }`

/** Lets the page process its answers, which takes turns of the event loop but no time of its fake clock. */
const settle = `(async () => {
  const { port1, port2 } = new MessageChannel()
  for (let turns = 0; turns < 20 || requests.open > 0; turns += 1) {
    await new Promise((done) => {
      port1.onmessage = done
      port2.postMessage('')
    })
  }
  return { polls: requests.polls, looks: requests.looks }
})()`

/** Advances the page's clock, and returns how many polls and looks the page makes in that time. */
export async function requestsIn(page: Page, milliseconds: number) {
  const before = await page.evaluate<{ polls: number; looks: number }>(settle)
  await page.clock.runFor(milliseconds)
  const after = await page.evaluate<typeof before>(settle)
  return { polls: after.polls - before.polls, looks: after.looks - before.looks }
}
