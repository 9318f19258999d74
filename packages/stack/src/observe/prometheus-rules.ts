import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryDir } from '../migrate'
import { rulesDir } from './alert-rules'

/** The file in which the Prometheus operator finds the alert rules. */
export const prometheusRulesFile = join(repositoryDir, 'k8s/observe/prometheus-rules.yaml')

/** The alert rules of all subjects as one object of the Prometheus operator. */
export function prometheusRules(): string {
  const groups = readdirSync(rulesDir)
    .sort()
    .map((name) => groupsOf(readFileSync(join(rulesDir, name), 'utf8')))
  return `# Made of rules/ by node packages/stack/bin/prometheus-rules.mjs
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: malipo
spec:
  groups:
${groups.join('')}`
}

function groupsOf(file: string): string {
  const [, groups = ''] = file.split(/^groups:\n/m)
  return groups.replace(/^(?=.)/gm, '  ')
}
