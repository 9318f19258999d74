import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryDir } from '../migrate'

/** The alert rules, one file a subject, each an object of the Prometheus operator. */
export const rulesDir = join(repositoryDir, 'k8s/observe/rules')

/** Where alerts go, as Alertmanager reads it. */
export const alertmanagerFile = join(repositoryDir, 'k8s/observe/alertmanager.yaml')

export const dashboardsDir = join(repositoryDir, 'k8s/observe/dashboards')

/** Writes the alert rules as Prometheus itself reads them, one file a subject. Returns the files. */
export function writeRules(dir: string): string[] {
  mkdirSync(dir, { recursive: true })
  return readdirSync(rulesDir).map((name) => {
    const [, spec = ''] = readFileSync(join(rulesDir, name), 'utf8').split(/^spec:\n/m)
    const file = join(dir, name)
    writeFileSync(file, spec.replaceAll(/^ {2}/gm, ''))
    return file
  })
}
