// Makes the alert rules an object of the Prometheus operator: node packages/stack/bin/prometheus-rules.mjs
import { writeFileSync } from 'node:fs'
import { setUp } from './set-up.mjs'

await setUp()
const { prometheusRules, prometheusRulesFile } = await import('../dist/observe/prometheus-rules.js')
writeFileSync(prometheusRulesFile, prometheusRules())
