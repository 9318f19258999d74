import { ofFile } from '@malipo/testing/lazily'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clientGeneratorsDir } from '@malipo/testing/client-generators'
import { startHost } from '../start.harness'

/** What newman reports of a run. */
interface Report {
  readonly run: {
    readonly failures: readonly object[]
    readonly executions: readonly {
      readonly item: { readonly name: string }
      readonly response?: { readonly code: number }
    }[]
  }
}

const dir = mkdtempSync(join(tmpdir(), 'malipo-postman-'))
afterAll(() => {
  rmSync(dir, { recursive: true })
})

const rails = { ke: ['mpesa', 'card'], ug: ['mtn_momo', 'airtel_money', 'card'] } as const

describe.each(['ke', 'ug'] as const)('of %s', (country) => {
  const host = ofFile(() => startHost({ country }, rails[country]))

  test("Postman's own runner sends every request of the collection, and each is answered as documented", async () => {
    const { secretKey, username } = await host.merchant({ cardEnabled: true })
    const settings = {
      ...{ key: secretKey, handle: username },
      ...{ base_url: host.url, auth_url: host.authUrl },
    }
    const report = join(dir, `${country}.json`)
    await promisify(execFile)(
      join(clientGeneratorsDir, '.bin/newman'),
      [
        ...['run', `${host.url}/docs/postman.json`, '--silent', '--suppress-exit-code'],
        ...['--reporters', 'json', '--reporter-json-export', report],
        ...Object.entries(settings).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
      ],
      { cwd: dir },
    )
    const { run } = JSON.parse(readFileSync(report, 'utf8')) as Report
    expect(run.failures).toEqual([])
    expect(run.executions.map(({ item, response }) => [item.name, response?.code])).toEqual([
      ['Create a checkout', 201],
      ['Retrieve a checkout', 200],
      ['Read a checkout', 200],
      ['Pay a checkout by mobile money', 202],
      // The prompt of the request before is still on its way, so the card is refused.
      ['Pay a checkout by card', 409],
      ['Read an intent', 200],
      ['Resolve a handle or link', 200],
      ['Pay a handle or link', 202],
      ['A profile', 200],
    ])
  })

  test('has no key in it', async () => {
    const answer = await fetch(`${host.url}/docs/postman.json`)
    expect(await answer.text()).not.toContain('mkp_')
  })
})
