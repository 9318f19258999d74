import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryDir } from '../migrate'
import { dashboardsDir, rulesDir } from './alert-rules'

const runbooksDir = join(repositoryDir, 'docs/runbooks')

/** Labels whose values occur only after an error or a certain call, or in a cluster: a healthy stack may lack them. */
const conditional = /(?:status|outcome|cause|call|le|namespace)(?:=~|!=|!~|=)"[^"]*",?/g

/**
 * Every series that a rule, a dashboard or a runbook reads, as a selector: `malipo_level{name="inbox_oldest_s"}`. Those
 * of CloudNativePG are left out: a cluster alone has them.
 */
export function selectorsOfRules(): string[] {
  const rules = ruleTexts().replaceAll(/^\s*(?:#|summary:|runbook:|- record:).*$/gm, '')
  const text = [rules, ...queriesOfDashboards(), ...queriesOfRunbooks()].join('\n')
  const found =
    text.match(/\b(?:malipo|nodejs|process)_\w+(?:\{[^}]*\})?|\bup\b(?:\{[^}]*\})?/g) ?? []
  return [...new Set(found.map((selector) => selector.replaceAll(conditional, '')))].sort()
}

function queriesOfDashboards(): string[] {
  return readdirSync(dashboardsDir).flatMap((name) => {
    const { panels } = JSON.parse(readFileSync(join(dashboardsDir, name), 'utf8')) as {
      panels: { targets: { expr: string }[] }[]
    }
    return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  })
}

/** All that runbooks have in backticks, among it the queries that an operator types into Prometheus. */
function queriesOfRunbooks(): string[] {
  return readdirSync(runbooksDir).flatMap((name) =>
    [...readFileSync(join(runbooksDir, name), 'utf8').matchAll(/`([^`]+)`/g)].map(
      ([, text = '']) => text,
    ),
  )
}

function ruleTexts(): string {
  return readdirSync(rulesDir)
    .map((name) => readFileSync(join(rulesDir, name), 'utf8'))
    .join('\n')
}

async function askPrometheus(url: string, path: string): Promise<unknown> {
  const answer = (await (await fetch(`${url}/api/v1/${path}`)).json()) as { data: unknown }
  return answer.data
}

/** Which of the selectors find no series. */
export async function missingSeries(url: string, selectors: readonly string[]): Promise<string[]> {
  const missing: string[] = []
  for (const selector of selectors) {
    const found = await askPrometheus(url, `series?match[]=${encodeURIComponent(selector)}`)
    if ((found as readonly unknown[]).length === 0) missing.push(selector)
  }
  return missing
}

export async function firingAlerts(url: string): Promise<string[]> {
  const { alerts } = (await askPrometheus(url, 'alerts')) as {
    alerts: { state: string; labels: { alertname: string } }[]
  }
  return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
}

/** The names of the rules that Prometheus has not loaded, or cannot evaluate. */
export async function brokenRules(url: string): Promise<string[]> {
  const { groups } = (await askPrometheus(url, 'rules')) as {
    groups: { rules: { name: string; health: string }[] }[]
  }
  const rules = groups.flatMap((group) => group.rules)
  const healthy = new Set(rules.filter(({ health }) => health === 'ok').map(({ name }) => name))
  const names = [...ruleTexts().matchAll(/- (?:alert|record): (\S+)/g)].map(([, name = '']) => name)
  return [...new Set(names)].filter((name) => !healthy.has(name))
}
