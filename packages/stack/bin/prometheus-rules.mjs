// Writes the alert rules for a Prometheus without the operator: node packages/stack/bin/prometheus-rules.mjs DIR
import process from 'node:process'
import { setUp } from './set-up.mjs'

const [dir] = process.argv.slice(2)
if (dir === undefined || dir.startsWith('-')) {
  process.stdout.write(`Usage: node packages/stack/bin/prometheus-rules.mjs DIR

Writes the alert rules of k8s/observe/rules/ into DIR as Prometheus itself reads them, one file a subject, and prints the
files. A cluster with the Prometheus operator needs none of them: kubectl apply -k k8s/observe.
`)
  process.exit(dir === '--help' ? 0 : 2)
}
await setUp()
const { writeRules } = await import('../dist/observe/alert-rules.js')
process.stdout.write(`${writeRules(dir).join('\n')}\n`)
