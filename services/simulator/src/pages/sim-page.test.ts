import { ofFile } from '@malipo/testing/lazily'
import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { amina, startSimulator } from '../start.harness'

const sim = ofFile(() => startSimulator())

test('the page shows the banner, the seed, the phones and the scenarios without a script', async () => {
  const { status, headers, body } = await sim.wire('GET', '/')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toContain('text/html')
  for (const text of ['This is a simulator', '<code>test</code>', amina, 'double-callback']) {
    expect(body).toContain(text)
  }
})

test('a phone name is escaped', async () => {
  await sim.control('PATCH', `/phones/${amina}`, { name: '<img src=x onerror=alert(1)>' })
  const { body } = await sim.wire('GET', '/sim/live')
  expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(body).not.toContain('<img')
})

test('shows rules as sentences', async () => {
  await sim.control('POST', '/packs/double-callback', { when: { msisdn: amina } })
  const effect = { kind: 'error', error: 'system_busy' }
  await sim.control('POST', '/rules', { on: 'push', effect, times: 1, probability: 0.5 })
  const { body } = await sim.wire('GET', '/sim/live')
  const items = [...String(body).matchAll(/<b>rule_\d+<\/b>([^<]+)</g)].map(([, text]) =>
    text?.trim(),
  )
  expect(items).toEqual([
    // The user's own rules come before those of a scenario.
    'the answer to a push is an error (system busy), and is not carried out, 1 time at most, by a chance of 50 %.',
    `the prompt on the phone is answered (approve), after 2000 ms, for phone ${amina}.`,
    `the callback comes several times, 2 copies, 500 ms apart, for phone ${amina}.`,
  ])
})

test('finds a payment by the id of its attempt, whose digits are in its callback address', async () => {
  const digits = '0f4c8a5d2b7e4f1c9a6d3e8b'
  const CallBackURL = `https://shop.example/callbacks/${digits}00000000`
  await sim.push({ AccountReference: 'FINDME', CallBackURL })
  const shown = async (words: string) =>
    String((await sim.wire('GET', `/sim/live?words=${words}`)).body).includes('FINDME')
  expect(await shown(`pi_${digits}`)).toBe(true)
  expect(await shown(`pi_${digits.replace('8b', '8c')}`)).toBe(false)
})

test('says why no payment is found by the id of a checkout when no payments host is set', async () => {
  const { body } = await sim.wire('GET', `/sim/live?words=cs_ke_${'0'.repeat(24)}`)
  expect(body).toContain("Providers are told no checkout's id")
})

test('the page allows no script but its own', async () => {
  const { headers, body } = await sim.wire('GET', '/')
  const policy = headers.get('content-security-policy') ?? ''
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(body).toContain(`<script type="module" nonce="${nonce}">`)
})

test('shows the first forty of many phones, with a remark', async () => {
  await sim.control('POST', '/phones', { msisdn: '254700100000', count: 100 })
  const { body } = await sim.wire('GET', '/sim/live')
  const shown = String(body)
  expect(shown.match(/<article/g)).toHaveLength(40)
  expect(body).toMatch(/\d+ more phones, by the control API/)
})

/** The number of compressed bytes that a browser receives. */
async function bytesOf(path: string): Promise<number> {
  const headers = { 'accept-encoding': 'gzip' }
  const body = await new Promise<Buffer>((resolve, reject) => {
    get(`${sim.url}${path}`, { headers }, (response) => {
      resolve(buffer(response))
    }).on('error', reject)
  })
  return body.length
}

test('the page and its first refresh are sent in no more than 60 KB', async () => {
  expect((await bytesOf('/')) + (await bytesOf('/sim/live'))).toBeLessThan(60 * 1024)
})
