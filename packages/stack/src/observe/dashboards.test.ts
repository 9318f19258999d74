import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { repositoryDir } from '../migrate'
import { alertmanagerFile, dashboardsDir } from './alert-rules'
import { provideAlertmanager } from './provide-prometheus'

const onProgress = (line: string) => process.stderr.write(`${line}\n`)

interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly panels: readonly { readonly id: number; readonly title: string }[]
}

const dashboards = readdirSync(dashboardsDir).map((name) => ({
  name: basename(name, '.json'),
  board: JSON.parse(readFileSync(join(dashboardsDir, name), 'utf8')) as Dashboard,
}))

test('each dashboard has its own address, and each of its panels a number and a title', () => {
  for (const { name, board } of dashboards) {
    expect(board).toMatchObject({
      uid: `malipo-${name}`,
      title: expect.stringMatching(/^Malipo: /),
    })
    const ids = board.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(board.panels.every(({ title }) => title !== '')).toBe(true)
  }
})

test('Alertmanager accepts its settings, and each alert that they name has a runbook', async () => {
  const { amtool } = await provideAlertmanager(onProgress)
  const { status, stdout, stderr } = spawnSync(amtool, ['check-config', alertmanagerFile], {
    encoding: 'utf8',
  })
  expect({ status, output: stdout + stderr }).toMatchObject({ status: 0 })
  const named = [...readFileSync(alertmanagerFile, 'utf8').matchAll(/alertname=~?"([^"]+)"/g)]
  const runbooks = new Set(readdirSync(join(repositoryDir, 'docs/runbooks')))
  const unknown = named
    .flatMap(([, names = '']) => names.split('|'))
    .filter((name) => !runbooks.has(`${name}.md`))
  expect(unknown).toEqual([])
})

test('one replica that is away silences only what the same process says of itself', () => {
  const { inhibit_rules: rules } = parse(readFileSync(alertmanagerFile, 'utf8')) as {
    readonly inhibit_rules: readonly {
      readonly source_matchers: readonly string[]
      readonly equal?: readonly string[]
    }[]
  }
  const ofReplicas = rules.filter(
    ({ source_matchers: source }) =>
      source.some((matcher) => /"process-(?:down|not-ready)/.test(matcher)) &&
      !source.includes('scope="service"'),
  )
  expect(ofReplicas.map(({ equal }) => equal)).toEqual([['job', 'country', 'instance']])
})
